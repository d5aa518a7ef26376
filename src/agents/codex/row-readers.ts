/**
 * The table of rollout row readers: for each kind of row, a function that turns the row into events. The reader ignores
 * kinds that are not in the table. A prompt counts only if a person typed it, because Codex also writes to the model in
 * the user's name.
 */

import type { AgentEvent, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { parseRecord } from '../../base/records.ts';
import { findNumber, findText, findTexts, findWire, toBlocksText, toWires, type Wire } from '../wire.ts';
import { findEndedCall, toCustomCall, toCwd, toFunctionCall, toPlainCall, toShellCall } from './calls.ts';
import type { Calls } from './open-calls.ts';
import { type EndFacts, toCommandFacts, toMcpFacts, toPatchFacts, toPlainFacts } from './results.ts';
import type { RowWire } from './rows.ts';
import type { Thread } from './thread.ts';

interface RowContext {
  readonly row: RowWire;
  readonly line: number;
  readonly thread: Thread;
  readonly calls: Calls;
  readonly origin: EventOrigin;
  skip(reason: string): readonly AgentEvent[];
}

type RowReader = (context: RowContext) => readonly AgentEvent[];

/** The beginning of texts that Codex writes in the user's name. */
const HARNESS_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|user_shell_command|subagent_notification|skill|INSTRUCTIONS|user_action|permissions instructions)>|# AGENTS\.md instructions)/;

export const ROW_READERS: ReadonlyMap<string, RowReader> = new Map<string, RowReader>([
  ['response_item/message', readMessage],
  ['response_item/function_call', readCall(toFunctionCall)],
  ['response_item/custom_tool_call', readCall(toCustomCall)],
  ['response_item/local_shell_call', readLocalShell],
  ['response_item/tool_search_call', readToolSearch],
  ['response_item/web_search_call', readHosted('web_search')],
  ['response_item/image_generation_call', readHosted('image_generation')],
  ['response_item/function_call_output', readOutput],
  ['response_item/custom_tool_call_output', readOutput],
  ['response_item/tool_search_output', readOutput],
  ['event_msg/user_message', readPrompt],
  ['event_msg/item_completed/UserMessage', readPrompt],
  ['event_msg/exec_command_end', readFacts(toCommandFacts)],
  ['event_msg/item_completed/CommandExecution', readFacts(toCommandFacts)],
  ['event_msg/patch_apply_end', readFacts(toPatchFacts)],
  ['event_msg/item_completed/FileChange', readFacts(toPatchFacts)],
  ['event_msg/mcp_tool_call_end', readFacts(toMcpFacts)],
  ['event_msg/item_completed/McpToolCall', readFacts(toMcpFacts)],
  ['event_msg/dynamic_tool_call_response', readFacts(toPlainFacts)],
  ['event_msg/item_completed/DynamicToolCall', readFacts(toPlainFacts)],
  ['event_msg/item_completed/CollabAgentToolCall', readFacts(toPlainFacts)],
  ['event_msg/item_completed/ImageView', readFacts(toPlainFacts)],
  ['event_msg/task_started', ({ calls }) => calls.abandon(false)],
  ['event_msg/turn_started', ({ calls }) => calls.abandon(false)],
  ['event_msg/task_complete', ({ origin }) => [{ ...origin, kind: 'turn-ended' }]],
  ['event_msg/turn_complete', ({ origin }) => [{ ...origin, kind: 'turn-ended' }]],
  ['event_msg/turn_aborted', readAbort],
  ['compacted', ({ origin }) => [{ ...origin, kind: 'compacted' }]],
]);

function readCall(toCall: (payload: Wire, id: string, name: string) => StartedCall): RowReader {
  return ({ row: { payload }, line, thread, calls, origin, skip }) => {
    const ids = findTexts(payload, 'call_id', 'name');
    if (ids === undefined) return skip('call without id or tool');
    const call = toCall(payload, ids.call_id, ids.name);
    const workdir =
      call.tool === 'shell' ? findText(parseRecord(findText(payload, 'arguments') ?? '') ?? {}, 'workdir') : undefined;
    const script = call.rawTool === 'exec' ? findText(payload, 'input') : undefined;
    const waiting = { call, origin: toPlaced(origin, toCwd(workdir, thread.cwd)) };
    if (script === undefined) return calls.addCall(waiting, line);
    return calls.addCall({ ...waiting, script: { source: script, isPaged: thread.isPaged === true } }, line);
  };
}

function readLocalShell({ row: { payload }, line, thread, calls, origin, skip }: RowContext): readonly AgentEvent[] {
  const id = findText(payload, 'call_id') ?? findText(payload, 'id');
  const action = findWire(payload, 'action') ?? {};
  if (id === undefined) return skip('call without id or tool');
  const cwd = toCwd(findText(action, 'working_directory'), thread.cwd);
  return calls.addCall({ call: toShellCall(id, 'local_shell', action.command), origin: toPlaced(origin, cwd) }, line);
}

