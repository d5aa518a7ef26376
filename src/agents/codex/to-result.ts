/** How a call ended: what the model was told of it, and the facts where a row holds them, which are better. */
import type { StartedCall } from '../../base/event.ts';
import type { CallResult } from '../../base/outcome.ts';
import { cutText } from '../cut-text.ts';
import { findMeaning, type Meaning } from './find-meaning.ts';
import { isFailureText } from './is-failure-text.ts';
import { parseSandboxDenial } from './parse-sandbox-denial.ts';
import type { Told } from './parse-told.ts';
import type { EndFacts } from './to-end-facts.ts';

export function toResult(call: StartedCall, told: Told, facts: EndFacts | undefined): CallResult {
  const meaning = told.isPlain ? findMeaning(told.text) : undefined;
  if (meaning !== undefined) return toUnrun(told, meaning);
  if (facts !== undefined)
    return {
      ...toFactsResult(facts),
      ...toTime(facts.durationMs ?? told.durationMs),
      text: facts.text ?? cutText(told.text),
    };
  if (call.tool === 'shell') return toShellResult(told);
  const isError = told.isPlain ? isPlainError(call, told.text) : isToldError(call, told);
  const isRunning = told.script === 'running';
  return {
    isError,
    text: cutText(told.text),
    ...(told.script === 'terminated' ? { cancelled: true } : {}),
    ...(isRunning ? { background: true } : toTime(told.durationMs)),
  };
}

/** Of a call that no telling to the model belongs to: a nested one, or one whose output is lost. */
export function toFactsResult({ processId: _, ...facts }: EndFacts): CallResult {
  return { ...facts, text: facts.text ?? '' };
}

function toUnrun(told: Told, meaning: Meaning): CallResult {
  return { isError: 'denied' in meaning, text: cutText(told.text), ...meaning };
}

function toShellResult(told: Told): CallResult {
  if (told.isPlain) {
    const denial = parseSandboxDenial(told.text);
    return { isError: true, ...denial, text: cutText(denial?.text ?? told.text) };
  }
  const text = cutText(told.text);
  if (told.sessionId !== undefined) return { isError: false, background: true, text };
  const { exitCode } = told;
  const code = exitCode === undefined || exitCode < 0 ? {} : { exitCode };
  return { isError: (exitCode ?? 0) !== 0, ...code, text, ...toTime(told.durationMs) };
}

/** What a patch or a script says of itself. Speaking to a running command tells the end of that one, not its own. */
function isToldError(call: StartedCall, told: Told): boolean {
  if (told.script !== undefined) return told.script === 'failed' && call.rawTool === 'exec';
  return call.tool === 'edit' && (told.exitCode ?? 0) !== 0;
}

function isPlainError(call: StartedCall, text: string): boolean {
  return call.tool === 'edit' ? !text.startsWith('Success.') : isFailureText(call.rawTool, text);
}

function toTime(durationMs: number | undefined): Pick<CallResult, 'durationMs'> {
  return durationMs === undefined ? {} : { durationMs };
}
