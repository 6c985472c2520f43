// Credentials in headers, addresses and connection strings. The address itself stays, it is evidence.

import type { Finding } from "./finding.ts";

const SCHEME = "(?:bearer|basic|token|digest|apikey|api-key|negotiate|hmac|aws4-hmac-sha256)";
const CREDENTIAL = "[A-Za-z0-9._~+/=:-]";

/** A header with its scheme: whatever is said there is a credential, unless it stands for one. */
const AUTHORIZATION = new RegExp(
  `(?:proxy-)?authorization["'\`]?[ \\t]{0,8}[:=,][ \\t]{0,8}["'\`]?${SCHEME}[ \\t]{1,8}(${CREDENTIAL}{8,})`,
  "dgi",
);
const SCHEME_ALONE = new RegExp(`(?<![\\w-])(?:bearer|basic)[ \\t]{1,8}(${CREDENTIAL}{12,})`, "dgi");
const COOKIE =
  /(?<![\w-])(?:set-)?cookie["'`]?[ \t]{0,8}:[ \t]{0,8}["'`]?([\w.%-]{1,80}=[^\r\n"'`{}()]{6,})/dgi;
const USERINFO =
  /(?<![A-Za-z0-9+.-])([a-z][a-z0-9+.-]{0,30}):\/\/([^\s/?#@:"'`<>\\\ufdd0]{0,200}:(?!\d{1,5}[/?#])[^\s@"'`<>\\\ufdd0]{1,400}|[^\s/?#@:"'`<>\\\ufdd0]{16,400})@/dgi;
/** A text may end before the sign that tells a password from a port. */
const CUT_USERINFO =
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:"'`<>\\\ufdd0]{1,200}:([^\s/?#@"'`<>\\\ufdd0]{6,400})(?:\u2026|\.{3})?$/di;
/** `user:{password}@`, `user:$PASSWORD@`, `user:***@` */
const STAND_IN =
  /^[^:]{0,200}:(?:\$.*|\{.*\}|%[sdv]|\*+|x{3,}|\.{3}|\[.*\])$|^\$\{?[\w.]+\}?(?::\$\{?[\w.]+\}?)?$/i;

export const ADDRESS_KINDS: readonly string[] = ["authorization", "cookie", "url-userinfo"];

export function findHeadersAndUrls(text: string): Finding[] {
  const findings: Finding[] = [];
  const add = (range: readonly [number, number] | undefined, kind: string) => {
    if (range) findings.push({ start: range[0], end: range[1], kind });
  };
  for (const { indices } of text.matchAll(AUTHORIZATION)) add(indices?.[1], "authorization");
  for (const { 1: credential = "", indices } of text.matchAll(SCHEME_ALONE))
    if (isMadeUp(credential)) add(indices?.[1], "authorization");
  for (const { indices } of text.matchAll(COOKIE)) add(indices?.[1], "cookie");
  for (const { 1: scheme = "", 2: userinfo = "", indices } of text.matchAll(USERINFO)) {
    // Without a colon it is a name, save on the web, where a long one is a token.
    const isCredential = userinfo.includes(":") || (/^https?$/i.test(scheme) && isMadeUp(userinfo));
    if (isCredential && !STAND_IN.test(userinfo)) add(indices?.[2], "url-userinfo");
  }
  const cut = CUT_USERINFO.exec(text.slice(-1000));
  const [start, end] = cut?.indices?.[1] ?? [0, 0];
  const before = Math.max(0, text.length - 1000);
  if (cut && isMadeUp(cut[1] ?? "")) add([before + start, before + end], "url-userinfo");
  return findings;
}

function isMadeUp(credential: string): boolean {
  return /\d|[a-z][A-Z]|=$/.test(credential);
}
