/**
 * Matches lessons to a call and ranks them by score, best first. HOT: only lessons that the index leads to are checked.
 * When time runs out, only lessons that refuse the call and were found in time are returned.
 */

import { type Level, toLevel } from '../base/model/lesson.ts';
import { BLOCK_KEY, type CompiledLesson, type ManifestHeader } from '../base/model/manifest.ts';
import { findPlaceSilence, isTooWeak, type Weight } from '../base/model/may-fire.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import { findKeywordHints, type KeywordHints } from '../base/triggers/check-conversation.ts';
import { checkTriggers } from '../base/triggers/check-triggers.ts';
import { withRegexDeadline } from '../base/triggers/regex.ts';
import { hasTarget } from '../base/triggers/trigger.ts';
import { findCandidates } from './find-candidates.ts';
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
  readonly beside: readonly string[];
}

/** Is the time for an answer over? */
type IsLate = () => boolean;

/** Checking the clock takes a tenth of the time of checking a lesson. */
const ASKS_EVERY = 8;
const NEVER: IsLate = () => false;

/**
 * Returns all matches. If time runs out, returns only blocking lessons that were found in time: a partial answer could
 * leave out the most important lesson, but no block is lost because of another lesson.
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

/** CRITICAL first, unconfirmed lessons last; then score, then slug, so that the order is deterministic. */
export function byRank(a: Match, b: Match): number {
  return toClass(b) - toClass(a) || b.score.total - a.score.total || (a.lesson.slug < b.lesson.slug ? -1 : 1);
}

function toClass({ lesson, score }: Match): number {
  return lesson.isClaim ? -1 : Number(score.level === 'CRITICAL');
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
