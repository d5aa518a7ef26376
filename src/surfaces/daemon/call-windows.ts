/** The last calls of every context that is at work, in memory, with the text that is never stored. */
import type { LiveCall } from '../../base/call.ts';
import type { SessionWindow } from '../../base/detector.ts';

const MAX_CALLS = 60;
/** Far more than work at the same time; each may hold a megabyte of outputs. */
const MAX_CONTEXTS = 100;

export interface CallWindows {
  /** Adds calls of one or several contexts and gives, for each context that got some, its window. */
  add(calls: readonly LiveCall[]): readonly SessionWindow[];
}

export function makeCallWindows(): CallWindows {
  const contexts = new Map<string, readonly LiveCall[]>();
  return {
    add(calls) {
      return [...groupByContext(calls)].map(([key, added]) => {
        const before = (contexts.get(key) ?? []).filter((old) => !added.some((call) => call.callId === old.callId));
        const all = [...before, ...added];
        // Moving a key to the end keeps the map in order of use.
        contexts.delete(key);
        contexts.set(key, all.slice(-MAX_CALLS));
        if (contexts.size > MAX_CONTEXTS) contexts.delete(contexts.keys().next().value ?? '');
        return { calls: all, from: before.length };
      });
    },
  };
}

function groupByContext(calls: readonly LiveCall[]): Map<string, LiveCall[]> {
  return Map.groupBy(calls, (call) => `${call.agent}\n${call.sessionId}\n${call.contextId}`);
}
