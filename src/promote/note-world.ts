/**
 * Models and tools outgrow lessons: on which models and releases of agents a lesson was judged, and in which sessions on one
 * that it was never judged on before. Patches of a release are no other one.
 */
import type { Lesson } from '../base/lesson.ts';

export interface World {
  readonly sessionId: string;
  readonly agent: string;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
}

/** A few suffice to know that it is no exception. */
const MAX_SESSIONS = 5;

/** Undefined when nothing about it is new. */
export function noteWorld(lesson: Lesson, world: World): Lesson | undefined {
  const here = listNames(world);
  const { on: known, unproven, retest } = lesson.measure ?? {};
  if (here.length === 0 || retest !== undefined) return undefined;
  // The first: there is nothing to compare it with.
  if (known === undefined) return { ...lesson, measure: { ...lesson.measure, on: here } };
  const on = here.find((name) => !known.includes(name));
  if (on === undefined) return undefined;
  // Where an agent does not tell its model, or tells it for the first time, nothing has changed.
  if (!known.some((name) => isKind(name, on))) return { ...lesson, measure: { ...lesson.measure, on: [...known, on] } };
  const sessions = unproven?.on === on ? unproven.sessions : [];
  if (sessions.includes(world.sessionId) || sessions.length >= MAX_SESSIONS) return undefined;
  return { ...lesson, measure: { ...lesson.measure, unproven: { on, sessions: [...sessions, world.sessionId] } } };
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
