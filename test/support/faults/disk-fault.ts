// What a disk can do to the files of a consultation, put right again before the next one.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Occasion } from "./occasion.ts";

export interface DiskFault {
  readonly name: string;
  /** @returns what puts it right again */
  readonly strike: (file: string) => () => void;
  /** Whether all that lies in the folder is struck with it, parent and children. */
  readonly hitsFolder: boolean;
}

/** Writes to it end with "no space left", to root too; where there is none, a folder has to do. */
const FULL_DEVICE = "/dev/full";

export const DISK_FAULTS: readonly DiskFault[] = [
  {
    name: "file cannot be written",
    hitsFolder: false,
    strike: (file) =>
      exchange(file, () => {
        // A folder in the file's place refuses every write, to root too.
        mkdirSync(file);
      }),
  },
  {
    name: "disk is full",
    hitsFolder: false,
    strike: (file) =>
      exchange(file, () => {
        if (existsSync(FULL_DEVICE)) symlinkSync(FULL_DEVICE, file);
        else mkdirSync(file);
      }),
  },
  {
    name: "folder is deleted",
    hitsFolder: true,
    strike: (file) => {
      const folder = dirname(file);
      renameSync(folder, `${folder}-away`);
      return () => {
        rmSync(folder, { recursive: true, force: true });
        renameSync(`${folder}-away`, folder);
      };
    },
  },
];

/** The newest child of the occasion. */
export function childFile({ pi }: Occasion): string {
  const child = pi.home.children().at(-1);
  if (child === undefined) throw new Error("There is no child on disk yet.");
  return child.path;
}

export function parentFile({ pi }: Occasion): string {
  return pi.home.parent().path;
}

function exchange(file: string, put: () => void): () => void {
  const bytes = readFileSync(file);
  rmSync(file);
  put();
  return () => {
    rmSync(file, { recursive: true });
    writeFileSync(file, bytes);
  };
}
