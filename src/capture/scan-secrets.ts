/**
 * Secretlint's rules over texts that our own rules have been through: they know forms that we do not, and are kept by
 * people who follow the providers. A rule gets the texts that hold one of its words, many of them as one source.
 */
import { type HintSearch, makeHintSearch } from '../base/make-hint-search.ts';
import { type FoundSecret, findSecrets, type LintRule, toRuleName } from './find-secrets.ts';
import { LINT_HINTS } from './lint-hints.ts';

/** Gives the texts back in their order, without secrets. Never rejects. */
export type SecretScan = (texts: readonly string[]) => Promise<readonly string[]>;

export interface SecretScanParts {
  readonly log: (line: string) => void;
  readonly load?: () => Promise<readonly LintRule[]>;
}

export const UNSCANNED = '[redacted:unscanned]';

/** No rule's pattern gets across it, and no text holds a NUL. */
const BETWEEN = '\n\0\n';
const BATCH_CHARS = 256 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const ASTRAY = /\[redacted:[a-z0-9-]{1,40}\]|\\[nrt]|\x1b\[[0-9;]{0,12}m/g;
/** This rule finds nothing: it lets the text itself say `secretlint-disable`. */
const SWITCH_OFF = '@secretlint/secretlint-rule-filter-comments';

export function makeSecretScan({ log, load = loadRules }: SecretScanParts): SecretScan {
  const search = makeHintSearch({ exact: [], anyCase: Object.values(LINT_HINTS).flat() });
  let rules: Promise<readonly LintRule[]> | undefined;
  const scanBatch = async (texts: readonly string[]): Promise<readonly string[]> => {
    try {
      rules ??= load();
      return replaceAll(texts, await findIn(texts, await rules, search));
    } catch (error) {
      if (texts.length > 1) return (await Promise.all(texts.map((text) => scanBatch([text])))).flat();
      // Not the error's message: it may quote the text.
      log(`secrets: a text could not be scanned and is not kept (${error instanceof Error ? error.name : 'error'})`);
      return [UNSCANNED];
    }
  };
  return async (texts) => {
    const clean: string[] = [];
    for (const batch of toBatches(texts)) clean.push(...(await scanBatch(batch)));
    return clean;
  };
}

/** What the rules find in each of the texts. Rules that have the same texts to look at share one source. */
async function findIn(
  texts: readonly string[],
  rules: readonly LintRule[],
  search: HintSearch,
): Promise<readonly (readonly FoundSecret[])[]> {
  const hints = texts.map((text) => search(text));
  const found: FoundSecret[][] = texts.map(() => []);
  const byTexts = Map.groupBy(rules, (rule) => {
    const words = LINT_HINTS[toRuleName(rule)];
    return hints.flatMap((held, i) => ((words?.some((word) => held.has(word)) ?? true) ? [i] : [])).join();
  });
  for (const [key, group] of byTexts) {
    const chosen = key === '' ? [] : key.split(',').map(Number);
    if (chosen.length === 0) continue;
    const source = chosen.map((i) => toPlain(texts[i] ?? '')).join(BETWEEN);
    let offset = 0;
    const secrets = await findSecrets(group, source);
    for (const i of chosen) {
      const end = offset + (texts[i]?.length ?? 0);
      for (const secret of secrets)
        if (secret.start < end && secret.end > offset)
          found[i]?.push({ ...secret, start: secret.start - offset, end: secret.end - offset });
      offset = end + BETWEEN.length;
    }
  }
  return found;
}

/** Only when a text is to be scanned: most commands never need them. */
async function loadRules(): Promise<readonly LintRule[]> {
  const preset = await import('@secretlint/secretlint-rule-preset-recommend');
  const rules = preset.rules as unknown as readonly LintRule[];
  return rules.filter((rule) => rule.meta.id !== SWITCH_OFF);
}

function toBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (room <= 0) batches.push([]);
    if (room <= 0) room = BATCH_CHARS;
    batches.at(-1)?.push(text);
    room -= text.length;
  }
  return batches;
}

/**
 * What would lead the rules astray, as blanks of the same length, so that positions stay. Our own markers:
 * `postgres://[redacted:url-credentials]@host` looks like a user and a password. And `\n` of an escaped text or a
 * colour: no rule finds a token behind a letter.
 */
function toPlain(text: string): string {
  return text.replace(ASTRAY, (found) => ' '.repeat(found.length));
}

function replaceAll(texts: readonly string[], found: readonly (readonly FoundSecret[])[]): readonly string[] {
  return texts.map((text, i) => {
    const here = found[i] ?? [];
    return here.length === 0
      ? text
      : replace(
          text,
          here.flatMap((secret) => toSpans(text, secret)),
        );
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

/** Spans may overlap: what any of them covers goes. */
function replace(text: string, spans: readonly Span[]): string {
  let clean = '';
  let done = 0;
  for (const { rule, start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) clean += `${text.slice(done, start)}[redacted:${rule}]`;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}
