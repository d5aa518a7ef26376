/** Rules for tokens whose format alone shows that they are secrets. */
import type { SecretRule } from './secret-rule.ts';

// Here and not in `secret-rule.ts`, because the hook loads these rules and would otherwise build all the other pieces.
/** `\n` of an escaped text, a colour, `%3D`, `\x3d`, `\u003d`: they end with a letter that is not part of the next word. */
const ESCAPE = '\\\\[nrt]|\\[[0-9;]{0,12}m|%[0-9A-Fa-f]{2}|\\\\x[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}';

/** Not after a letter or digit, because a prefix inside a longer word means nothing. */
export const EDGE = `(?:(?<![A-Za-z0-9])|(?<=${ESCAPE}))`;

/** A token of one exact length, which is one inside a longer word, too: `tokenAKIA…`. */
function inside(kind: string, prefixes: string, rest: string): SecretRule {
  return token(kind, prefixes, rest, '');
}

/** Searches for the prefix first and checks the text before it only where it is found. */
function token(kind: string, prefixes: string, rest: string, edge = EDGE): SecretRule {
  const hints = prefixes.split('|');
  let made: RegExp | undefined;
  const make = (): RegExp => {
    const prefix = `(?:${hints.map((hint) => hint.replaceAll('.', '\\.')).join('|')})`;
    return new RegExp(`(?=${prefix})${edge}${prefix}${rest}`, 'g');
  };
  return {
    kind,
    hints,
    // Built on first use, because the hook needs few of them.
    get pattern() {
      made ??= make();
      return made;
    },
  };
}

const WORD = '[A-Za-z0-9_-]';
const PEM_NAME = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const PEM_TEXT = '[A-Za-z0-9+/=\\s\\\\]*';

function listPrivateKeys(): readonly SecretRule[] {
  return [
    {
      kind: 'private-key',
      hints: ['PRIVATE KEY'],
      // The second form is a key whose end was cut off.
      pattern: new RegExp(`-----BEGIN ${PEM_NAME}(?:[\\s\\S]{0,8000}?-----END ${PEM_NAME}|${PEM_TEXT})`, 'g'),
    },
    {
      kind: 'private-key',
      hints: ['PRIVATE KEY'],
      // A key whose beginning was cut off.
      pattern: new RegExp(`(?<![A-Za-z0-9+/=\\s\\\\])${PEM_TEXT}-----END ${PEM_NAME}`, 'g'),
    },
    {
      kind: 'private-key',
      hints: ['Private-Lines'],
      pattern: new RegExp(`(Private-Lines: \\d{1,4}(?:\\s|\\\\{1,31}[nr]){1,4})[A-Za-z0-9+/=]${PEM_TEXT}`, 'g'),
    },
  ];
}

