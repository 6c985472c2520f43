// The name under which people find a consultation again in their session list.

import type { Consultation } from "./consultation.ts";

/** Long enough to tell two questions apart in a session list of 80 columns. */
const SUBJECT_LENGTH = 48;

/** `Angel · <origin> · <subject>` */
export function childSessionName(consultation: Consultation, subject = subjectOf(consultation)): string {
  return sessionName(consultation.origin, subject);
}

export function sessionName(origin: string, subject: string): string {
  return `Angel · ${origin} · ${subject}`;
}

/** The first words of the question, or the tools that failed, on one line. */
export function subjectOf(consultation: Consultation): string {
  const tools = [...new Set(consultation.stalls?.map(({ tool }) => tool))].join(", ");
  return firstWords(consultation.question ?? tools, SUBJECT_LENGTH) || "no question";
}

/** A turn may hold hundreds of calls: the first ones, and how many there are besides. */
export function firstOf(words: readonly string[], limit: number): string[] {
  const more = words.length - limit;
  return more > 0 ? [...words.slice(0, limit), `and ${more} more`] : [...words];
}

/** The opening of a text on one line: runs of blanks and of what no screen shows become one space. */
export function firstWords(text: string, maxLength: number): string {
  const whole = text.trim();
  // Only the head is looked at: a question may be megabytes long.
  const head = whole.slice(0, maxLength * 8);
  const line = head.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return head.length < whole.length ? `${line}…` : line;
  const cut = characters.slice(0, maxLength).join("");
  const lastBlank = cut.lastIndexOf(" ");
  return `${lastBlank > maxLength / 2 ? cut.slice(0, lastBlank) : cut}…`;
}
