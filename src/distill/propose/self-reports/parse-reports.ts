/** Every report in what an agent said, and every block that was to be one. Never throws. */
import { hashText } from '../../../base/ids.ts';
import { ABSENT_PATH } from '../../../base/model/lesson-trust.ts';
import { EVERYWHERE } from '../../lessons/hash-lesson.ts';
import { REPORTED } from '../../lessons/make-lesson.ts';
import { LOST_PATH } from '../../text/to-lesson-text.ts';
import { GUESSED_PATH } from '../paths/guessed-path.ts';
import { type Block, findBlocks } from './find-blocks.ts';
import { isPlaceholder } from './is-placeholder.ts';
import { parseKnowledgeBlock } from './parse-knowledge-block.ts';
import { parseLessonBlock } from './parse-lesson-block.ts';
import type { MalformedReport, ParsedReport, SelfReport } from './self-report.ts';

const MAX_TAGS = 10;
/** `topic:release`, `tool:gh`. */
const TAG = /^[a-z][a-z-]{0,19}:[\w.+#-]{1,40}$/;
/** `release`. */
const BARE_TAG = /^[a-z][\w.+#-]{0,39}$/;
/** Rules read these topics: they decide which lessons are merged and when calls refute one. An agent's words must not. */
const RULING: ReadonlySet<string> = new Set([...EVERYWHERE, ABSENT_PATH, GUESSED_PATH, LOST_PATH, REPORTED]);
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
