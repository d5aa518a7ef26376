/**
 * Matches lessons to a call and ranks them by score, best first. HOT: only lessons that the index leads to are checked.
 */

import { type Level, toLevel } from '../base/model/lesson.ts';
import {
  BLOCK_KEY,
  type CompiledLesson,
  type IndexBranch,
  type IndexEntry,
  type IndexNode,
  MAX_INDEX_CHARS,
  type ManifestHeader,
  type TextDimension,
  toBounded,
} from '../base/model/manifest.ts';
import { findPlaceSilence, isTooWeak, type Weight } from '../base/model/may-fire.ts';
import { compareTexts } from '../base/records.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import { findKeywordHints, type KeywordHints } from '../base/triggers/check-conversation.ts';
import { checkTriggers } from '../base/triggers/check-triggers.ts';
import { withRegexDeadline } from '../base/triggers/regex.ts';
import { hasTarget } from '../base/triggers/trigger.ts';
import { type Manifest, resolveProjectId } from './manifest.ts';

export interface Match {
  readonly lesson: CompiledLesson;
  readonly score: Score;
  /** Set for lessons that are delivered as one text, the same object for all of them; they are adjacent. */
  readonly together?: LessonGroupText;
}

export interface LessonGroupText {
  /** The text before the lessons. */
  readonly head: string;
  /** Lines after the lessons, as far as there is room. */
  readonly alsoKnown: readonly string[];
}

/** Is the time for an answer over? */
type IsLate = () => boolean;

/** Checking the clock takes a tenth of the time of checking a lesson. */
const ASKS_EVERY = 8;
const NEVER: IsLate = () => false;

/**
 * If time runs out, returns only the blocking lessons found so far: a partial answer could leave out the most important
 * lesson, but no block is lost because of another lesson.
 */
export function matchLessons(manifest: Manifest, call: CallView, isLate: IsLate = NEVER): readonly Match[] {
  // Parsing the call before may have taken all the time.
  if (isLate()) return [];
  const { header } = manifest;
  const here = resolveCallProject(header, call);
  const matches: Match[] = [];
  const refusing: Match[] = [];
  return withRegexDeadline(isLate, () => {
    let looked = 0;
    for (const n of orderCandidates(header, here)) {
      if (looked++ % ASKS_EVERY === 0 && isLate()) return refusing.sort(byRank);
      const match = findMatch(manifest.get(n), here, header);
      if (match === undefined) continue;
      matches.push(match);
      // Checked after the lesson's regexes, because one that ran out of time may have been an exception that holds.
      if (match.lesson.mode === 'block' && !isLate()) refusing.push(match);
    }
    return (isLate() ? refusing : matches).sort(byRank);
  });
}

/** Blocking lessons first, because others may use up the time. */
function orderCandidates({ index, keys }: ManifestHeader, here: CallView): Iterable<number> {
  const found = findCandidates(index, here);
  const refusing = keys[BLOCK_KEY]?.filter((n) => found.has(n)) ?? [];
  return refusing.length === 0 ? found : new Set([...refusing, ...found]);
}

function findMatch(lesson: CompiledLesson | undefined, here: CallView, header: ManifestHeader): Match | undefined {
  if (lesson === undefined || findPlaceSilence(lesson, here) !== undefined) return undefined;
  // All parts of the trigger hold for the call (`base/triggers/check-triggers.ts`).
  if (!checkTriggers(lesson.triggers, lesson, here).holds) return undefined;
  const score = toScore(lesson, here, header);
  return isTooWeak(score, header.settings) ? undefined : { lesson, score };
}

/** The score of a lesson on a call that its triggers match. */
export function toScore(lesson: CompiledLesson, call: CallView, { stacks }: ManifestHeader): Score {
  return scoreLesson(lesson, stacks?.[call.projectId], findKeywordHints(lesson.triggers, call, lesson.forms));
}

/** The call with the project id that lessons use. */
export function resolveCallProject(header: ManifestHeader, call: CallView): CallView {
  const projectId = resolveProjectId(header, call.projectId);
  return projectId === call.projectId ? call : { ...call, projectId };
}

/**
 * CRITICAL lessons first, then lessons that calls have taught, then those that a model proposed; unconfirmed lessons last.
 * Among equals the higher score, then the slug, so that the order is always the same.
 */
