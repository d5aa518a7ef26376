/**
 * Converts the stored state of an OpenCode call to a result: exit code, printed text, denial or cancellation. OpenCode
 * reports a command that failed, was stopped or timed out as done, and denied and cancelled calls as errors with a
 * fixed sentence.
 */

import type { CallResult, Denial } from '../../base/model/event.ts';
import { cutText } from '../call-texts.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';

/** Undefined while the call waits or runs. */
export function findResult(rawTool: string, state: Wire): CallResult | undefined {
  if (state.status === 'error') {
    const result = toErrorResult(state);
    // Of a refusal it is the time the user took.
    return result.denied === undefined ? { ...result, ...findDuration(state) } : result;
  }
  if (state.status !== 'completed') return undefined;
  const { output } = state;
  const result = toDoneResult(rawTool, typeof output === 'string' ? output : '', findWire(state, 'metadata') ?? {});
  return { ...result, ...findDuration(state) };
}

/** A call that OpenCode counts as done: also a command that failed, was stopped or ran out of time. */
export function toDoneResult(rawTool: string, output: string, metadata: Wire): CallResult {
  // An unknown tool or arguments that do not fit: OpenCode calls a tool of its own that complains.
  if (rawTool === 'invalid') return { isError: true, text: cutText(output) };
  if (rawTool !== 'bash') return { isError: false, text: cutText(output) };
  const exitCode = findNumber(metadata, 'exit');
  const footer = findFooter(output, exitCode);
  const printed = toPrinted(output, metadata, footer !== '');
  const timeout = /exceeding timeout (\d+) ms/.exec(footer)?.[1];
  return {
    isError: timeout !== undefined,
    ...(exitCode === undefined ? {} : { exitCode }),
    // In the words by which every agent's timeouts are known.
    text: cutText(timeout === undefined ? printed : `${printed}\nCommand timed out after ${timeout} ms`),
    ...(footer.includes('User aborted the command') ? { cancelled: true } : {}),
  };
}

function toErrorResult(state: Wire): CallResult {
  const error = findText(state, 'error') ?? '';
  const meaning = findMeaning(error);
  const isInterrupted = findWire(state, 'metadata')?.interrupted === true;
  return {
    isError: true,
    text: cutText(error),
    ...(meaning?.kind === 'denied' ? { denied: meaning.denial } : {}),
    ...(meaning?.kind === 'cancelled' || (isInterrupted && meaning === undefined) ? { cancelled: true } : {}),
  };
}

/** What OpenCode writes below the output of a command that it stopped; older versions call it by other names. */
const FOOTER = /\n*<(shell_metadata|bash_metadata|metadata)>\n([^<]*)\n<\/\1>/g;
/** It stands at the end, before what plugins add. */
const FOOTER_CHARS = 64 * 1024;
const NO_OUTPUT = '(no output)';

/** The footer of a command that ended by itself is none: it printed it. */
function findFooter(output: string, exitCode: number | undefined): string {
  if (exitCode !== undefined) return '';
  return [...output.slice(-FOOTER_CHARS).matchAll(FOOTER)].at(-1)?.[2] ?? '';
}

/** OpenCode's own copy of the output is preferred: plugins add to the other one, a lesson of ours for one. */
function toPrinted(output: string, metadata: Wire, isStopped: boolean): string {
  const printed = findText(metadata, 'output') ?? output;
  if (printed === NO_OUTPUT) return '';
  return isStopped ? printed.replaceAll(FOOTER, '') : printed;
}

function findDuration(state: Wire): { readonly durationMs?: number } {
  const time = findWire(state, 'time') ?? {};
  const [start, end] = [findNumber(time, 'start'), findNumber(time, 'end')];
  return start === undefined || end === undefined || end < start ? {} : { durationMs: end - start };
}

type Meaning = { readonly kind: 'denied'; readonly denial: Denial } | { readonly kind: 'cancelled' };

const REJECTED =
  /^The user rejected permission to use this specific tool call(?: with the following feedback: ([\s\S]*)|\.)/;
const DISMISSED = 'The user dismissed this question';
const BY_RULE = 'The user has specified a rule which prevents you from using this specific tool call';
const ABORTED = 'Tool execution aborted';
/** Of a task that a command started. */
const CANCELLED = 'Cancelled';

/** Calls that never ran to an end of their own: OpenCode reports them as errors with a fixed sentence. */
function findMeaning(error: string): Meaning | undefined {
  const rejected = REJECTED.exec(error);
  if (rejected !== null) {
    const words = rejected[1]?.trim();
    return { kind: 'denied', denial: { by: 'user', ...(words ? { words } : {}) } };
  }
  if (error.startsWith(DISMISSED)) return { kind: 'denied', denial: { by: 'user' } };
  if (error.startsWith(BY_RULE)) return { kind: 'denied', denial: { by: 'rule' } };
  return error === ABORTED || error === CANCELLED ? { kind: 'cancelled' } : undefined;
}
