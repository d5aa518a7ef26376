/**
 * Converts the stored state of an OpenCode call to a result: exit code, printed text, denial or cancellation. OpenCode
 * reports a command that failed, was stopped or timed out as done, and denied and cancelled calls as errors with a
 * fixed sentence.
 */

import type { CallResult } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { BY_RULE, BY_USER, CANCELLED, findStated, type MeaningSentence, toUserRefusal } from '../refusals.ts';
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
  return dropAbsent({
    isError: timeout !== undefined,
    exitCode,
    // The wording by which timeouts of every agent are recognized.
    text: cutText(timeout === undefined ? printed : `${printed}\nCommand timed out after ${timeout} ms`),
    cancelled: footer.includes('User aborted the command') || undefined,
  });
}

function toErrorResult(state: Wire): CallResult {
  const error = findText(state, 'error') ?? '';
  const rejected = REJECTED.exec(error);
  const stated = rejected === null ? findStated(MEANING_SENTENCES, error) : toUserRefusal(rejected[1]);
  const isInterrupted = findWire(state, 'metadata')?.interrupted === true;
  return { isError: true, text: cutText(error), ...(stated ?? (isInterrupted ? CANCELLED : {})) };
}

const REJECTED =
  /^The user rejected permission to use this specific tool call(?: with the following feedback: ([\s\S]*)|\.)/;

const MEANING_SENTENCES: readonly MeaningSentence[] = [
  [/^The user dismissed this question/, BY_USER],
  [/^The user has specified a rule which prevents you from using this specific tool call/, BY_RULE],
  // `Cancelled`: for a task that a command started.
  [/^(?:Tool execution aborted|Cancelled)$/, CANCELLED],
];

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
