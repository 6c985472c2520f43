/**
 * Made-up secrets in the forms that tools and people write. Each is put together here, so that no scanner of this
 * repository takes one for real, and the part in «» is what must not be seen.
 */

const made = (...parts: string[]) => parts.join("");
const hex = "9f86d081884c7d659a2feaa0c55ad015";
const mixed = "aZ3kQ9xW7pL2mN8vB4tR6yU1";

const MARKED: Readonly<Record<string, string>> = {
  aws: made("«AK", "IAQ3EGRIPZT5XN7WVB", "»"),
  awsSecret: made("aws_secret_access_key = «", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzz9q2Lm1", "»"),
  anthropic: made("«sk", "-ant-api03-", mixed, mixed, "-AA»"),
  openai: made("«sk", "-proj-", mixed, "T3BlbkFJ", mixed, "»"),
  github: made("«gh", "p_", mixed, "Qw7Er5Ty3Ui1»"),
  githubFine: made("«github", "_pat_11ABCDEFG0", mixed, "_", mixed, mixed, "»"),
  gitlab: made("«gl", "pat-", mixed.slice(0, 20), "»"),
  slack: made("«xo", "xb-123456789012-1234567890123-", mixed, "»"),
  stripe: made("«sk", "_live_", mixed, "»"),
  npm: made("«np", "m_", mixed, "Ab1Cd2Ef3Gh4»"),
  pypi: made("«pypi", "-AgEIcHlwaS5vcmcC", mixed, mixed, "»"),
  huggingface: made("«h", "f_", mixed, "AbCdEfGhIj»"),
  google: made("«AI", "zaSyD", mixed, "_-ab12»"),
  jwt: made(
    "«ey",
    "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.",
    "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "»",
  ),
  bearer: made("Authorization: Bearer «", mixed, hex, "»"),
  basic: made("authorization: Basic «", "dXNlcjpwYXNzd29yZC1pcy1oZXJl", "»"),
  environment: made("DATABASE_PASSWORD=«", "correct-horse-battery-9", "»"),
  exported: made('export STRIPE_SECRET_KEY="«', mixed, '»"'),
  yaml: made("api_key: «", mixed, "»"),
  json: made('{"client_secret": "«', mixed, hex, '»"}'),
  toml: made('auth_token = "«', hex, '»"'),
  url: made("postgres://shop:«", "s3cr3t-Pa55w0rd-x9", "»@db.example.org:5432/shop"),
  azure: made(
    "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«",
    mixed,
    mixed,
    mixed,
    "ABCDEFGHIJKLMN==»",
  ),
};

export const SAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MARKED).map(([form, marked]) => [form, marked.replace(/[«»]/g, "")]),
);

/** The part of a sample that is the secret. */
export function secretOf(sample: string): string {
  const marked = Object.values(MARKED).find((one) => one.replace(/[«»]/g, "") === sample);
  const secret = marked?.match(/«(.*)»/)?.[1];
  if (secret === undefined) throw new Error(`There is no sample ${sample}.`);
  return secret;
}

const BODY = Array.from({ length: 6 }, (_, n) =>
  Buffer.from(`${n}-${mixed}${hex}${mixed}${hex}${mixed}`).toString("base64").slice(0, 64),
);

export const PEM = [
  made("-----BEGIN RSA PRIV", "ATE KEY-----"),
  ...BODY,
  made("-----END RSA PRIV", "ATE KEY-----"),
].join("\n");
