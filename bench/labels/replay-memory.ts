/** The warnings of exact memory in a replay: this very call failed in an earlier session and has not worked since. */
import type { LiveCall } from '../../src/base/model/call.ts';
import { isCheck, listProven } from '../../src/base/shell/changed-things.ts';
import type { ReplayStep } from '../../src/loop/replay/read-sessions.ts';
import { toReplayOrder } from '../../src/loop/replay/time-order.ts';
import { type CallMemory, openCallMemory, toRemembered } from '../../src/match/call-memory.ts';
import type { Help } from './judge-help.ts';
import type { PastCalls } from './past-calls.ts';

/** `lessons`: the warnings of lessons. Where one is shown, the memory is silent. */
export function toMemories(steps: readonly ReplayStep[], past: PastCalls, lessons: readonly Help[]): readonly Help[] {
  const byStep = new Map(past.all.map((call) => [call.step, call]));
  const byKey = new Map(past.all.map((call) => [toKey(call.step.call), call]));
  const warned = new Set(lessons.map(({ call }) => call));
  const told = new Set<string>();
  const memory = openCallMemory();
  return toReplayOrder(steps).flatMap(({ kind, step }): readonly Help[] => {
    if (kind === 'learn') {
      const { observed, untracked } = step.digest.calls;
      for (const ended of [...observed, ...untracked]) take(memory, ended);
      return [];
    }
    if (step.call === undefined) return [];
    const { projectId, sessionId, projectRoot = '' } = step.call;
    const call = byStep.get(step);
    const checks = isCheck(step.call) ? step.call.exactKey : undefined;
    const known = memory.find({ projectId, sessionId, proves: listProven(step.call, projectRoot), checks });
    if (call === undefined || known === undefined || warned.has(call)) return [];
    const cause = `${call.context}\n${known.at(-1)?.signatureId}`;
    if (told.has(cause)) return [];
    told.add(cause);
    const taught = known.flatMap((one) => byKey.get(toKey(one)) ?? []);
    const references = taught.flatMap(({ reference }) => reference ?? []);
    return [{ kind: 'warning', call, places: taught.map(({ place }) => place), references }];
  });
}

function take(memory: CallMemory, call: LiveCall): void {
  const { projectId, touches, occurredAt: at } = call;
  const remembered = toRemembered(call);
  if (remembered !== undefined) memory.add(remembered);
  if (touches !== undefined) memory.settle({ projectId, touches, at });
}

function toKey(
  call: { readonly agent: string; readonly sessionId: string; readonly callId: string } | undefined,
): string {
  return `${call?.agent}\n${call?.sessionId}\n${call?.callId}`;
}
