/**
 * Runs secretlint's rules over texts that our own rules have cleaned, because secretlint knows more token formats and
 * its maintainers follow the providers. A rule gets only the texts that contain one of its words, many of them as one
 * source. The rules run without secretlint's own runner, which sets up every rule again for each text and keeps
 * performance marks (120 MB after 8,000 texts).
 */

import { makeHintSearch } from '../../base/text/hint-search.ts';

/** Returns the texts without secrets, in order. Never rejects. `hints`: the words of `LINT_HINTS` in each text. */
export type SecretScan = (
  texts: readonly string[],
  hints?: readonly ReadonlySet<string>[],
) => Promise<readonly string[]>;

interface Hinted {
  readonly text: string;
  readonly hints: ReadonlySet<string>;
}

interface SecretScanParts {
  readonly log: (line: string) => void;
  readonly load?: () => Promise<readonly LintRule[]>;
}

export const UNSCANNED = '[redacted:unscanned]';

/** No rule's pattern matches across it, and no text contains a NUL. */
const BETWEEN = '\n\0\n';
const BATCH_CHARS = 256 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const ASTRAY = /\[redacted:[a-z0-9-]{1,40}\]|\\[nrt]|\x1b\[[0-9;]{0,12}m/g;
/** This rule finds no secrets; it would let a text disable the scan with `secretlint-disable`. */
const SWITCH_OFF = '@secretlint/secretlint-rule-filter-comments';

export function makeSecretScan({ log, load = loadRules }: SecretScanParts): SecretScan {
  const search = makeHintSearch({ exact: [], anyCase: Object.values(LINT_HINTS).flat() });
  let rules: Promise<readonly LintRule[]> | undefined;
  const scanBatch = async (batch: readonly Hinted[]): Promise<readonly string[]> => {
    try {
      rules ??= load();
      return replaceAll(batch, await findIn(batch, await rules));
    } catch (error) {
      if (batch.length > 1) return (await Promise.all(batch.map((text) => scanBatch([text])))).flat();
      // The message of the error is not logged, because it may quote the text.
      log(`secrets: a text could not be scanned and is not kept (${error instanceof Error ? error.name : 'error'})`);
      return [UNSCANNED];
    }
  };
  return async (texts, hints) => {
    const clean: string[] = [];
    const hinted = texts.map((text, i) => ({ text, hints: hints?.[i] ?? search(text) }));
    for (const batch of toBatches(hinted)) clean.push(...(await scanBatch(batch)));
    return clean;
  };
}

/** The findings of the rules in each text. */
async function findIn(
  batch: readonly Hinted[],
  rules: readonly LintRule[],
): Promise<readonly (readonly FoundSecret[])[]> {
  const found: FoundSecret[][] = batch.map(() => []);
  for (const { chosen, group } of toGroups(rules, batch)) {
    const source = chosen.map((i) => toPlain(batch[i]?.text ?? '')).join(BETWEEN);
    const secrets = await findSecrets(group, source);
    let offset = 0;
    for (const i of chosen) {
      const end = offset + (batch[i]?.text.length ?? 0);
      for (const secret of secrets)
        if (secret.start < end && secret.end > offset) found[i]?.push(move(secret, -offset));
      offset = end + BETWEEN.length;
    }
  }
  return found;
}

interface Group {
  /** The indexes of the texts. */
  readonly chosen: readonly number[];
  readonly group: readonly LintRule[];
}

/** Rules for the same texts share one source. Most texts contain no word of any rule. */
function toGroups(rules: readonly LintRule[], batch: readonly Hinted[]): readonly Group[] {
  const held = new Set<string>();
  for (const { hints } of batch) for (const word of hints) held.add(word);
  const groups = new Map<string, Group>();
  for (const rule of rules) {
    const words = LINT_HINTS[toRuleName(rule)]?.filter((word) => held.has(word));
    if (words?.length === 0) continue;
    const chosen = [...batch.keys()].filter((i) => words?.some((word) => batch[i]?.hints.has(word)) ?? true);
    const key = chosen.join();
    groups.set(key, { chosen, group: [...(groups.get(key)?.group ?? []), rule] });
  }
  return [...groups.values()];
}

function move(secret: FoundSecret, by: number): FoundSecret {
  return { ...secret, start: secret.start + by, end: secret.end + by };
}

/** Loaded when the first text is scanned, because most commands never need them. */
async function loadRules(): Promise<readonly LintRule[]> {
  const preset = await import('@secretlint/secretlint-rule-preset-recommend');
  const rules = preset.rules as unknown as readonly LintRule[];
  return rules.filter((rule) => rule.meta.id !== SWITCH_OFF);
}

function toBatches(texts: readonly Hinted[]): readonly (readonly Hinted[])[] {
  const batches: Hinted[][] = [];
  let room = 0;
  for (const hinted of texts) {
    if (room <= 0) batches.push([]);
    if (room <= 0) room = BATCH_CHARS;
    batches.at(-1)?.push(hinted);
    room -= hinted.text.length;
  }
  return batches;
}

/**
 * Replaces text that would mislead the rules by blanks of the same length, so that positions stay. Our own markers:
 * `postgres://[redacted:url-credentials]@host` looks like a user and a password. The `\n` of an escaped text and
 * colours: no rule finds a token after a letter.
 */
function toPlain(text: string): string {
  return text.replace(ASTRAY, (found) => ' '.repeat(found.length));
}

function replaceAll(batch: readonly Hinted[], found: readonly (readonly FoundSecret[])[]): readonly string[] {
  return batch.map(({ text }, i) => {
    const here = found[i] ?? [];
    if (here.length === 0) return text;
    const spans = here.flatMap((secret) => toSpans(text, secret));
    return replace(text, spans);
  });
}

interface Span {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

function toSpans(text: string, { rule, start, end, values }: FoundSecret): readonly Span[] {
  const spans = [{ rule, start: Math.max(0, start), end: Math.min(text.length, end) }];
  for (const value of values)
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
      spans.push({ rule, start: at, end: at + value.length });
  return spans;
}

/** Spans may overlap; everything that any of them covers is removed. */
function replace(text: string, spans: readonly Span[]): string {
  let clean = '';
  let done = 0;
  for (const { rule, start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) clean += `${text.slice(done, start)}[redacted:${rule}]`;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}

// Runs secretlint's rules over one source, without secretlint's own runner, which sets up every rule again for each
// text and keeps performance marks (120 MB after 8,000 texts).

/** The part of a secretlint rule's contract that we use. */
export interface LintRule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: RuleSource): unknown };
}

