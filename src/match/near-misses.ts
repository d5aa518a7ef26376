/**
 * For `explain`: what speaks about a call, and what comes near and stays silent. Looks at every lesson that shares the tool
 * or a program with the call, which takes as long as there are lessons: never while an agent waits.
 */

import type { CallView } from '../base/triggers/call-view.ts';
import type { Triggers } from '../base/triggers/trigger.ts';
import type { Manifest } from './manifest.ts';
import { byRank, isMiss, judgeLesson, type Match, type Miss, toCallHere } from './match-lessons.ts';

export interface NearJudgement {
  readonly matches: readonly Match[];
  /** The nearest first: of this project before others, the weightier before the lighter. */
  readonly misses: readonly Miss[];
}

export function judgeNear(manifest: Manifest, call: CallView): NearJudgement {
  const here = toCallHere(manifest.header, call);
  const matches: Match[] = [];
  const misses: Miss[] = [];
  for (const lesson of manifest.all()) {
    if (!isNear(lesson.triggers, here)) continue;
    const judged = judgeLesson(lesson, here, manifest.header);
    if (isMiss(judged)) misses.push(judged);
    else matches.push(judged);
  }
  return {
    matches: matches.sort(byRank),
    misses: misses.sort((a, b) => toFar(a, here) - toFar(b, here) || byRank(a, b)),
  };
}

/** A lesson about a program is near where that program runs; any other where its tool is used, or when it names none. */
export function isNear({ programs, tools }: Triggers, { commands, tool }: CallView): boolean {
  if (programs !== undefined) return programs.some(({ name }) => commands.some(({ program }) => program === name));
  return tools?.includes(tool) ?? true;
}

function toFar({ lesson }: Miss, { projectId, sessionId }: CallView): number {
  const isElsewhere = (lesson.projectId ?? projectId) !== projectId || (lesson.sessionId ?? sessionId) !== sessionId;
  return Number(isElsewhere);
}
