// Names that announce a secret, and what behind such a name is one: code and prose use the same names for
// variables, types, labels and limits, and those are evidence.

const PASSWORD_NAME = /pass(?:word|wd|phrase|code)|passwd|pwd|pass(?![a-z])|mnemonic|pepper/i;
const TOKEN_NAME = new RegExp(
  [
    "secret|token|credential|authorization|cookie|bearer|dsn$|conn(?:ection)?[_-]?str(?:ing)?",
    "(?:api|app|access|account|auth|client|deploy|encrypt|encryption|hmac|jwt|license|master|private|secret|service|session|shared|sign|signing|ssh|storage|webhook)[_-]?key",
    "session[_-]?id$|(?<![a-z])auth$",
  ].join("|"),
  "i",
);
const KEY_OF_ENVIRONMENT = /^[A-Z][A-Z0-9_]*_(?:KEY|AUTH|SECRET|PASS)$/;

/** Names of things about a secret: where it is, how long it may be. */
const ABOUT =
  /(?:file|path|dir|folder|url|uri|endpoint|host|name|type|kind|header|field|param|prefix|suffix|length|len|size|count|counts|limit|limits|max|min|budget|usage|ttl|age|expiry|expires?|expir\w+|regexp?|pattern|format|policy|rules?|label|placeholder|hint|error|message|provider|manager|store|ref|index|offset|position|tokens|cost|price|window|rate|algorithm|alg|version|enabled|required|visible|hidden|parser|reader|schema)s?$/i;
const ABOUT_ID = /(?:[_-]id|Id|_ID)$/;

const PLAIN_WORD =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|string|number|boolean|any|unknown|never|void|object|array|str|int|bool|bytes|text|required|optional|hidden|visible|prompt|default|example|password|passwd|secret|token|cookie|credentials?|auth|bearer|basic|omit|include|same-origin)\W*$/i;
/** Stands for a value and is none. */
const STAND_IN =
  /^(?:\$\{?[A-Za-z_][\w.:-]*\}?|\$\(.*|%[A-Za-z_]\w*%|\{\{?.*|<.*|\[.*|\*+|x+|\.+|-+|_+|…|&\w+.*)$|\$\{[^}]*\}|\{\{|(?:process|import\.meta)\.env|os\.environ|getenv/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+$/;
const LOCATION = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/[\w.-]+\/|~\/|[A-Za-z]:\\)/;

export function isSecretName(name: string): boolean {
  const isAnnounced = PASSWORD_NAME.test(name) || TOKEN_NAME.test(name) || KEY_OF_ENVIRONMENT.test(name);
  return isAnnounced && !ABOUT.test(name) && !(ABOUT_ID.test(name) && !/session[_-]?id$/i.test(name));
}

export interface ValuePlace {
  readonly name: string;
  readonly isQuoted: boolean;
  /** Nothing but the name and the value stands in its line, or it is a value of its own. */
  readonly isAlone: boolean;
  /** Behind a sign of equality with space around it, as code has it and shells never do. */
  readonly isSpaced: boolean;
}

/** Whether the value is to be taken for the secret that the name announces. */
export function isSecretValue(value: string, { name, isQuoted, isAlone, isSpaced }: ValuePlace): boolean {
  if (value.length < 4 || PLAIN_WORD.test(value) || STAND_IN.test(value)) return false;
  const isPassword = PASSWORD_NAME.test(name);
  const isNumber = /^[\d_.,]+$/.test(value);
  if (isEnvironmentName(name)) {
    // The name of a variable that holds it.
    if (isEnvironmentName(value) && value.includes("_") && isSecretName(value)) return false;
    return isPassword || ((isAlone || isQuoted) && !isSpaced ? !isNumber : isOdd(value));
  }
  if (LOCATION.test(value) || (isQuoted && /\s/.test(value))) return false;
  if (isQuoted) return isPassword || (!isNumber && isOdd(value));
  if (MEMBER.test(value) || /[()[\]{}]/.test(value)) return false;
  return isPassword && isAlone ? /[^A-Za-z_$.]/.test(value) : !isNumber && isOdd(value);
}

/** As people name what they export to programs. */
function isEnvironmentName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** Words and identifiers are even; what a machine made up is not. */
function isOdd(value: string): boolean {
  if (value.length < 6) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (hasDigit && hasLetter)
    return !/^[a-z_$][a-zA-Z_$]*\d{1,2}$/.test(value) && !/^v?\d+(?:\.\d+)+/.test(value);
  if (/[!@#%^&*+=~?]/.test(value) && hasLetter) return !/[=!]=|=>|&&/.test(value);
  if (hasDigit) return value.length >= 12;
  const turns = value.match(/[a-z][A-Z]|[A-Z][a-z]/g)?.length ?? 0;
  return value.length >= 20 && !/[\s_.\-/]/.test(value) && turns >= value.length / 4;
}
