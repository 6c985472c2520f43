// Secrets that can be told by their own form. Each pattern ends in an open run behind a fixed beginning: so a
// token that was cut off is still one, and no text makes the search slower than its length.

import type { Finding } from "./finding.ts";

interface TokenForm {
  readonly kind: string;
  readonly pattern: RegExp;
}

const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: "anthropic-key", pattern: /sk-ant-[\w-]{12,}/g },
  {
    kind: "openai-key",
    pattern: /sk-(?:proj|svcacct|admin|None)-[\w-]{12,}|(?<![A-Za-z0-9])sk-[A-Za-z0-9]{20,}/g,
  },
  { kind: "openrouter-key", pattern: /sk-or-(?:v\d-)?[\w-]{16,}/g },
  { kind: "github-token", pattern: /gh[pousr]_\w{16,}[\w.-]*|github_pat_\w{16,}/g },
  { kind: "gitlab-token", pattern: /gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-[\w.-]{12,}/g },
  {
    kind: "slack-token",
    pattern: /xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[\w-]{10,}|hooks\.slack\.com\/services\/[\w/]{12,}/g,
  },
  { kind: "discord-webhook", pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{12,}/g },
  { kind: "stripe-key", pattern: /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{16,}=*/g },
  { kind: "npm-token", pattern: /npm_[A-Za-z0-9]{20,}/g },
  { kind: "pypi-token", pattern: /pypi-[\w-]{20,}/g },
  { kind: "huggingface-token", pattern: /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{20,}/g },
  {
    kind: "gcp-key",
    pattern: /AIza[\w-]{24,}|ya29\.[\w.-]{16,}|GOCSPX-[\w-]{16,}|(?<!\d)1\/\/0[\w-]{20,}/g,
  },
  {
    kind: "aws-key",
    pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])[A-Z0-9]{12,}/g,
  },
  { kind: "azure-key", pattern: /[\w~.-]{3}\dQ~[\w~.-]{20,}|(?<=[?&;]sig=)[\w%+/=-]{16,}/g },
  {
    kind: "jwt",
    pattern:
      /eyJ(?:hbGciOi|0eXAiOi|raWQiOi|jdHkiOi|lbmMiOi)[\w.-]{4,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}[\w.-]*/g,
  },
  { kind: "age-key", pattern: /AGE-SECRET-KEY-1[0-9A-Za-z]{20,}/g },
  { kind: "sendgrid-key", pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,}[\w.-]*/g },
  { kind: "twilio-key", pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}/g },
  { kind: "telegram-token", pattern: /(?<!\d)\d{8,10}:AA[\w-]{20,}/g },
  { kind: "vault-token", pattern: /(?<![A-Za-z0-9])hv[sbr]\.[\w-]{20,}/g },
  {
    kind: "provider-token",
    pattern:
      /(?<![A-Za-z0-9])(?:do[opr]_v1_|shp(?:at|ca|pa|ss)_|ATATT3|ATCTT3|lin_api_|figd_|dapi|gsk_|xai-|pplx-|r8_|tskey-|dckr_pat_|sntry[su]_|pscale_(?:tkn|pw|oauth)_|nfp_|sbp_|glsa_|glc_|ntn_|dp\.[a-z]{2}\.|cf(?:k|ut|at)_|vc[piark]_|rubygems_|NRAK-|key-(?=[0-9a-f]{32})|EAACEdEose0cBA|PMAK-|shippo_(?:live|test)_|sq0(?:atp|csp)-|access_token\$production\$)[\w.=-]{16,}/g,
  },
];

export const TOKEN_KINDS: readonly string[] = TOKEN_FORMS.map(({ kind }) => kind);

export function findTokens(text: string): Finding[] {
  return TOKEN_FORMS.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map(({ 0: token, index }) => ({
      start: index,
      end: index + token.length,
      kind,
    })),
  );
}
