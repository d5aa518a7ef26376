/** Every report in what an agent said, and every block that was to be one. Never throws. */

import { hashText } from '../../../base/ids.ts';
import { ABSENT_PATH } from '../../../base/model/lesson-trust.ts';
import { EVERYWHERE } from '../../lessons/hash-lesson.ts';
import { REPORTED } from '../../lessons/make-lesson.ts';
import { LOST_PATH } from '../../text/edit-text.ts';
import { type Block, findBlocks } from './find-blocks.ts';
import { parseKnowledgeBlock } from './parse-knowledge-block.ts';
import type { MalformedReport, ParsedReport, SelfReport } from './self-report.ts';
import { toPlain } from './to-plain.ts';

const MAX_TAGS = 10;
/** `topic:release`, `tool:gh`. */
const TAG = /^[a-z][a-z-]{0,19}:[\w.+#-]{1,40}$/;
/** `release`. */
const BARE_TAG = /^[a-z][\w.+#-]{0,39}$/;
/** Rules read these topics: they decide which lessons are merged and when calls refute one. An agent's words must not. */
const RULING: ReadonlySet<string> = new Set([...EVERYWHERE, ABSENT_PATH, LOST_PATH, REPORTED]);
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
  const place = { form: block.form, line: block.line, id, ...(shown === undefined ? {} : { shown }) };
  const spoil = (malformed: string): MalformedReport => ({ ...place, malformed });
  if (block.lines.some((line) => CUT.test(line))) return spoil('it stands where a long text was cut');
  const read = block.form === 'lesson' ? readLesson(block) : readKnowledge(block);
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

function readLesson({ lines }: Block): Fields | undefined {
  const read = parseLessonBlock(lines);
  if (read === undefined) return undefined;
  const { tool, trigger, mistake, fix, tags } = read;
  return {
    tools: isPlaceholder(tool) ? [] : [tool],
    trigger: isPlaceholder(trigger) ? '' : trigger,
    paths: [],
    mistake,
    fix,
    tags: toTags(tags),
  };
}

function readKnowledge({ lines }: Block): Fields | { readonly reason: string } {
  const read = parseKnowledgeBlock(lines);
  if ('reason' in read) return read;
  const { tools, trigger, paths, mistake, fix, tags, type, body, narrowing, label, priority } = read;
  return {
    ...{ tools: tools.filter(isSaid), trigger: isPlaceholder(trigger) ? '' : trigger, paths: paths.filter(isSaid) },
    ...{ mistake, fix, tags: toTags(tags, isBareTag), type, body },
    ...(isSaid(label) ? { label } : {}),
    ...(priority === undefined ? {} : { priority }),
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

interface LessonFields {
  readonly tool: string;
  readonly trigger: string;
  readonly mistake: string;
  readonly fix: string;
  readonly tags: string;
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
function parseLessonBlock(lines: readonly string[]): LessonFields | undefined {
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
  return {
    tool: toValue('tool'),
    trigger: toValue('trigger'),
    mistake: toValue('mistake'),
    fix: toValue('fix'),
    tags: toValue('tags'),
  };
}
