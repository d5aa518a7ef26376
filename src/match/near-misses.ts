/**
 * For `explain`: the lessons that fire on a call, and those that come close and do not fire. Checks every lesson that
 * shares the tool or a program with the call. The time grows with the number of lessons, so no hook does this.
 */

import { findCallSilence, type Silence } from '../base/model/may-fire.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import { checkTriggers } from '../base/triggers/check-triggers.ts';
import type { Triggers } from '../base/triggers/trigger.ts';
import type { Manifest } from './manifest.ts';
import { byRank, type Match, resolveCallProject, toScore } from './match-lessons.ts';

/** A lesson that does not fire, and why. */
interface Miss extends Match {
  readonly silence: Silence;
  /** If the trigger does not match: the part that does not. */
  readonly because?: string;
}

export interface NearJudgement {
  readonly matches: readonly Match[];
  /** Nearest first: lessons of this project before others, then by rank. */
  readonly misses: readonly Miss[];
}

export function judgeNear(manifest: Manifest, call: CallView): NearJudgement {
  const here = resolveCallProject(manifest.header, call);
  const matches: Match[] = [];
  const misses: Miss[] = [];
  for (const lesson of manifest.all()) {
    if (!isNear(lesson.triggers, here)) continue;
    const score = toScore(lesson, here, manifest.header);
    const checked = checkTriggers(lesson.triggers, lesson, here);
    const { settings } = manifest.header;
    const silence = findCallSilence(lesson, { place: here, holds: checked.holds, weight: score, settings });
    if (silence === undefined) matches.push({ lesson, score });
    else misses.push({ lesson, score, silence, ...(checked.holds ? {} : { because: checked.because }) });
  }
  return {
    matches: matches.sort(byRank),
    misses: misses.sort((a, b) => toDistance(a) - toDistance(b) || byRank(a, b)),
  };
}

/** A lesson about a program is near a call of that program; any other is near a call of its tools, or of any tool. */
export function isNear({ programs, tools }: Triggers, { commands, tool }: CallView): boolean {
  if (programs !== undefined) return programs.some(({ name }) => commands.some(({ program }) => program === name));
  return tools?.includes(tool) ?? true;
}

function toDistance({ silence }: Miss): number {
  return Number(silence === 'another project' || silence === 'another session');
}
