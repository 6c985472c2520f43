// Patterns on model names. A module of its own: the library behind it is loaded only where the settings have pairs.

import picomatch from "picomatch";
import type { FitsPattern } from "./pairing.ts";

// Model ids contain slashes (router/vendor/model); `bash` lets a single star cross them.
export const fitsPattern: FitsPattern = (executor, pattern) =>
  picomatch.isMatch(executor, pattern, { bash: true, dot: true, nocase: true });