function listClouds(): readonly SecretRule[] {
  return [
    token('aws-key', 'AKIA|ASIA|ABIA|ACCA', '[A-Z0-9]{12,}'),
    inside('aws-key', 'AKIA|ASIA', '[A-Z0-9]{16}(?![A-Z0-9])'),
    {
      kind: 'aws-key',
      hints: ['[redacted:aws-key]'],
      pattern: /(\[redacted:aws-key\](?:\\{1,31}[nrt]|[\s,:"'|\\]){1,8})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/g,
    },
    {
      kind: 'azure-secret',
      hints: ['Q~'],
      pattern: /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,40}/g,
    },
    token('google-key', 'AIza', `${WORD}{30,}`),
    token('google-token', 'ya29.', `${WORD}{16,}`),
    token('google-token', '1//0', `${WORD}{30,}`),
    token('google-secret', 'GOCSPX-', `${WORD}{16,}`),
    token('cloudflare-token', 'cfk_|cfut_|cfat_', '[A-Za-z0-9]{40,}'),
    token('digitalocean-token', 'dop_v1_|doo_v1_|dor_v1_', '[0-9a-f]{32,}'),
    token('heroku-key', 'HRKU-', `${WORD}{30,}`),
    token('vercel-token', 'vcp_|vci_|vca_|vcr_|vck_', '[A-Za-z0-9]{20,}'),
    token('netlify-token', 'nfp_', '[A-Za-z0-9]{32,}'),
    token('supabase-token', 'sbp_', '[0-9a-f]{32,}'),
    token('planetscale-token', 'pscale_tkn_|pscale_pw_|pscale_oauth_', `${WORD}{30,}`),
    token('databricks-token', 'dapi', '[0-9a-f]{32}'),
    token('tailscale-key', 'tskey-', `${WORD}{16,}`),
    token('pulumi-token', 'pul-', '[0-9a-f]{40}'),
    {
      kind: 'terraform-token',
      hints: ['.atlasv1.'],
      pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{20,}/g,
    },
  ];
}

function listCode(): readonly SecretRule[] {
  return [
    inside('github-token', 'ghp_|gho_|ghu_|ghs_|ghr_', '[A-Za-z0-9]{36}'),
    token('github-token', 'ghp_|gho_|ghu_|ghs_|ghr_|github_pat_', `${WORD}{16,}(?:\\.${WORD}{10,}){0,2}`),
    token(
      'gitlab-token',
      'glpat-|gloas-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|glsoat-|glffct-|glwt-',
      '[A-Za-z0-9_.-]{16,}',
    ),
    token('atlassian-token', 'ATATT3|ATCTT3', `[A-Za-z0-9_=-]{60,}`),
    token('npm-token', 'npm_', '[A-Za-z0-9]{30,}'),
    token('pypi-token', 'pypi-', `${WORD}{32,}`),
    token('rubygems-key', 'rubygems_', '[0-9a-f]{32,}'),
    token('crates-token', 'cio', '(?=[a-z]{0,31}[A-Z0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
    token('docker-token', 'dckr_pat_|dckr_oat_', `${WORD}{20,}`),
    token('linear-key', 'lin_api_|lin_oauth_', '[A-Za-z0-9]{16,}'),
    token('notion-token', 'ntn_', '[A-Za-z0-9]{40,}'),
    token('notion-token', 'secret_', '[A-Za-z0-9]{40,}'),
    token('figma-token', 'figd_', `${WORD}{32,}`),
    token('postman-key', 'PMAK-', '[0-9a-f-]{40,}'),
    token('vault-token', 'hvb.|hvs.|hvr.', `${WORD}{20,}`),
    token('doppler-token', 'dp.', '[a-z]{2,6}\\.[A-Za-z0-9]{20,}'),
    token('age-key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{20,}'),
    token('1password-token', 'ops_ey', '[A-Za-z0-9+/=_-]{60,}'),
    token('1password-key', 'A3-', '[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){4,5}'),
  ];
}

function listServices(): readonly SecretRule[] {
  return [
    token('jwt', 'eyJ', `${WORD}{6,}\\.${WORD}{6,}(?:\\.${WORD}*)?`),
    token('stripe-key', 'sk_live_|rk_live_|pk_live_|sk_test_|rk_test_|pk_test_', '[A-Za-z0-9]{8,}'),
    // With a digit or a capital, because `sk-learn-notebooks` is a folder.
    token('api-key', 'sk-', `(?=[a-z_-]{0,80}[A-Z0-9])${WORD}{8,}`),
    token('groq-key', 'gsk_', '[A-Za-z0-9]{40,}'),
    token('xai-key', 'xai-', '[A-Za-z0-9]{40,}'),
    token('perplexity-key', 'pplx-', '[A-Za-z0-9]{32,}'),
    token('replicate-token', 'r8_', '[A-Za-z0-9]{32,}'),
    token('hugging-face-token', 'hf_', '[A-Za-z0-9]{20,}'),
    token('slack-token', 'xox|xapp', '[a-z]?-[A-Za-z0-9-]{8,}'),
    {
      kind: 'webhook',
      hints: ['hooks.slack.com', '/api/webhooks/'],
      pattern: /((?:hooks\.slack\.com\/(?:services|workflows)|\/api\/webhooks)\/)(?!\[redacted:)[\w/-]+/g,
    },
    { kind: 'telegram-token', hints: [':AA'], pattern: new RegExp(`(?<!\\d)\\d{8,10}:AA${WORD}{33}`, 'g') },
    token('sendgrid-key', 'SG.', `${WORD}{16,}\\.${WORD}{16,}`),
    token('mailgun-key', 'key-', '[0-9a-f]{32}(?![0-9a-f])'),
    { kind: 'mailchimp-key', hints: ['-us'], pattern: /(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\d)/g },
    token('twilio-key', 'SK', '[0-9a-f]{32}(?![0-9a-f])'),
    token('shopify-token', 'shpat_|shpca_|shppa_|shpss_|shpua_', '[0-9a-fA-F]{20,}'),
    token('square-token', 'sq0', `[a-z]{3}-${WORD}{20,}`),
    token('square-token', 'EAAA', `${WORD}{56,}`),
    token('new-relic-key', 'NRAK-', '[A-Z0-9]{20,}'),
    token('sentry-token', 'sntrys_|sntryu_', '[A-Za-z0-9_+/=-]{32,}'),
    token('grafana-token', 'glc_|glsa_', '[A-Za-z0-9_+/=]{32,}'),
    token('webhook-secret', 'whsec_', '[A-Za-z0-9+/=]{16,}'),
  ];
}

/** Built when a text is first redacted, not when the hook loads. */
export function listSecretTokens(): readonly SecretRule[] {
  return [...listPrivateKeys(), ...listClouds(), ...listCode(), ...listServices()];
}

/** Separate, because it has no fixed word to search for; see its check in `redaction.ts`. */
export function makeDiscordToken(): SecretRule {
  const pattern = new RegExp(`${EDGE}[MNO]${WORD}{23,27}\\.${WORD}{6}\\.${WORD}{27,}`, 'g');
  return { kind: 'discord-token', hints: ['.'], pattern };
}
