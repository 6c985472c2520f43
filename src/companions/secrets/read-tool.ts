// Pi's `read` over texts without their secrets: offsets, limits and cuts apply to what may be shown.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createReadToolDefinition } from "@mariozechner/pi-coding-agent";
import type { FileTexts } from "./file-texts.ts";
import type { SecretsSettings } from "./settings.ts";
import type { Tally } from "./tally.ts";

export interface ReadToolParts {
  readonly cwd: string;
  readonly files: FileTexts;
  readonly images: SecretsSettings["images"];
  readonly tally: Tally;
}

export function redactingRead({ cwd, files, images, tally }: ReadToolParts) {
  return createReadToolDefinition(cwd, {
    operations: {
      access: (file) => access(file, constants.R_OK),
      async detectImageMimeType(file) {
        const type = await files.imageType(file);
        if (type === undefined || images === "allow") return type;
        tally.withheld();
        throw new Error(
          `"${file}" is an image (${type}); images are withheld, because nothing can be redacted in them. Ask the user what it shows.`,
        );
      },
      async readFile(file) {
        // Pi reads a file as bytes when it is an image.
        if ((await files.imageType(file)) !== undefined) return files.bytes(file);
        return Buffer.from((await files.read(file)).redacted, "utf8");
      },
    },
  });
}
