// The part of Pi's theme that Angel draws with.

import type { Theme } from "@mariozechner/pi-coding-agent";

export type Palette = Pick<Theme, "fg" | "bg" | "bold">;
