/** The lessons that may speak about a call, best first; and, for `explain`, those that may not and why. */
import { toCallKeys } from '../base/lesson-keys.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import { checkTriggers } from './check-triggers.ts';
import type { MatchCall } from './match-call.ts';
import type { Manifest } from './open-manifest.ts';
import { type Score, scoreLesson } from './score-lesson.ts';

export interface Match {
  readonly lesson: CompiledLesson;
  readonly score: Score;
}

export interface NearMiss {
  readonly lesson: CompiledLesson;
  readonly because: string;
}

export function matchLessons(manifest: Manifest, call: MatchCall): readonly Match[] {
  return judgeCandidates(manifest, call).matches;
}

export function judgeCandidates(
  manifest: Manifest,
  call: MatchCall,
): { matches: readonly Match[]; misses: readonly NearMiss[] } {
  const matches: Match[] = [];
  const misses: NearMiss[] = [];
  const { settings, aliases } = manifest.header;
  const here = { ...call, projectId: aliases?.[call.projectId] ?? call.projectId };
  for (const lesson of manifest.find(toCallKeys(call.tool, programsOf(call)))) {
    const score = scoreLesson(lesson);
    const because = findObstacle(lesson, score, here, settings.minScore);
    if (because === undefined) matches.push({ lesson, score });
    else misses.push({ lesson, because });
  }
  return { matches: matches.sort(byRank), misses };
}

function findObstacle(lesson: CompiledLesson, score: Score, call: MatchCall, minScore: number): string | undefined {
  if (lesson.projectId !== undefined && lesson.projectId !== call.projectId) return 'belongs to another project';
  if (lesson.sessionId !== undefined && lesson.sessionId !== call.sessionId) return 'belongs to another session';
  if (lesson.notIn?.some((id) => id === call.projectId || id === call.sessionId)) return 'a nearer one speaks for it';
  const verdict = checkTriggers(lesson.triggers, lesson.pathRegexes ?? [], call);
  if (!verdict.holds) return verdict.because;
  // A CRITICAL lesson whose gates hold always passes.
  if (score.parts.priority < 2 && score.total < minScore) return `scores ${score.total}, under ${minScore}`;
  return undefined;
}

/** CRITICAL first, then score, then slug: identical input gives an identical order. */
function byRank(a: Match, b: Match): number {
  const critical = Number(b.score.parts.priority === 2) - Number(a.score.parts.priority === 2);
  return critical || b.score.total - a.score.total || (a.lesson.slug < b.lesson.slug ? -1 : 1);
}

function programsOf(call: MatchCall): readonly string[] {
  return call.commands.map((command) => command.program);
}
