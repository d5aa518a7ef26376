/** The past calls that a finding's trigger is tried on. */
import type { LiveCall } from '../../base/call.ts';
import type { Finding } from '../../base/finding.ts';
import { findAbsentPath } from '../../distill/lesson/contradicts.ts';
import type { PastCall } from '../../distill/lesson/gate-lesson.ts';
import { type PastCalls, toPastCall } from './make-past-calls.ts';
import { mayMean } from './may-mean.ts';

/** The window's calls have their whole command, where they ran, and what else the tool was given. */
export async function readPast(
  past: PastCalls,
  finding: Finding,
  window: readonly LiveCall[],
): Promise<readonly PastCall[]> {
  const whole = new Map(window.map((call) => [call.callId, call]));
  const { triggers, failingCallId, fixingCallId } = finding;
  const tools = triggers.tools ?? ['shell'];
  // What any tool has read or written is there.
  const isAbsence = findAbsentPath(finding) !== undefined;
  const stored = await past.list(finding.projectId);
  const meant: PastCall[] = [];
  const add = (call: PastCall): void => {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (!isAbsence && !isOwn && !tools.includes(call.tool ?? 'shell')) return;
    const live = whole.get(call.callId);
    const told = live === undefined ? call : { ...call, ...toWhole(live, call) };
    // What the trigger cannot mean is nothing to the back-test, and it is nearly all.
    if (isAbsence || isOwn || mayMean(triggers, told.command)) meant.push(told);
  };
  stored.forEach(add);
  // Of a tool that nobody tracks only failures are stored.
  for (const call of window) {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (isOwn && !stored.has(call.callId)) add(toPastCall(call));
  }
  return meant;
}

function toWhole({ command, cwd, parameters }: LiveCall, stored: PastCall): Partial<PastCall> {
  const json = parameters === undefined ? undefined : JSON.stringify(parameters);
  return { command: command ?? stored.command, cwd, json };
}