interface FoundSecret {
  /** `github`, `aws` … */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  /**
   * The text that the rule took for the secret. Needed besides the range, because some rules return a range of the
   * secret's length that starts at its name and leaves out its end.
   */
  readonly values: readonly string[];
}

interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(messages: object): (messageId: string, data?: object) => Message;
  report(found: { readonly message: Message; readonly range: readonly [number, number] }): void;
  ignore(): void;
}

interface RuleSource {
  readonly content: string;
  /** Without a file, rules for certain file names run on every text, or not at all if they would read the file. */
  readonly filePath: undefined;
  readonly ext: string;
  readonly contentType: 'text';
}

interface Message {
  readonly data?: object | undefined;
}

/** Rejects if a rule fails, because then it is unknown what the text contains. */
export async function findSecrets(rules: readonly LintRule[], content: string): Promise<readonly FoundSecret[]> {
  const found: FoundSecret[] = [];
  const source: RuleSource = { content, filePath: undefined, ext: '', contentType: 'text' };
  for (const rule of rules) {
    const name = toRuleName(rule);
    const context: RuleContext = {
      sharedOptions: {},
      createTranslator: () => (_messageId, data) => ({ data }),
      report: ({ message, range: [start, end] }) => found.push({ rule: name, start, end, values: toTexts(message) }),
      ignore: () => {},
    };
    await rule.create(context, {}).file?.(source);
  }
  return found;
}

/** A cache, because every batch of texts asks for the name of every rule. */
const names = new WeakMap<LintRule, string>();

/** `@secretlint/secretlint-rule-github` is `github`. */
export function toRuleName(rule: LintRule): string {
  const name = names.get(rule) ?? rule.meta.id.replace(/^.*rule-/, '');
  names.set(rule, name);
  return name;
}

function toTexts({ data }: Message): readonly string[] {
  return Object.values(data ?? {}).filter((value) => typeof value === 'string' && value !== '');
}

/**
 * The words, in lower case, of which every finding of a secretlint rule contains at least one: a text without them is
 * not searched by the rule. A rule that is not listed searches everything. A test proves the words against the rules'
 * own patterns, so that a changed rule is noticed.
 */
export const LINT_HINTS: Readonly<Record<string, readonly string[]>> = {
  aws: ['secret', 'akia', 'asia', 'agpa', 'aida', 'aroa', 'aipa', 'anpa', 'anva', 'a3t', 'account'],
  // This rule reads files of certain names, and we have no files.
  gcp: [],
  privatekey: ['private key'],
  npm: ['x-oauth-basic', 'npm_', '_authtoken'],
  basicauth: ['://'],
  slack: ['xox', 'xapp', 'hooks.slack.com'],
  sendgrid: ['sg.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  stripe: ['k_live_', 'k_test_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  openai: ['t3blbkfj'],
  anthropic: ['sk-ant-'],
  groq: ['gsk_'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  '1password': ['ops_ey'],
  'database-connection-string': ['://'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  tailscale: ['tskey-'],
};
