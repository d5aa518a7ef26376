/** Windows for tests, written as a session reads: a command, and what it said. */
import type { LiveCall } from '../../src/base/model/call.ts';
import { parseCommand } from '../../src/base/shell/parse-command.ts';
import type { SimpleCommand } from '../../src/base/shell/simple-command.ts';
import { hasWord, toPositionals } from '../../src/base/shell/simple-command.ts';
import type { ProgramTrigger, Triggers } from '../../src/base/triggers/trigger.ts';
import type { SessionWindow, Spoken } from '../../src/distill/detector.ts';

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
  readonly kind: Spoken['kind'];
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

function toSpoken(words: Words, index: number, script: readonly (Step | Words)[]): Spoken {
  const { agent, sessionId, contextId, projectId, occurredAt: at, evidence } = toCall({}, index);
  const last = script.findLastIndex((step, i) => i < index && !('kind' in step));
  const place = evidence === undefined ? {} : { evidence };
  const after = last < 0 ? {} : { afterCallId: `call-${last}` };
  return { ...words, agent, sessionId, contextId, projectId, at, ...after, ...place };
}

function toCall(step: Step, index: number): LiveCall {
  return {
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
  };
}

/** What `trigger.ts` documents, for the parts that detectors use: the matcher itself is tested elsewhere. */
export function holds(triggers: Triggers, command: string): boolean {
  return parseCommand(command).some(
    (one) =>
      (triggers.programs ?? []).some((trigger) => programHolds(trigger, one)) &&
      (triggers.command?.match ?? ['']).some((source) => new RegExp(source).test(one.text)),
  );
}

function programHolds({ name, sub = [], args = {} }: ProgramTrigger, command: SimpleCommand): boolean {
  const words = toPositionals(command);
  if (command.program !== name || !sub.every((word, i) => words[i] === word)) return false;
  const { any, all = [], none = [] } = args;
  if (none.some((word) => hasWord(command, word)) || !all.every((word) => hasWord(command, word))) return false;
  return any === undefined || any.some((word) => hasWord(command, word));
}
