/**
 * Converts a call's record in a Gemini chat to a result: exit code, printed text, denial or cancellation. Gemini CLI
 * reports a failing command as a success, so the exit code comes from the text; only its fixed sentences distinguish
 * denied and cancelled calls from failures.
 */

import type { RefusalSentence } from '../../base/contracts/agent-history.ts';
import type { CallResult } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { BY_HOOK, BY_RULE, BY_USER, CANCELLED, findStated, type Meaning, type MeaningSentence } from '../refusals.ts';
import { findText, findWire, toWires, type Wire } from '../wire.ts';
import { toText } from './prompts.ts';

const FINAL = new Set(['success', 'error', 'cancelled']);

/** Undefined for a call that is still running. */
export function findResult(tool: ToolName, record: Wire): CallResult | undefined {
  const status = findText(record, 'status') ?? '';
  if (!FINAL.has(status)) return undefined;
  const shown = findText(record, 'resultDisplay') ?? '';
  const modelText = findModelText(record);
  if (status !== 'success') {
    const text = modelText ?? shown;
    return { isError: true, text: cutText(text), ...findMeaning(status, text, shown) };
  }
  return tool === 'shell' ? toShellResult(modelText ?? '', shown) : { isError: false, text: cutText(modelText ?? '') };
}

/** The result in a hook's payload: the tool's answer to the model, before hooks add to it. */
export function toHookResult(tool: ToolName, response: Wire): CallResult {
  const shown = findText(response, 'returnDisplay') ?? '';
  const modelText = toPlainText(toText(response.llmContent));
  const error = findWire(response, 'error');
  if (error === undefined)
    return tool === 'shell' ? toShellResult(modelText, shown) : { isError: false, text: cutText(modelText) };
  const text = findText(error, 'message') ?? modelText;
  return { isError: true, text: cutText(text), ...findMeaning('error', text, shown) };
}

const BACKGROUND = /^Command moved to background \(PID: \d+\)/;
const STOPPED = /^Command was cancelled by user before it could /;
const TIMED_OUT = /^Command was automatically cancelled because it exceeded the timeout of /;

function toShellResult(modelText: string, shown: string): CallResult {
  if (BACKGROUND.test(modelText)) return { isError: false, text: '', background: true };
  if (STOPPED.test(modelText)) return { isError: false, text: cutText(modelText), cancelled: true };
  if (TIMED_OUT.test(modelText)) return { isError: true, text: cutText(modelText) };
  const { text, exitCode } = parseShellText(modelText, shown);
  return dropAbsent({ isError: false, exitCode, text: cutText(text) });
}

/**
 * The model's copy of the result. A list can also contain the answers to sibling calls (a checkpoint records the whole
 * turn under each of them), so only the one that names this call counts, or the only one if none has a name.
 */
function findModelText(record: Wire): string | undefined {
  const responses = toWires(toWires(record.result).map((part) => part.functionResponse));
  const named = responses.find((response) => response.id === record.id);
  const only = responses.length === 1 && responses[0]?.id === undefined ? responses[0] : undefined;
  const response = findWire(named ?? only ?? {}, 'response');
  if (response === undefined) return undefined;
  return toPlainText(findText(response, 'error') ?? findText(response, 'output') ?? '');
}

/** Behind everything else, if a hook changed the input. */
const CHANGED = /\n\n\[System\] Tool input parameters were modified by a hook before execution\.$/;
const WRAPPED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/;
const HOOK_OPEN = '<hook_context>';
const HOOK_CLOSE = '</hook_context>';

/** Removes the text that Gemini CLI adds around the result, and what hooks added after it. */
function toPlainText(whole: string): string {
  const text = whole.replace(CHANGED, '');
  const at = text.lastIndexOf(HOOK_OPEN);
  const isAdded = at !== -1 && text.trimEnd().endsWith(HOOK_CLOSE);
  const bare = isAdded ? text.slice(0, at).replace(/\n\n$/, '') : text;
  return WRAPPED.exec(bare)?.[1] ?? bare;
}

export const REFUSALS: readonly RefusalSentence[] = [
  { before: /^(?:Tool execution blocked|Agent execution stopped by hook|Tool result blocked): / },
];

const MEANING_SENTENCES: readonly MeaningSentence[] = [
  [/^\[Operation Cancelled\] (?:Reason: )?User (?:denied execution|did not allow tool call)/, BY_USER],
  [/^\[Operation Cancelled\]/, CANCELLED],
  [/^Tool execution (?:for "[^\n]{1,200}" )?denied by policy\./, BY_RULE],
  [/^Tool execution for "[^\n]{1,200}" requires user confirmation, which is not supported/, BY_RULE],
  [/^Tool execution blocked: /, BY_HOOK],
  [/^Agent execution stopped by hook: /, BY_HOOK],
  // A hook removed the result afterwards, so the real end of the call is unknown.
  [/^Tool result blocked: /, BY_HOOK],
];

/** From the status, the model's copy of the result, and the text shown to the person. */
export function findMeaning(status: string, modelText: string, shown: string): Meaning | undefined {
  return findStated(MEANING_SENTENCES, modelText, shown) ?? (status === 'cancelled' ? CANCELLED : undefined);
}

/** The output and the end of a command, from the text that Gemini CLI makes of both. */
interface ShellText {
  readonly text: string;
  /** Absent if the text does not mention the end. */
  readonly exitCode?: number;
}

/** In this order after the output; an empty one is omitted (older builds wrote `(none)`). */
const FOOTER = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/;
const EMPTY_FIELD = '(none)';
const NOTHING_PRINTED = '(empty)';
/** Added by a shell to the signal that ended a program. */
const SIGNAL_BASE = 128;

/** `shown`: the output alone, if known, because its last line may look like a footer. */
export function parseShellText(modelText: string, shown = ''): ShellText {
  const lines = modelText.split('\n');
  const footer = new Map<string, string>();
  const lastShown = toLastLine(shown);
  for (let line = lines.at(-1); line !== undefined; line = lines.at(-1)) {
    const [, name, value] = FOOTER.exec(line) ?? [];
    if (name === undefined || value === undefined || footer.has(name) || line === lastShown) break;
    footer.set(name, value);
    lines.pop();
  }
  return dropAbsent({ text: toPrinted(lines.join('\n')), exitCode: findExitCode(footer) });
}

/** Only a code other than 0 is stated; a process group shows that the process ran. */
function findExitCode(footer: ReadonlyMap<string, string>): number | undefined {
  const code = toNumber(footer.get('Exit Code'));
  if (code !== undefined && code !== 0) return code;
  const signal = footer.get('Signal');
  if (signal !== undefined && signal !== EMPTY_FIELD) return SIGNAL_BASE + (toNumber(signal) ?? 0);
  return code ?? (footer.has('Process Group PGID') ? 0 : undefined);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

/** Older builds repeated the command and its folder in front, and wrote an error line without an error. */
function toPrinted(text: string): string {
  const output = text.replace(/^Command: [\s\S]*?\nDirectory: .*\n(?=Output: )/, '').replace(/\nError: \(none\)$/, '');
  const printed = output.startsWith('Output: ') ? output.slice('Output: '.length) : output;
  return printed === NOTHING_PRINTED ? '' : printed;
}

function toLastLine(text: string): string | undefined {
  return text === '' ? undefined : text.trimEnd().split('\n').at(-1);
}
