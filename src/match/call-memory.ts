/**
 * Knows the calls that failed in earlier sessions of a project and have not worked since, by their exact form. A working
 * call that touches a thing which a remembered call needs settles it: nobody knows any more how it would end.
 */
import type { LiveCall } from '../base/model/call.ts';
import type { RememberedCall } from '../base/model/knowledge.ts';
import { toSessionKey } from '../base/model/session.ts';

interface AskedCall extends Pick<RememberedCall, 'projectId' | 'sessionId'> {
  /** What it proves if it works, see `listProven`. */
  readonly proves: readonly string[];
  /** Its exact form, if it is a check: edits are expected to repair it, so one session with its failure proves little. */
  readonly checks?: string | undefined;
}

/** In so many sessions a check has to fail for one reason. */
const MIN_SESSIONS = 2;

/** A working call. */
interface Change {
  readonly projectId: string;
  readonly touches: readonly string[];
  readonly at: string;
}

export interface CallMemory<T extends RememberedCall = RememberedCall> {
  /** Has the project any remembered call? Without one, nothing need be asked. */
  has(projectId: string): boolean;
  add(call: T): void;
  /** Forgets the calls that the change may have repaired, and returns them. */
  settle(change: Change): readonly T[];
  /** The failures in other sessions that this call would repeat, in the order in which they were added. */
  find(call: AskedCall): readonly [T, ...T[]] | undefined;
}

export function openCallMemory<T extends RememberedCall>(calls: readonly T[] = []): CallMemory<T> {
  const projects = new Map<string, readonly T[]>(Map.groupBy(calls, ({ projectId }) => projectId));
  const list = (projectId: string): readonly T[] => projects.get(projectId) ?? [];
  return {
    has: (projectId) => list(projectId).length > 0,
    add: (call) => void projects.set(call.projectId, [...list(call.projectId), call]),
    settle({ projectId, touches, at }) {
      const touched = new Set(touches);
      const known = list(projectId);
      const settled = known.filter((one) => one.at < at && one.needs.some((thing) => touched.has(thing)));
      if (settled.length > 0)
        projects.set(
          projectId,
          known.filter((one) => !settled.includes(one)),
        );
      return settled;
    },
    find({ projectId, sessionId, proves, checks }) {
      const met = list(projectId).filter(
        (one) => one.sessionId !== sessionId && one.needs.some((thing) => proves.includes(thing)),
      );
      const isProven = ({ exactKey, signatureId }: T): boolean =>
        exactKey !== checks || countSessions(met.filter((one) => one.signatureId === signatureId)) >= MIN_SESSIONS;
      const [first, ...more] = met.filter(isProven);
      return first && [first, ...more];
    },
  };
}

function countSessions(calls: readonly RememberedCall[]): number {
  return new Set(calls.map(toSessionKey)).size;
}

/** Undefined for a call that is not remembered. */
export function toRemembered(call: LiveCall): RememberedCall | undefined {
  const { agent, sessionId, projectId, callId, exactKey, signature, needs, occurredAt: at } = call;
  if (needs === undefined || exactKey === undefined || signature === undefined) return undefined;
  return { agent, sessionId, projectId, callId, exactKey, needs, at, signatureId: signature.id };
}
