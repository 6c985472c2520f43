// Files of the project, searched for secrets as a whole before a tool takes lines out of them or cuts them: half of a
// secret looks like none.

import { open } from "node:fs/promises";
import type { PathRule } from "./path-rule.ts";
import type { Redactor } from "./redactor.ts";
import type { Tally } from "./tally.ts";

export interface FileText {
  readonly raw: string;
  readonly redacted: string;
}

export interface FileTexts {
  /** @throws Error with a sentence for the advisor when the file is not for it */
  read(file: string): Promise<FileText>;
  /** What kind of image it is; undefined for any other file. @throws as `read` */
  imageType(file: string): Promise<string | undefined>;
  /** Its bytes. @throws as `read` */
  bytes(file: string): Promise<Buffer>;
}

/** A search takes about a quarter of a second for each of them. */
const MOST_BYTES = 16 * 1024 * 1024;

export function openFileTexts(rule: PathRule, redactor: Redactor, tally: Tally): FileTexts {
  // A search asks for the same file at each of its lines.
  let last: { readonly key: string; readonly text: FileText } | undefined;

  async function load(file: string): Promise<{ readonly bytes: Buffer; readonly key: string }> {
    assertAllowed(file, rule);
    const handle = await open(file, "r");
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      if (size > MOST_BYTES) {
        tally.withheld();
        throw new Error(
          `"${file}" has ${size} bytes; more than ${MOST_BYTES} are not searched for secrets, so it is withheld.`,
        );
      }
      return { bytes: await handle.readFile(), key: `${file}\0${ino}\0${size}\0${mtimeMs}` };
    } finally {
      await handle.close();
    }
  }

  return {
    async read(file) {
      const { bytes, key } = await load(file);
      if (last?.key === key) return last.text;
      const raw = decode(bytes);
      const { text, secrets, isWithheld } = await redactor.redact(raw);
      tally.redacted(secrets);
      if (isWithheld) tally.withheld();
      last = { key, text: { raw, redacted: text } };
      return last.text;
    },
    async imageType(file) {
      assertAllowed(file, rule);
      const handle = await open(file, "r");
      try {
        const head = Buffer.alloc(16);
        await handle.read(head, 0, head.length, 0);
        return imageTypeOf(head);
      } finally {
        await handle.close();
      }
    },
    bytes: async (file) => (await load(file)).bytes,
  };
}

/** Judged again where it is opened: the path that was judged before may lead elsewhere by now. */
function assertAllowed(file: string, rule: PathRule): void {
  const reason = rule.fileRefusal(file);
  if (reason !== undefined) throw new Error(`"${file}" ${reason}`);
}

/** As text in whatever encoding of Unicode it is: a pattern does not see letters with zeros between them. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const head = bytes.subarray(0, 512);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const most = head.length * 0.3;
  if ((zeros[1] ?? 0) > most && (zeros[0] ?? 0) < most / 10) return new TextDecoder("utf-16le").decode(bytes);
  if ((zeros[0] ?? 0) > most && (zeros[1] ?? 0) < most / 10) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8");
}

/** The kinds that Pi's `read` shows as images. */
function imageTypeOf(head: Buffer): string | undefined {
  const ascii = head.toString("latin1");
  if (ascii.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (ascii.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(ascii)) return "image/gif";
  if (/^RIFF[\s\S]{4}WEBP/.test(ascii)) return "image/webp";
  return ascii.startsWith("BM") && head.readUInt32LE(6) === 0 ? "image/bmp" : undefined;
}
