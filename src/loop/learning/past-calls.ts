/**
 * The newest calls of each project, and whether a trigger or a lesson would have fired on a past call. The calls stay in
 * memory and new calls are added as they arrive, because a scan makes hundreds of findings and reading thousands of rows
 * for each would be most of its work.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import type { Store } from '../../base/contracts/store.ts';
import type { Call, LiveCall, StoredCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { dropHidden, toRecordedView } from '../../base/triggers/call-view.ts';
import { mayHold } from '../../base/triggers/may-hold.ts';
import { type AskSession, isConditionMet, toCompletedWork } from '../../base/triggers/session-conditions.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { PastCall } from '../../distill/gate/gate-finding.ts';
import { judgeTriggers } from '../../keep/manifest/compiled-triggers.ts';

export interface PastCalls {
  /** By call id, oldest first. */
  list(projectId: string): Promise<ReadonlyMap<string, PastCall>>;
  /** The newest calls of all projects: what a program takes is the same in each of them. */
  listAll(): Promise<ReadonlyMap<string, PastCall>>;
  /** Adds calls that were stored since. */
  add(calls: readonly LiveCall[]): void;
}

/** Number of past calls per project that a trigger is tested on: enough to see what is usual, and still cheap. */
const MAX_CALLS = 5_000;
/** Maximum number of calls in memory for all projects. */
const MAX_KEPT = 40_000;
/** Number of past calls of all projects that a trigger about a program itself is tested on. */
const MAX_EVERYWHERE = 20_000;
/** Calls are read again after this time, because other processes write to the store and texts are removed. */
const REMEMBER_MS = 60_000;

export function makePastCalls(store: Store): PastCalls {
  const projects = new Map<string, Map<string, PastCall>>();
  let everywhere: Map<string, PastCall> | undefined;
  let madeMs = performance.now();
  const read = async (projectId: string | undefined, max: number): Promise<Map<string, PastCall>> => {
    const stored = await store.listPastCalls(projectId, max);
    return new Map(stored.map((call) => [call.callId, call]));
  };
  const forgetOld = (): void => {
    if (performance.now() - madeMs <= REMEMBER_MS) return;
    projects.clear();
    everywhere = undefined;
    madeMs = performance.now();
  };
  return {
    async list(projectId) {
      forgetOld();
      const calls = projects.get(projectId) ?? (await read(projectId, MAX_CALLS));
      projects.delete(projectId);
      projects.set(projectId, calls);
      dropUnused(projects);
      dropBeyond(calls, MAX_CALLS);
      return calls;
    },
    async listAll() {
      forgetOld();
      everywhere ??= await read(undefined, MAX_EVERYWHERE);
      dropBeyond(everywhere, MAX_EVERYWHERE);
      return everywhere;
    },
    add(calls) {
      for (const call of calls) {
        const known = projects.get(call.projectId);
        known?.set(call.callId, toBrief(call));
        if (known !== undefined) dropOldest(known, MAX_CALLS);
        everywhere?.set(call.callId, toBrief(call));
        if (everywhere !== undefined) dropOldest(everywhere, MAX_EVERYWHERE);
      }
    },
  };
}

/** Removes the oldest calls in one step; callers allow some excess in between. */
function dropBeyond(calls: Map<string, PastCall>, max: number): void {
  let extra = calls.size - max;
  for (const callId of calls.keys()) {
    if (extra-- <= 0) return;
    calls.delete(callId);
  }
}

/** Removes the projects that were used longest ago, never the last one. */
function dropUnused(projects: Map<string, ReadonlyMap<string, PastCall>>): void {
  let kept = [...projects.values()].reduce((sum, calls) => sum + calls.size, 0);
  for (const [projectId, calls] of projects) {
    if (kept <= MAX_KEPT || projects.size === 1) return;
    kept -= calls.size;
    projects.delete(projectId);
  }
}

/** The call as the store returns it, with only the beginning of its command. */
export function toBrief(call: Call): PastCall {
  const { callId, sessionId, outcome, tool, rawTool, inputSummary, targetPath, signature, message } = call;
  return { callId, sessionId, outcome, tool, rawTool, inputSummary, targetPath, message, signatureId: signature?.id };
}

/** The command line as far as it is known. */
export function toLine({ command, inputSummary = '' }: PastCall): string {
  return command ?? inputSummary;
}

/**
 * Whether a trigger would have fired on a call of the past. `isSure`: leave out commands whose exit code the line hides.
 */
export function holdsInPast(triggers: Triggers, call: PastCall, isSure = false): boolean {
  if (!mayHold(triggers, toLine(call))) return false;
  const view = toRecordedView(call);
  return judgeTriggers(triggers, isSure ? dropHidden(view) : view, { callOnly: true }).holds;
}

/**
 * Whether a lesson fires on a call that has happened. Conditions on the speaker and on the conversation count as met,
 * because the call does not record them.
 */
export function firesAt({ triggers }: Lesson, call: LiveCall, past?: AskSession): boolean {
  return judgeTriggers(triggers, toRecordedView(call, past), { callOnly: true }).holds;
}

/** What the calls of a session did before this call, for lessons that ask. */
export function toPast(calls: readonly StoredCall[], before: LiveCall): AskSession {
  const done = calls
    .filter((call) => hasWorked(call) && call.occurredAt < before.occurredAt)
    .map((call) => toCompletedWork({ ...call, cwd: before.cwd }));
  return ({ meant }) => done.some((one) => isConditionMet(meant, one));
}