export function byRank(a: Match, b: Match): number {
  return toClass(b) - toClass(a) || b.score.total - a.score.total || compareTexts(a.lesson.slug, b.lesson.slug);
}

function toClass({ lesson, score }: Match): number {
  if (lesson.isQuotation) return -2;
  return lesson.isProposed ? -1 : Number(score.level === 'CRITICAL');
}

/**
 * The score of a lesson on a call: tool 0.4 + target 0.4 + action keywords 0.1 + context keywords 0.1, half for a part
 * that the lesson does not restrict, times its priority factor, times its measured factor.
 */
const PRIORITY_FACTORS: Readonly<Record<Level, number>> = { CRITICAL: 2, HIGH: 1.5, MEDIUM: 1, LOW: 0.5 };

const HIGHEST_PRIORITY = 10;

export interface Score extends Weight {
  readonly parts: {
    readonly tool: number;
    readonly target: number;
    readonly action: number;
    readonly context: number;
    readonly priority: number;
    readonly measured: number;
  };
}

type Scored = Pick<CompiledLesson, 'triggers' | 'priority' | 'langs' | 'measured'>;

/** Keywords that are conditions are present if the triggers hold. */
const ALL_MENTIONED: KeywordHints = { action: true, context: true };

/** `stack`: the languages of the call's project. `hints`: which hint keywords the conversation contains. */
export function scoreLesson(lesson: Scored, stack: readonly string[] = [], hints: KeywordHints = ALL_MENTIONED): Score {
  const { tools, actionKeywords, contextKeywords } = lesson.triggers;
  const tool = half(0.4, tools !== undefined);
  const target = half(0.4, hasTarget(lesson.triggers));
  const action = half(0.1, hints.action && actionKeywords !== undefined);
  const context = half(0.1, hints.context && contextKeywords !== undefined);
  const level = toLevel(toPriorityIn(lesson, stack));
  const priority = PRIORITY_FACTORS[level];
  const measured = lesson.measured ?? 1;
  const total = Math.round((tool + target + action + context) * priority * measured * 1000) / 1000;
  return { total, level, parts: { tool, target, action, context, priority, measured } };
}

/** A lesson about a language weighs more in projects in that language. */
function toPriorityIn({ priority, langs }: Pick<Scored, 'priority' | 'langs'>, stack: readonly string[]): number {
  return langs?.some((lang) => stack.includes(lang)) ? Math.min(HIGHEST_PRIORITY, priority + 1) : priority;
}

/** Half the weight for a part that the lesson does not restrict. */
function half(weight: number, isRestricted: boolean): number {
  return isRestricted ? weight : weight / 2;
}

interface Walk {
  readonly call: CallView;
  readonly found: Set<number>;
  readonly taken: Set<IndexEntry>;
  /** The program branches of the scopes that the call belongs to. */
  readonly programs: IndexBranch[];
  /** The texts of the call, made for the first entry that needs them. */
  readonly texts: Partial<Record<TextDimension, Searched>>;
}

/**
 * Finds the numbers of the lessons that may fire on a call: walks down the index (`base/model/manifest.ts`) along the
 * tool, commands, files and texts of the call. An entry is taken once, however often a long command leads to it.
 */
export function findCandidates(index: IndexNode, call: CallView): ReadonlySet<number> {
  const walk: Walk = { call, found: new Set(), taken: new Set(), programs: [], texts: {} };
  enter(walk, take(walk, index));
  enter(walk, follow(walk, index.project, call.projectId));
  enter(walk, follow(walk, index.session, call.sessionId));
  if (walk.programs.length > 0) for (const command of call.commands) takeCommand(walk, command);
  return walk.found;
}

/** Walks on from a scope (everyone, the project, the session) by the tool and the file of the call. */
function enter(walk: Walk, scope: IndexNode | undefined): void {
  if (scope === undefined) return;
  follow(walk, scope.tool, walk.call.tool);
  if (scope.program !== undefined) walk.programs.push(scope.program);
  if (walk.call.path !== undefined) takeFile(walk, scope, toBounded(walk.call.path));
}

function takeCommand(walk: Walk, command: SimpleCommand): void {
  let positionals: readonly string[] | undefined;
  for (const programs of walk.programs) {
    let node = follow(walk, programs, command.program);
    for (let depth = 0; node !== undefined; depth++) {
      takeWords(walk, node, command);
      if (node.sub !== undefined) positionals ??= toPositionals(command);
      node = follow(walk, node.sub, positionals?.[depth]);
    }
  }
}

