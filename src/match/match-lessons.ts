/** The lessons that may speak about a call, best first. HOT: only what the index leads to is looked at. */
import { BLOCK_KEY, type CompiledLesson, type ManifestHeader } from '../base/manifest.ts';
import { findSaid } from './check-talk.ts';
import { checkTriggers } from './check-triggers.ts';
import { findCandidates } from './find-candidates.ts';
import type { MatchCall } from './match-call.ts';
import type { Manifest } from './open-manifest.ts';
import { type Score, scoreLesson } from './score-lesson.ts';
import { withRegexDeadline } from './test-regex.ts';

export interface Match {
  readonly lesson: CompiledLesson;
  readonly score: Score;
  /** Set for lessons that are told as one, the same for all of them; they stand side by side. */
  readonly together?: Together;
}

export interface Together {
  /** Said before them. */
  readonly head: string;
  /** A line each, said after them as far as there is room. */
  readonly beside: readonly string[];
}

/** A lesson that stays silent, and why. */
export interface Miss {
  readonly lesson: CompiledLesson;
  readonly score: Score;
  readonly because: string;
}

export type Judgement = Match | Miss;

/** Whether the time for an answer is over. */
export type IsLate = () => boolean;

/** Asking costs a tenth of a look at one lesson. */
const ASKS_EVERY = 8;
const NEVER: IsLate = () => false;

/**
 * When it gets late, only what refuses the call and was found in time: half an answer could leave out the lesson that
 * matters most, but no refusal is lost because of another lesson.
 */
export function matchLessons(manifest: Manifest, call: MatchCall, isLate: IsLate = NEVER): readonly Match[] {
  // The call was parsed before: that takes its time too.
  if (isLate()) return [];
  const { header } = manifest;
  const here = toCallHere(header, call);
  const matches: Match[] = [];
  const refusing: Match[] = [];
  return withRegexDeadline(isLate, () => {
    let looked = 0;
    for (const n of orderCandidates(header, here)) {
      if (looked++ % ASKS_EVERY === 0 && isLate()) return refusing.sort(byRank);
      const match = findMatch(manifest.get(n), here, header);
      if (match === undefined) continue;
      matches.push(match);
      // Asked behind its regexes: one that was too late to run may be an exception that holds.
      if (match.lesson.mode === 'block' && !isLate()) refusing.push(match);
    }
    return (isLate() ? refusing : matches).sort(byRank);
  });
}

/** Those that refuse first: others may take all the time there is. */
function orderCandidates({ index, keys }: ManifestHeader, here: MatchCall): Iterable<number> {
  const found = findCandidates(index, here);
  const refusing = keys[BLOCK_KEY]?.filter((n) => found.has(n)) ?? [];
  return refusing.length === 0 ? found : new Set([...refusing, ...found]);
}

function findMatch(lesson: CompiledLesson | undefined, here: MatchCall, header: ManifestHeader): Match | undefined {
  if (lesson === undefined || findScopeObstacle(lesson, here) !== undefined) return undefined;
  if (!checkTriggers(lesson.triggers, lesson, here).holds) return undefined;
  const score = toScore(lesson, here, header);
  return findWeakness(score, header) === undefined ? { lesson, score } : undefined;
}

function toScore(lesson: CompiledLesson, call: MatchCall, { stacks }: ManifestHeader): Score {
  return scoreLesson(lesson, stacks?.[call.projectId], findSaid(lesson.triggers, call, lesson.forms));
}

/** As the lessons name its project. */
export function toCallHere({ aliases }: ManifestHeader, call: MatchCall): MatchCall {
  const joined = aliases !== undefined && Object.hasOwn(aliases, call.projectId) ? aliases[call.projectId] : undefined;
  return joined === undefined ? call : { ...call, projectId: joined };
}

export function judgeLesson(lesson: CompiledLesson, call: MatchCall, header: ManifestHeader): Judgement {
  const score = toScore(lesson, call, header);
  const because = findObstacle(lesson, call) ?? findWeakness(score, header);
  return because === undefined ? { lesson, score } : { lesson, score, because };
}

export function isMiss(judged: Judgement): judged is Miss {
  return 'because' in judged;
}

function findObstacle(lesson: CompiledLesson, call: MatchCall): string | undefined {
  const scope = findScopeObstacle(lesson, call);
  if (scope !== undefined) return scope;
  const verdict = checkTriggers(lesson.triggers, lesson, call);
  return verdict.holds ? undefined : verdict.because;
}

/** A nearer lesson, or a file that agents read at every session: hooks need not know which. */
export const SPOKEN_FOR = 'a nearer one, or an instruction file, speaks for it';

function findScopeObstacle({ projectId, sessionId, notIn }: CompiledLesson, call: MatchCall): string | undefined {
  if (projectId !== undefined && projectId !== call.projectId) return 'belongs to another project';
  if (sessionId !== undefined && sessionId !== call.sessionId) return 'belongs to another session';
  if (notIn?.some((id) => id === call.projectId || id === call.sessionId)) return SPOKEN_FOR;
  return undefined;
}

/** A CRITICAL lesson whose gates hold always passes. */
function findWeakness({ parts, total }: Score, { settings: { minScore } }: ManifestHeader): string | undefined {
  return parts.priority < 2 && total < minScore ? `scores ${total}, under ${minScore}` : undefined;
}

/** CRITICAL first, claims last; then score, then slug: identical input gives an identical order. */
export function byRank(a: Match, b: Match): number {
  return toClass(b) - toClass(a) || b.score.total - a.score.total || (a.lesson.slug < b.lesson.slug ? -1 : 1);
}

function toClass({ lesson, score }: Match | Miss): number {
  return lesson.isClaim ? -1 : Number(score.parts.priority === 2);
}
