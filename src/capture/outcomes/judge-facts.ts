/**
 * Judges the outcome and the duration of a call from facts: refusal, cancellation, exit code, error flag. The text is
 * read only to detect a warning in a successful call, and a timeout.
 */

import type { Call } from '../../base/model/call.ts';
import type { CallResult, Denial, EndedCall, Outcome } from '../../base/model/event.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import { hasHookTrait } from '../../base/shell/simple-command.ts';
import { isExpectedExit } from './is-expected-exit.ts';

export interface Judgement {
  readonly outcome: Outcome;
  /** The evidence for the outcome. */
  readonly outcomeType: string;
  /** A failure hidden by a pipe or `|| true`, known only from its text. */
  readonly masked: boolean;
}

/** The evidence for a refusal. Our own refusals are separate, so that they never count for or against anybody else. */
const DENIED_BY: Readonly<Record<NonNullable<Denial['by']>, string>> = {
  user: 'user-refusal',
  rule: 'rule-denial',
  hook: 'hook-denial',
  oncebitten: 'own-refusal',
};

export function judgeFacts(call: EndedCall): Judgement {
  const { result } = call;
  if (result.denied !== undefined) return plain('denied', DENIED_BY[result.denied.by ?? 'rule']);
  if (result.unended === true) return plain('cancelled', 'no-end');
  if (result.cancelled === true) return plain('cancelled', 'interrupt');
  return isFailed(call) ? judgeFailed(call) : judgeDone(call);
}

function isFailed({ result }: EndedCall): boolean {
  return result.isError || (result.exitCode !== undefined && result.exitCode !== 0);
}

function judgeFailed(call: EndedCall): Judgement {
  const { result, input } = call;
  if (isTimeout(result.exitCode, result.text)) return plain('failure', 'timeout');
  if (result.exitCode === undefined || result.exitCode === 0) return plain('failure', 'error-flag');
  const isExpected = input.command !== undefined && isExpectedExit(input.command, call, result.exitCode, result.text);
  return plain(isExpected ? 'success' : 'failure', 'exit-code');
}

function judgeDone(call: EndedCall): Judgement {
  if (call.result.background === true) return plain('success', 'background');
  if (isWarning(call)) return plain('partial', 'warning');
  return plain('success', call.result.exitCode === undefined ? 'no-error' : 'exit-code');
}

function plain(outcome: Outcome, outcomeType: string): Judgement {
  return { outcome, outcomeType, masked: false };
}

/** 124 is the exit code of timeout(1); the others are signals with which it and the agents end a command. */
function isTimeout(exitCode: number | undefined, text: string): boolean {
  if (exitCode === 124) return true;
  return (exitCode === undefined || exitCode > 128) && /\btimed out after \d/i.test(text);
}

/** A cheap test first, because every output passes through here; this is more than twice as fast. */
const WARNING_HINT = /warn|deprecated/i;
const WARNING = /\bwarning:|\bdeprecated\b|\[warn(?:ing)?\]|"warnings"\s*:\s*\[\s*[^\s\]]/i;

/** Does a successful call warn? Only for programs with messages of their own, not for those that show other texts. */
function isWarning(call: EndedCall): boolean {
  const { tool, input, result } = call;
  if (tool !== 'shell' && !tool.startsWith('mcp:')) return false;
  if (!WARNING_HINT.test(result.text) || !WARNING.test(result.text)) return false;
  return (
    input.command === undefined ||
    !parseCommand(input.command, call).every((command) => hasHookTrait(command, 'shows', 'quiet'))
  );
}

/** The duration of a call, and its source. */
export function toDuration({ durationMs, pairedMs, gapMs }: CallResult): Pick<Call, 'durationMs' | 'durationSource'> {
  if (durationMs !== undefined && durationMs >= 0) return { durationMs, durationSource: 'agent' };
  if (pairedMs !== undefined) return { durationMs: pairedMs, durationSource: 'paired' };
  return gapMs === undefined ? {} : { durationMs: gapMs, durationSource: 'gap' };
}

/** A call that is known only from the model's copy of its result, which the outcome type then says. */
export function toReportedCall<T extends Call>(call: T): T {
  return { ...call, outcomeType: `told-${call.outcomeType}` };
}