function takeWords(walk: Walk, { option, word }: IndexNode, { args }: SimpleCommand): void {
  if (option === undefined && word === undefined) return;
  for (const { value } of args) {
    if (!isOption(value)) follow(walk, word, value);
    else if (option !== undefined) takeOption(walk, option, value);
  }
}

/** `--stat=40` is `--stat` too. */
function takeOption(walk: Walk, options: IndexBranch, value: string): void {
  follow(walk, options, value);
  for (let at = value.indexOf('='); at > 0 && at <= MAX_INDEX_CHARS; at = value.indexOf('=', at + 1)) {
    follow(walk, options, value.slice(0, at));
  }
}

function takeFile(walk: Walk, { name, folder, ext }: IndexNode, path: string): void {
  if (name === undefined && folder === undefined && ext === undefined) return;
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const extension = file.includes('.') ? file.slice(file.lastIndexOf('.') + 1) : undefined;
  follow(walk, name, file);
  follow(walk, ext, extension);
  for (const one of folders) follow(walk, follow(walk, folder, one)?.ext, extension);
}

/** Takes the entry that a word of the call leads to. Only own keys count, because a word may be `constructor`. */
function follow(walk: Walk, branch: IndexBranch | undefined, word: string | undefined): IndexNode | undefined {
  if (branch === undefined || word === undefined || !Object.hasOwn(branch, word)) return undefined;
  return take(walk, branch[word]);
}

/** Collects the lessons of an entry and of the texts below it that the call has. Returns the node to walk on from. */
function take(walk: Walk, entry: IndexEntry | undefined): IndexNode | undefined {
  if (entry === undefined) return undefined;
  const node: IndexNode = isNumbers(entry) ? { here: entry } : entry;
  if (!walk.taken.has(entry)) {
    walk.taken.add(entry);
    for (const n of node.here ?? []) walk.found.add(n);
    takeTexts(walk, node.shell, 'shell');
    takeTexts(walk, node.content, 'content');
    takeTexts(walk, node.input, 'input');
  }
  return node;
}

function isNumbers(entry: IndexEntry): entry is readonly number[] {
  return Array.isArray(entry);
}

function takeTexts(walk: Walk, branch: IndexBranch | undefined, by: TextDimension): void {
  if (branch === undefined) return;
  walk.texts[by] ??= toSearched(toText(by, walk.call));
  const { text, pairs } = walk.texts[by];
  for (const part of listTexts(branch))
    if ((part.pairs & ~pairs) === 0 && text.includes(part.text)) take(walk, branch[part.text]);
}

/** A text with the pairs of its characters, as bits: a text lacks any other that has more of them. */
interface Searched {
  readonly text: string;
  readonly pairs: number;
}

/** A longer text has nearly all pairs. */
const MAX_PAIRED_CHARS = 256;

function toSearched(text: string): Searched {
  let pairs = text.length > MAX_PAIRED_CHARS ? ~0 : 0;
  for (let i = 1; i < text.length && pairs !== ~0; i++) pairs |= 1 << (text.charCodeAt(i - 1) * 7 + text.charCodeAt(i));
  return { text, pairs };
}

const textsOf = new WeakMap<IndexBranch, readonly Searched[]>();

/** Cached for all calls of a daemon, because with 100,000 lessons listing takes half as long as the search itself. */
function listTexts(branch: IndexBranch): readonly Searched[] {
  const texts = textsOf.get(branch) ?? Object.keys(branch).map(toSearched);
  textsOf.set(branch, texts);
  return texts;
}

/** More commands than this are all appended to the line, because searching the line for each would take too long. */
const FEW_COMMANDS = 8;

/**
 * For the shell: the line, and the commands that do not appear in it literally. A text across the border of two
 * commands may be found by mistake; the lesson's regular expression then rejects it.
 */
function toText(by: TextDimension, { commands, line = '', content = '', json = '' }: CallView): string {
  if (by !== 'shell') return toBounded(by === 'content' ? content : json);
  const whole = toBounded(line);
  const isLong = commands.length > FEW_COMMANDS;
  const missing = commands.filter(({ text }) => isLong || !whole.includes(text));
  return [whole, ...missing.map(({ text }) => toBounded(text))].join('\n');
}
