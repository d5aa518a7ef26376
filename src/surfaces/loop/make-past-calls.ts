/**
 * The newest calls of a project as a trigger is tried on them. Remembered, and added to as calls come in: a scan makes
 * hundreds of findings, and reading thousands of rows for each would be most of its work.
 */
import type { Call, LiveCall } from '../../base/call.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import type { Store } from '../../base/store.ts';
import type { PastCall } from '../../distill/lesson/gate-lesson.ts';

export interface PastCalls {
  list(projectId: string): Promise<readonly PastCall[]>;
  /** Stored since. */
  add(calls: readonly LiveCall[]): void;
}

/** How far back a trigger is tried: enough to see what is usual, little enough not to matter. */
const MAX_CALLS = 5_000;
const MAX_PROJECTS = 8;
/** Others write to the store, too, and texts are removed from it. */
const REMEMBER_MS = 60_000;

export function makePastCalls(store: Store): PastCalls {
  const projects = new Map<string, Map<string, PastCall>>();
  let madeMs = performance.now();
  const read = async (projectId: string): Promise<Map<string, PastCall>> => {
    const stored = await store.listCalls({ projectId, limit: MAX_CALLS });
    return new Map(stored.map((call) => [call.callId, toPastCall(call)]));
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
      if (projects.size > MAX_PROJECTS) projects.delete(projects.keys().next().value ?? '');
      return [...calls.values()].slice(-MAX_CALLS);
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

/** Stored calls have the first 200 characters of their command. */
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
