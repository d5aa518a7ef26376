/**
 * The newest calls of a project as a trigger is tried on them. Remembered, and added to as calls come in: a scan makes
 * hundreds of findings, and reading thousands of rows for each would be most of its work.
 */
import type { Call, LiveCall } from '../../base/call.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import type { Store } from '../../base/store.ts';
import type { PastCall } from '../../distill/lesson/gate-lesson.ts';

export interface PastCalls {
  /** By call id, oldest first. */
  list(projectId: string): Promise<ReadonlyMap<string, PastCall>>;
  /** Stored since. */
  add(calls: readonly LiveCall[]): void;
}

/** How far back a trigger is tried: enough to see what is usual, little enough not to matter. */
const MAX_CALLS = 5_000;
/** Of all projects together. */
const MAX_KEPT = 40_000;
/** Others write to the store, too, and texts are removed from it. */
const REMEMBER_MS = 60_000;

export function makePastCalls(store: Store): PastCalls {
  const projects = new Map<string, Map<string, PastCall>>();
  let madeMs = performance.now();
  const read = async (projectId: string): Promise<Map<string, PastCall>> => {
    const stored = await store.listPastCalls(projectId, MAX_CALLS);
    return new Map(stored.map((call) => [call.callId, call]));
  };
  return {
    async list(projectId) {
      if (performance.now() - madeMs > REMEMBER_MS) {
        projects.clear();
        madeMs = performance.now();
      }
      const calls = projects.get(projectId) ?? (await read(projectId));
      projects.delete(projectId);
      projects.set(projectId, calls);
      dropUnused(projects);
      dropBeyond(calls, MAX_CALLS);
      return calls;
    },
    add(calls) {
      for (const call of calls) {
        const known = projects.get(call.projectId);
        known?.set(call.callId, toPastCall(call));
        if (known !== undefined) dropOldest(known, MAX_CALLS);
      }
    },
  };
}

/** The first ones, and at once: whoever adds lets some more stay for a while. */
function dropBeyond(calls: Map<string, PastCall>, max: number): void {
  let extra = calls.size - max;
  for (const callId of calls.keys()) {
    if (extra-- <= 0) return;
    calls.delete(callId);
  }
}

/** Those that were asked for longest ago; never the last. */
function dropUnused(projects: Map<string, ReadonlyMap<string, PastCall>>): void {
  let kept = [...projects.values()].reduce((sum, calls) => sum + calls.size, 0);
  for (const [projectId, calls] of projects) {
    if (kept <= MAX_KEPT || projects.size === 1) return;
    kept -= calls.size;
    projects.delete(projectId);
  }
}

/** As the store tells it: with the first 200 characters of its command. */
export function toPastCall(call: Call): PastCall {
  return {
    callId: call.callId,
    command: call.inputSummary ?? '',
    outcome: call.outcome,
    signatureId: call.signature?.id,
    tool: call.tool,
    path: call.targetPath,
  };
}
