/**
 * Models and tools outgrow lessons: on which models and releases of agents a lesson was judged, and in which sessions on ones
 * that it was never judged on before. Patches of a release are no other one.
 */
import type { Lesson, LessonMeasure, Untried } from '../base/lesson.ts';

export interface World {
  readonly sessionId: string;
  readonly agent: string;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
}

/** A few suffice to know that it is no exception. */
const MAX_SESSIONS = 5;
/** People use several models by turns. Of more than these the ones that were met least are forgotten. */
const MAX_NAMES = 6;

/** Undefined when nothing about it is new. */
export function noteWorld(lesson: Lesson, world: World): Lesson | undefined {
  const before = lesson.measure ?? {};
  const after = listNames(world).reduce((measure, name) => noteName(measure, name, world.sessionId), before);
  return after === before ? undefined : { ...lesson, measure: after };
}

/** The same one when nothing about it is new. */
function noteName(measure: LessonMeasure, name: string, sessionId: string): LessonMeasure {
  const { on = [], untried = [], retest } = measure;
  if (on.includes(name)) return measure;
  const known = untried.find((one) => one.on === name);
  // What comes while it is measured anew comes too late to be measured well.
  if (retest !== undefined && known === undefined) return measure;
  // The first of its kind, or told for the first time: there is nothing to compare it with.
  if (!on.some((one) => isKind(one, name))) return { ...measure, on: [...on, name] };
  const sessions = known?.sessions ?? [];
  if (sessions.includes(sessionId) || sessions.length >= MAX_SESSIONS) return measure;
  const noted = { on: name, sessions: [...sessions, sessionId] };
  return {
    ...measure,
    untried: known === undefined ? [...toFew(untried), noted] : untried.map((one) => (one === known ? noted : one)),
  };
}

/** With room for one more: the last of those with the fewest sessions goes. */
function toFew(untried: readonly Untried[]): readonly Untried[] {
  if (untried.length < MAX_NAMES) return untried;
  const fewest = Math.min(...untried.map(({ sessions }) => sessions.length));
  const dropped = untried.findLastIndex(({ sessions }) => sessions.length === fewest);
  return untried.filter((_, i) => i !== dropped);
}

function listNames({ agent, model, agentVersion }: World): readonly string[] {
  const release = /^\d+(?:\.\d+)?/.exec(agentVersion ?? '')?.[0];
  return [...(model === undefined ? [] : [model]), ...(release === undefined ? [] : [`${agent} ${release}`])];
}

/** Both models, or both releases of one agent. */
function isKind(name: string, other: string): boolean {
  return toKind(name) === toKind(other);
}

function toKind(name: string): string {
  return /^(\S+) \d+(?:\.\d+)?$/.exec(name)?.[1] ?? '';
}