/** Without an id the provider ran the search, and there is no further row about it. */
function readToolSearch({ row: { payload }, line, calls, origin }: RowContext): readonly AgentEvent[] {
  const id = findText(payload, 'call_id');
  return id === undefined
    ? []
    : calls.addCall({ call: toPlainCall(id, 'tool_search', payload.arguments), origin }, line);
}

/** The provider ran the call: one row contains all of it, in older builds without an id. */
function readHosted(rawTool: string): RowReader {
  return ({ row: { payload }, line, calls, origin }) => {
    const id = findText(payload, 'id') ?? `${rawTool}-${line}`;
    const call = toPlainCall(id, rawTool, payload.action ?? { prompt: payload.revised_prompt });
    return calls.addDone({ call, origin }, { isError: payload.status === 'failed', text: '' });
  };
}

function readOutput({ row: { payload }, calls, origin, skip }: RowContext): readonly AgentEvent[] {
  const id = findText(payload, 'call_id');
  if (id === undefined) return payload.type === 'tool_search_output' ? [] : skip('result without id');
  const text = toOutputText(payload.output);
  // `notify(…)` of a script writes a note under the id of the script, which is not its end.
  if (payload.name === 'exec' && !text.startsWith('Script ')) return [];
  return calls.addOutput(id, { text, toBlocks: () => toOutputBlocks(payload.output) }, origin);
}

function toOutputBlocks(output: unknown): readonly (string | undefined)[] {
  if (!Array.isArray(output)) return [toOutputText(output)];
  return toWires(output).map((block) => (typeof block.text === 'string' ? block.text : undefined));
}

/** A text, a list of blocks, or in old builds an object around either. */
function toOutputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return joinHeader(toWires(output).map((block) => findText(block, 'text') ?? ''));
  const content = findWire({ output }, 'output')?.content;
  return content === undefined ? '' : toOutputText(content);
}

/** Codex's own lines are a separate block, which may lack the final line break. */
function joinHeader(texts: readonly string[]): string {
  return texts.map((text, index) => (index === 0 || texts[index - 1]?.endsWith('\n') ? text : `\n${text}`)).join('');
}

/** Except commands that the user ran in the agent's window, and writes to a running command. */
function readFacts(toFacts: (wire: Wire) => EndFacts): RowReader {
  return ({ row: { payload, kind }, thread, calls, origin, skip }) => {
    const wire = findWire(payload, 'item') ?? payload;
    const id = findText(wire, 'id') ?? findText(wire, 'call_id') ?? findText(wire, 'callId');
    if (wire.source === 'user_shell' || wire.source === 'unified_exec_interaction') return [];
    const call = id === undefined ? undefined : findEndedCall(kind.split('/').at(-1) ?? '', wire, id);
    if (call === undefined) return skip('end without id or tool');
    const at = toTime(findNumber(payload, 'started_at_ms')) ?? origin.at;
    const cwd = toCwd(findText(wire, 'cwd'), thread.cwd);
    return calls.addFacts({ call, origin: { ...toPlaced(origin, cwd), at } }, toFacts(wire), origin.at);
  };
}

function readMessage({ row: { payload }, origin }: RowContext): readonly AgentEvent[] {
  if (payload.role !== 'assistant') return [];
  const text = toBlocksText(payload.content);
  return text === '' ? [] : [{ ...origin, kind: 'said', text }];
}

function readPrompt({ row: { payload }, thread, origin }: RowContext): readonly AgentEvent[] {
  if (thread.isSubagent) return [];
  const item = findWire(payload, 'item');
  // A legacy file has no items, and its messages have a kind if Codex wrote them.
  const isPlain = item !== undefined || (findText(payload, 'kind') ?? 'plain') === 'plain';
  const text = item === undefined ? (findText(payload, 'message') ?? '') : toBlocksText(item.content);
  const isTyped = isPlain && text.trim() !== '' && !HARNESS_TEXT.test(text);
  return isTyped ? [{ ...origin, kind: 'prompted', text }] : [];
}

function readAbort({ row: { payload }, calls, origin }: RowContext): readonly AgentEvent[] {
  const left = calls.abandon(true);
  return payload.reason === 'interrupted' ? [...left, { ...origin, kind: 'interrupted' }] : left;
}

function toPlaced(origin: EventOrigin, cwd: string | undefined): EventOrigin {
  if (cwd === undefined || cwd === origin.cwd) return origin;
  const { repository: _, commit: __, ...elsewhere } = origin;
  const isWithin = origin.cwd !== undefined && cwd.startsWith(`${origin.cwd}/`);
  return { ...(isWithin ? origin : elsewhere), cwd };
}

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
}
