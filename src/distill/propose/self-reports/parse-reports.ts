/** Every report in what an agent said, and every block that was to be one. Never throws. */

import { hashText } from '../../../base/ids.ts';
import type { ReportForm } from '../../../base/model/finding.ts';
import { ABSENT_PATH } from '../../../base/model/lesson-trust.ts';
import { dropAbsent } from '../../../base/records.ts';
import { PROGRAM_TOPICS } from '../../lessons/hash-lesson.ts';
import { REPORTED } from '../../lessons/make-lesson.ts';
import { LOST_PATH } from '../../text/edit-text.ts';
import { parseKnowledgeBlock } from './parse-knowledge-block.ts';
import type { MalformedReport, ParsedReport, SelfReport, Shown } from './self-report.ts';
import { toPlain } from './to-plain.ts';

const MAX_TAGS = 10;
/** `topic:release`, `tool:gh`. */
const TAG = /^[a-z][a-z-]{0,19}:[\w.+#-]{1,40}$/;
/** `release`. */
const BARE_TAG = /^[a-z][\w.+#-]{0,39}$/;
/** Rules read these topics: they decide which lessons are merged and when calls refute one. An agent's words must not. */
const RULING: ReadonlySet<string> = new Set([...PROGRAM_TOPICS, ABSENT_PATH, LOST_PATH, REPORTED]);
/** The place where a long text was cut. */
const CUT = /\[…\d+ [0-9a-f]{16}\]/;

export function parseReports(text: string): readonly ParsedReport[] {
  return findBlocks(text).flatMap((block) => {
    const report = parseBlock(block);
    return report === undefined ? [] : [report];
  });
}

function parseBlock(block: Block): ParsedReport | undefined {
  const id = hashText(`${block.form}\n${block.lines.map((line) => line.trim()).join('\n')}`);
  const { shown } = block;
  const place = { form: block.form, line: block.line, id, ...dropAbsent({ shown }) };
  const spoil = (malformed: string): MalformedReport => ({ ...place, malformed });
  if (block.lines.some((line) => CUT.test(line))) return spoil('it stands where a long text was cut');
  const read = block.form === 'lesson' ? parseLessonBlock(block.lines) : readKnowledge(block);
  // Shown in the middle of an explanation, often without a single key.
  if (read === undefined) return block.lines.every(isPlaceholder) ? undefined : spoil('it has none of the keys');
  if ('reason' in read) return isShown(block) ? undefined : spoil(read.reason);
  const { mistake, fix } = read;
  if (mistake === '' && fix === '') return spoil('it says neither what went wrong nor what helped');
  if (isPlaceholder(mistake) || isPlaceholder(fix)) return mistake !== '' && fix !== '' ? undefined : toHalf(read);
  return { ...place, ...read };

  /** One of the two is enough, if it says something. */
  function toHalf(half: Fields): ParsedReport | undefined {
    const said = half.mistake || half.fix;
    if (isPlaceholder(said)) return undefined;
    return block.isClosed ? { ...place, ...half } : spoil('it has no end, and says only half');
  }
}

type Fields = Omit<SelfReport, 'form' | 'line' | 'id' | 'shown'>;

function readKnowledge({ lines }: Block): Fields | { readonly reason: string } {
  const read = parseKnowledgeBlock(lines);
  if ('reason' in read) return read;
  const { tools, trigger, paths, mistake, fix, tags, type, body, narrowing, label, priority } = read;
  return {
    tools: tools.filter(isSaid),
    trigger: isPlaceholder(trigger) ? '' : trigger,
    paths: paths.filter(isSaid),
    mistake,
    fix,
    tags: toTags(tags, isBareTag),
    type,
    body,
    ...dropAbsent({ priority, label: isSaid(label) ? label : undefined }),
    ...(Object.keys(narrowing).length === 0 ? {} : { narrowing }),
  };
}

function isSaid(text: string): boolean {
  return !isPlaceholder(text);
}

/** `items: [ … ]` of an example is no YAML that means anything, and nobody's mistake. */
function isShown({ lines }: Block): boolean {
  return lines.some((line) => /(?::|^\s*-)\s*(?:\[\s*)?(?:…|\.\.\.|<[^<>]+>)(?:\s*\])?\s*$/.test(line));
}

function isBareTag(item: string): boolean {
  return BARE_TAG.test(item) && isSaid(item);
}

/** `isWhole` says which items between commas are tags although they have no colon. */
function toTags(text: string, isWhole: (item: string) => boolean = () => false): readonly string[] {
  const items = text.toLowerCase().split(/[,;[\]"']+/);
  const tags = items.flatMap((item) =>
    isWhole(item.trim()) ? [item.trim()] : item.split(/\s+/).filter((word) => TAG.test(word)),
  );
  return [...new Set(tags.filter((tag) => !RULING.has(tag)))].slice(0, MAX_TAGS);
}

const ONLY_SIGNS = /^[\s.…_*"'`?-]*$/;
/** `<what went wrong>`, `{fix}`, `[the correction]`, `$FIX`, `XXX`. */
const MARKED = /^(?:<[^<>]*>|\{+[^{}]*\}+|\[[^[\]]*\]|\$\{?\w+\}?|x{3,}|tbd|todo|n\/a|none|foo|bar|string|text)\.?$/i;
const ENDS_OPEN = /^(?:[\w -]{0,24})(?:\.\.\.|…)$/;
/** The words in which the protocol, and those who tell of it, explain the keys. */
const EXPLAINED =
  /^(?:the |a |an |your |short |one[- ]line |describe |explain )*(?:what (?:you )?(?:went wrong|did wrong|was wrong|happened)|why it (?:failed|happened)|mistake|error|problem|correction|fix|solution|remedy|description|command|what (?:fixed|resolved|solved|worked|to do)(?: it| instead)?|how (?:to|you) (?:fix|fixed|avoid|resolve)d?(?: it)?)(?: (?:here|and (?:why|how)|that (?:resolved|fixed|solved|works|worked)|to use|instead|it|for it|in one (?:line|sentence)))*\.?$/i;

/** Whether a value only shows what should stand there: the protocol itself, or an example of it in documentation. */
function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return ONLY_SIGNS.test(text) || MARKED.test(text) || ENDS_OPEN.test(text) || EXPLAINED.test(text);
}

const KEYS = ['tool', 'trigger', 'mistake', 'fix', 'tags'] as const;
type Key = (typeof KEYS)[number];

/** A list's sign or emphasis may stand before a key, and emphasis around it. */
const KEYED = /^\s*(?:[-*+]\s+)?(?:\*\*|__|`)?([A-Za-z][A-Za-z_]{0,30})(?:\*\*|__|`)?\s*:(?:\*\*|__)?(?:\s+(.*))?$/;
/** YAML's sign for a value on the lines below. */
const BELOW = /^[|>][+-]?$/;

/**
 * `#lesson … #/lesson`: a key to a line; what follows without a key belongs to the value before. Undefined when no
 * key of ours stands in it.
 */
function parseLessonBlock(lines: readonly string[]): Fields | undefined {
  const values = new Map<Key, string[]>();
  let current: string[] | undefined;
  for (const line of lines) {
    const [, name = '', first = ''] = KEYED.exec(line) ?? [];
    const key = KEYS.find((one) => one === name.toLowerCase());
    // Somebody else's key. `Error: …` in the middle of a value is none.
    const isOther = key === undefined && name !== '' && name === name.toLowerCase();
    if (key === undefined && !isOther) current?.push(line.trim());
    else {
      current = BELOW.test(first.trim()) ? [] : [first];
      // Said twice, the first counts.
      if (key !== undefined && !values.has(key)) values.set(key, current);
    }
  }
  if (values.size === 0) return undefined;
  const toValue = (key: Key): string => toPlain((values.get(key) ?? []).join('\n'));
  const isShownOnly = (key: Key): boolean => isPlaceholder(toValue(key));
  return {
    tools: isShownOnly('tool') ? [] : [toValue('tool')],
    trigger: isShownOnly('trigger') ? '' : toValue('trigger'),
    paths: [],
    mistake: toValue('mistake'),
    fix: toValue('fix'),
    tags: toTags(toValue('tags')),
  };
}

interface Block {
  readonly form: ReportForm;
  /** 1-based, of the opening marker. */
  readonly line: number;
  /** Without the dress of quotations; indentation is kept. */
  readonly lines: readonly string[];
  readonly isClosed: boolean;
  readonly shown?: Shown | undefined;
}

const MAX_TEXT_CHARS = 64 * 1024;
const MAX_BLOCKS = 20;
const MAX_BLOCK_LINES = 120;
const MAX_LINE_CHARS = 2_000;

/** What may stand before a marker: a list's sign, a fence, emphasis. */
const DRESS = String.raw`^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\x60{1,3}|\*\*)?\s*`;
const OPENINGS: readonly (readonly [ReportForm, RegExp])[] = [
  ['lesson', new RegExp(String.raw`${DRESS}#lesson(?:\*\*|\x60{1,3}|:)?(?:\s+(?=[a-z]+\s*:)(.*))?\s*$`, 'i')],
  ['process-knowledge', new RegExp(String.raw`${DRESS}\[process[_ -]knowledge\](?:\*\*|\x60{1,3}|:)?\s*$`, 'i')],
];
const ENDINGS: Readonly<Record<ReportForm, RegExp>> = {
  lesson: /^(.*?)\s*(?:\*\*|`{1,3})?#(?:\/|end[-_ ]?)lesson\b/i,
  'process-knowledge': /^(.*?)\s*(?:\*\*|`{1,3})?\[(?:\/|end[-_ ]?)process[_ -]knowledge\]/i,
};
const QUOTE = /^(?:\s{0,3}>\s?)+/;
const FENCE = /^\s*(?:`{3,}|~{3,})\w*\s*$/;

/**
 * The blocks of a text, however they are dressed: any case, quoted, in a list, in a fence, with CRLF, without an end.
 * Both markers stand at the start of a line: words in a sentence are no block.
 */
function findBlocks(text: string): readonly Block[] {
  const written = text
    .slice(0, MAX_TEXT_CHARS)
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
  const lines = written.map((line) => line.replace(QUOTE, ''));
  const found: Block[] = [];
  for (let at = 0; at < lines.length && found.length < MAX_BLOCKS; ) {
    const opening = findOpening(lines[at] ?? '');
    if (opening === undefined) at++;
    else {
      const block = readBlock(lines, at, opening);
      found.push({ ...block, shown: findShown(written, at) });
      at += Math.max(1, block.size);
    }
  }
  return found;
}

interface Opening {
  readonly form: ReportForm;
  /** What stands on the marker's own line. */
  readonly rest: string;
}

function findOpening(line: string): Opening | undefined {
  for (const [form, pattern] of OPENINGS) {
    const match = pattern.exec(line);
    if (match !== null) return { form, rest: match[1] ?? '' };
  }
  return undefined;
}

function readBlock(lines: readonly string[], from: number, { form, rest }: Opening): Block & { readonly size: number } {
  const body: string[] = [];
  const isFenced = FENCE.test(lines[from - 1] ?? '');
  const inner = [rest, ...lines.slice(from + 1, from + 1 + MAX_BLOCK_LINES)];
  const end = (isClosed: boolean, size: number) => ({ form, line: from + 1, lines: body, isClosed, size });
  for (const [n, line] of inner.entries()) {
    const last = ENDINGS[form].exec(line);
    if (last !== null) {
      if (last[1]?.trim()) body.push(last[1]);
      return end(true, n + 1);
    }
    // Without an end: up to what cannot be part of it any more.
    if (n > 0 && findOpening(line) !== undefined) return end(false, n);
    const isOver = FENCE.test(line) ? isFenced : form === 'lesson' && line.trim() === '' && body.length > 0;
    if (isOver && !isClosedLater(inner, n, form)) return end(false, n);
    if (!FENCE.test(line) && !(n === 0 && line === '')) body.push(line);
  }
  return end(false, inner.length);
}

function isClosedLater(inner: readonly string[], from: number, form: ReportForm): boolean {
  for (const line of inner.slice(from)) {
    if (findOpening(line) !== undefined) return false;
    if (ENDINGS[form].test(line)) return true;
  }
  return false;
}

const QUOTED = /^\s{0,3}>/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
const FENCE_SIGN = /^\s*(?:>\s?)*(`{3,}|~{3,})/;
/** `from`: the block's first line. */
function findShown(lines: readonly string[], from: number): Shown | undefined {
  const first = lines[from] ?? '';
  if (QUOTED.test(first)) return 'quoted';
  if (isInFence(lines, from)) return 'fenced';
  // A list indents too, but a block of code has an empty line before it.
  return INDENTED.test(first) && (lines[from - 1] ?? '').trim() === '' ? 'quoted' : undefined;
}

function isInFence(lines: readonly string[], at: number): boolean {
  let open: string | undefined;
  for (const line of lines.slice(0, at)) {
    const [, fence] = FENCE_SIGN.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  // The marker may stand on the fence's own line.
  return open !== undefined || FENCE_SIGN.test(lines[at] ?? '');
}

/** Every block of a report has it. */
export const REPORT_MARKER = /#\/?lesson\b|\[\/?process[_ -]knowledge\]/i;
