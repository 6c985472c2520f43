// Slices that never cut a character in two. Half a surrogate pair is no text: providers refuse it.

/** Like `slice`, but both ends move back to the start of the character they lie in. */
export function sliceCharacters(text: string, from: number, to: number): string {
  return text.slice(characterStart(text, from), characterStart(text, to));
}

/** The start of the character that the index lies in. */
export function characterStart(text: string, index: number): number {
  const isInside = isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1));
  return isInside ? index - 1 : index;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
