/** How a call ended, from its record. */
import type { CallResult } from '../../base/outcome.ts';
import type { ToolName } from '../../base/tool.ts';
import { cutText } from '../cut-text.ts';
import { findText, findWire, toWires, type Wire } from '../wire.ts';
import { findMeaning } from './find-meaning.ts';
import { parseShellText } from './parse-shell-text.ts';

const FINAL = new Set(['success', 'error', 'cancelled']);

/** Undefined for a call that is still under way. */
export function findResult(tool: ToolName, record: Wire): CallResult | undefined {
  const status = findText(record, 'status') ?? '';
  if (!FINAL.has(status)) return undefined;
  const shown = findText(record, 'resultDisplay') ?? '';
  const told = findTold(record);
  if (status !== 'success') return toFailedResult(status, told ?? shown, shown);
  return tool === 'shell' ? toShellResult(told ?? '', shown) : { isError: false, text: cutText(told ?? '') };
}

function toFailedResult(status: string, told: string, shown: string): CallResult {
  const meaning = findMeaning(status, told, shown);
  return {
    isError: true,
    text: cutText(told),
    ...(meaning?.kind === 'denied' ? { denied: { by: meaning.by } } : {}),
    ...(meaning?.kind === 'cancelled' ? { cancelled: true } : {}),
  };
}

const BACKGROUND = /^Command moved to background \(PID: \d+\)/;
const STOPPED = /^Command was cancelled by user before it could /;
const TIMED_OUT = /^Command was automatically cancelled because it exceeded the timeout of /;

/** A command that fails is a success to Gemini CLI; its text tells the code. */
function toShellResult(told: string, shown: string): CallResult {
  if (BACKGROUND.test(told)) return { isError: false, text: '', background: true };
  if (STOPPED.test(told)) return { isError: false, text: cutText(told), cancelled: true };
  if (TIMED_OUT.test(told)) return { isError: true, text: cutText(told) };
  const { text, exitCode } = parseShellText(told, shown);
  return { isError: false, ...(exitCode === undefined ? {} : { exitCode }), text: cutText(text) };
}

/**
 * What the model was told. A list can hold the answers to sibling calls too (a checkpoint files the whole turn under
 * each of them): only the one that names this call counts, or the only one there is, where none has a name.
 */
function findTold(record: Wire): string | undefined {
  const responses = toWires(toWires(record.result).map((part) => part.functionResponse));
  const named = responses.find((response) => response.id === record.id);
  const only = responses.length === 1 && responses[0]?.id === undefined ? responses[0] : undefined;
  const response = findWire(named ?? only ?? {}, 'response');
  if (response === undefined) return undefined;
  return toPlainText(findText(response, 'error') ?? findText(response, 'output') ?? '');
}

const WRAPPED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/;
const HOOK_OPEN = '<hook_context>';
const HOOK_CLOSE = '</hook_context>';

/** Without what the harness wrote around it; what hooks added stands behind the result. */
function toPlainText(text: string): string {
  const at = text.lastIndexOf(HOOK_OPEN);
  const isAdded = at !== -1 && text.trimEnd().endsWith(HOOK_CLOSE);
  const bare = isAdded ? text.slice(0, at).replace(/\n\n$/, '') : text;
  return WRAPPED.exec(bare)?.[1] ?? bare;
}
