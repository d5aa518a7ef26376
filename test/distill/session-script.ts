/** Windows for tests, written as a session reads: a command, and what it said. */
import type { LiveCall } from '../../src/base/model/call.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { isHang } from '../../src/capture/outcomes/is-hang.ts';
import type { SessionMessage, SessionWindow } from '../../src/distill/detector.ts';
import type { PastCall } from '../../src/distill/gate/gate-finding.ts';

export type Step = Partial<LiveCall>;

export function failed(command: string, output: string, exitCode = 1): Step {
  return { tool: 'shell', command, output: `Exit code ${exitCode}\n${output}`, outcome: 'failure', exitCode };
}

export function worked(command: string, output = ''): Step {
  return { tool: 'shell', command, output, outcome: 'success', exitCode: 0 };
}

export function other(tool: LiveCall['tool'], targetPath: string): Step {
  return { tool, targetPath, outcome: 'success' };
}

/** Words between two steps. */
export interface Words {
  readonly kind: SessionMessage['kind'];
  readonly text: string;
}

export function prompted(text: string): Words {
  return { kind: 'prompted', text };
}

export function said(text: string): Words {
  return { kind: 'said', text };
}

export function makeWindow(script: readonly (Step | Words)[], from = 0): SessionWindow {
  const calls = script.flatMap((step, index) => ('kind' in step ? [] : [toCall(step, index)]));
  const spoken = script.flatMap((step, index) => ('kind' in step ? [toSpoken(step, index, script)] : []));
  return { calls, from, spoken, spokenFrom: 0 };
}

function toSpoken(words: Words, index: number, script: readonly (Step | Words)[]): SessionMessage {
  const { agent, sessionId, contextId, projectId, occurredAt: at, evidence } = toCall({}, index);
  const last = script.findLastIndex((step, i) => i < index && !('kind' in step));
  const place = evidence === undefined ? {} : { evidence };
  const after = last < 0 ? {} : { afterCallId: `call-${last}` };
  return { ...words, agent, sessionId, contextId, projectId, at, ...after, ...place };
}

function toCall(step: Step, index: number): LiveCall {
  const call = {
    agent: 'claude-code',
    sessionId: 'session-1',
    contextId: '',
    callId: `call-${index}`,
    projectId: 'prj_1',
    tool: 'shell',
    rawTool: 'Bash',
    outcome: 'success',
    outcomeType: 'exit-code',
    masked: false,
    occurredAt: new Date(Date.UTC(2026, 0, 1, 10, index)).toISOString(),
    evidence: { file: '/home/u/session-1.jsonl', line: 10 + index * 3 },
    ...step,
  } as const;
  return isHang(call, DEFAULT_SETTINGS.detection.hangSeconds) ? { ...call, hung: true } : call;
}

/** A call of the shell in the past, with what a test is about. */
export function makePast(fields: Partial<PastCall>): PastCall {
  return { callId: 'past', tool: 'shell', rawTool: 'Bash', outcome: 'success', ...fields };
}
