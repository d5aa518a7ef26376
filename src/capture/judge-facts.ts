/**
 * The outcome of a call, from facts: refusal, cancellation, exit code, error flag. Text is read only to find that a
 * successful call warned, and that one ran out of time.
 */
import type { EndedCall } from '../base/event.ts';
import type { Denial, Outcome } from '../base/outcome.ts';
import { isExpectedExit } from './is-expected-exit.ts';
import { isWarning } from './is-warning.ts';

export interface Judgement {
  readonly outcome: Outcome;
  /** What the outcome rests on. */
  readonly outcomeType: string;
  /** A failure hidden by a pipe or `|| true`, known only from its text. */
  readonly masked: boolean;
}

/** What a refusal rests on. Ours are told apart, so that they never count for or against anybody else. */
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

function judgeFailed({ result, input }: EndedCall): Judgement {
  if (isTimeout(result.exitCode, result.text)) return plain('failure', 'timeout');
  if (result.exitCode === undefined || result.exitCode === 0) return plain('failure', 'error-flag');
  const isExpected = input.command !== undefined && isExpectedExit(input.command, result.exitCode, result.text);
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

/** 124 is timeout(1)'s own code; the others are the signals it and the agents end a command with. */
function isTimeout(exitCode: number | undefined, text: string): boolean {
  if (exitCode === 124) return true;
  return (exitCode === undefined || exitCode > 128) && /\btimed out after \d/i.test(text);
}
