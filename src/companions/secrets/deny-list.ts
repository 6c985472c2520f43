// The files that hold credentials by their use. Matched without regard to case, at any depth, and a folder with all
// that is in it.

import picomatch from "picomatch";

/** A glob without a slash is a name; one with a slash is the end of a path. */
const DENIED: readonly string[] = [
  ...[".env", ".env.*", "*.env", ".envrc", ".flaskenv", ".dev.vars"],
  ...[
    "*.pem",
    "*.key",
    "*.p8",
    "*.p12",
    "*.pfx",
    "*.pkcs12",
    "*.jks",
    "*.keystore",
    "*.bks",
    "*.ppk",
    "*.kdb",
  ],
  ...[
    "*.kdbx",
    "*.agekey",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".ssh",
    ".gnupg",
    ".password-store",
  ],
  ...[".aws/credentials", ".aws/config", ".aws/sso", ".config/gcloud", ".boto", ".s3cfg", ".oci/config"],
  ...[".netrc", "_netrc", ".npmrc", ".pypirc", ".gem/credentials", ".cargo/credentials*", ".pgpass"],
  ...[
    ".my.cnf",
    ".git-credentials",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".docker/config.json",
    ".dockercfg",
  ],
  ...[".kube/config", "kubeconfig", "kubeconfig.*", "*.kubeconfig", ".vault-token", ".terraformrc"],
  ...[
    "terraform.tfstate*",
    "*.tfstate",
    "*.tfstate.*",
    "*.tfvars",
    "*.tfvars.json",
    ".terraform.d/credentials*",
  ],
  ...[
    ".azure/accesstokens.json",
    ".azure/msal_token_cache*",
    "credentials*.json",
    "credentials*.y?(a)ml",
    "client_secret*.json",
    "service[-_]account*.json",
  ],
  ...["secrets.json", "secrets.y?(a)ml", "secrets.toml", ".secrets", "master.key", "wallet.dat", "*.wallet"],
  ...["wallet*.json", "keystore/utc--*", ".htpasswd", ".bash_history", ".zsh_history", ".psql_history"],
  ...[
    ".python_history",
    ".node_repl_history",
    ".mysql_history",
    ".pi/agent/auth.json",
    ".pi/agent/models.json",
  ],
];

/** Samples of such files, which are there to be read. */
const SAMPLES: readonly string[] = [
  ".env.example",
  ".env.*.example",
  ".env.sample",
  ".env.*.sample",
  ".env.template",
  ".env.*.template",
  ".env.dist",
  ".env.defaults",
  "example.env",
  "sample.env",
  "template.env",
];

/** Which glob denies the path; undefined when none does. The path has slashes only. */
export type DenyList = (path: string) => string | undefined;

/** @param allow globs that take off the list; none of them takes off what `deny` adds, unless it is the same glob */
export function makeDenyList(deny: readonly string[], allow: readonly string[]): DenyList {
  const allowed = matchers([...allow, ...SAMPLES]);
  const usual = matchers(DENIED);
  const added = matchers(deny.filter((glob) => !allow.includes(glob)));
  const matchOf = (list: readonly Matcher[], path: string) => list.find(({ matches }) => matches(path))?.glob;
  return (path) => {
    const plain = path.normalize("NFC");
    const byUser = matchOf(added, plain);
    if (byUser !== undefined) return byUser;
    return matchOf(allowed, plain) === undefined ? matchOf(usual, plain) : undefined;
  };
}

interface Matcher {
  readonly glob: string;
  matches(path: string): boolean;
}

function matchers(globs: readonly string[]): Matcher[] {
  return globs.map((glob) => {
    const plain = glob
      .replaceAll("\\", "/")
      .replace(/^\.?\/+|\/+$/g, "")
      .normalize("NFC");
    // The path comes without the slash it begins with: a glob that starts with stars would not cross that one.
    return { glob, matches: picomatch([`**/${plain}`, `**/${plain}/**`], { dot: true, nocase: true }) };
  });
}
