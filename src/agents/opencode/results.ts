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
    // For a refusal, the duration is the time that the user took.
    return result.denied === undefined ? { ...result, ...findDuration(state) } : result;
  }
  if (state.status !== 'completed') return undefined;
  const { output } = state;
  const result = toDoneResult(rawTool, typeof output === 'string' ? output : '', findWire(state, 'metadata') ?? {});
  return { ...result, ...findDuration(state) };
}

/** A call that OpenCode counts as done, including commands that failed, were stopped or timed out. */
export function toDoneResult(rawTool: string, output: string, metadata: Wire): CallResult {
  // For an unknown tool or invalid arguments, OpenCode calls a tool of its own that complains.
  if (rawTool === 'invalid') return { isError: true, text: cutText(output) };
  if (rawTool !== 'bash') return { isError: false, text: cutText(output) };
  const exitCode = findNumber(metadata, 'exit');
  const footer = findFooter(output, exitCode);
  const printed = toPrinted(output, metadata, footer !== '');
  const timeout = /exceeding timeout (\d+) ms/.exec(footer)?.[1];
  return {
    isError: timeout !== undefined,
    ...(exitCode === undefined ? {} : { exitCode }),
    // The wording by which timeouts of every agent are recognized.
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

/** The text that OpenCode adds below the output of a command that it stopped; older versions use other names. */
const FOOTER = /\n*<(shell_metadata|bash_metadata|metadata)>\n([^<]*)\n<\/\1>/g;
/** It is at the end, before what plugins add. */
const FOOTER_CHARS = 64 * 1024;
const NO_OUTPUT = '(no output)';

/** In the output of a command that ended by itself, it is text that the command printed. */
function findFooter(output: string, exitCode: number | undefined): string {
  if (exitCode !== undefined) return '';
  return [...output.slice(-FOOTER_CHARS).matchAll(FOOTER)].at(-1)?.[2] ?? '';
}

/** Prefers OpenCode's own copy of the output, because plugins (such as ours) add to the other one. */
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
/** For a task that a command started. */
const CANCELLED = 'Cancelled';

/** Recognizes calls that did not run to their own end; OpenCode reports them as errors with a fixed sentence. */
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
