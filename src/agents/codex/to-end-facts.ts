/** How a call ended, from the row in which Codex tells it with all it knows: an item, or an event of a legacy file. */
import type { Denial } from '../../base/outcome.ts';
import { cutText } from '../cut-text.ts';
import { findNumber, findText, findWire, isWire, toWires, type Wire } from '../wire.ts';
import { findDurationMs } from './codex-wire.ts';
import { findMeaning } from './find-meaning.ts';

export interface EndFacts {
  readonly isError: boolean;
  readonly exitCode?: number;
  /** Absent where the row does not hold the output. */
  readonly text?: string;
  readonly denied?: Denial;
  readonly durationMs?: number;
  /** The number by which the agent speaks to the command. */
  readonly processId?: string;
}

/** `CommandExecution`, `exec_command_end`. */
export function toCommandFacts(wire: Wire): EndFacts {
  const text = findText(wire, 'aggregated_output') ?? toPrinted(wire);
  const code = findNumber(wire, 'exit_code');
  const processId = findText(wire, 'process_id');
  const base = { text: cutText(text), ...toDuration(wire), ...(processId === undefined ? {} : { processId }) };
  if (wire.status === 'declined') return { ...base, isError: true, denied: toDenial(text) };
  // Codex's own code for what never became a process.
  if (code === undefined || code < 0) return { ...base, isError: wire.status !== 'completed' };
  return { ...base, isError: code !== 0, exitCode: code };
}

/** `FileChange`, `patch_apply_end`. */
export function toPatchFacts(wire: Wire): EndFacts {
  const text = toPrinted(wire);
  const isDone = wire.status === 'completed' || (wire.status === undefined && wire.success !== false);
  const denied = wire.status === 'declined' ? { denied: toDenial(text) } : {};
  return { isError: !isDone, ...(text === '' ? {} : { text: cutText(text) }), ...denied, ...toDuration(wire) };
}

/** `McpToolCall`, `mcp_tool_call_end`: a result with a flag of its own, or an error. */
export function toMcpFacts(wire: Wire): EndFacts {
  const told = findWire(wire, 'result') ?? {};
  const result = findWire(told, 'Ok') ?? findWire(told, 'ok') ?? told;
  const error = findText(told, 'Err') ?? findText(told, 'err') ?? toErrorText(wire.error);
  const text = error ?? toBlocksText(result.content);
  const isError =
    error !== undefined || result.isError === true || result.is_error === true || wire.status === 'failed';
  const meaning = error === undefined ? undefined : findMeaning(error);
  const denied = meaning !== undefined && 'denied' in meaning ? meaning : {};
  return { isError, ...(text === '' ? {} : { text: cutText(text) }), ...denied, ...toDuration(wire) };
}

/** `DynamicToolCall`, `dynamic_tool_call_response`, `CollabAgentToolCall`: done or not. */
export function toPlainFacts(wire: Wire): EndFacts {
  const text = toErrorText(wire.error) ?? toBlocksText(wire.content_items);
  const isError = wire.success === false || wire.status === 'failed' || toErrorText(wire.error) !== undefined;
  return { isError, ...(text === '' ? {} : { text: cutText(text) }), ...toDuration(wire) };
}

export function toBlocksText(blocks: unknown): string {
  return toWires(blocks)
    .map((block) => findText(block, 'text') ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

function toDenial(text: string): Denial {
  const meaning = findMeaning(text);
  return meaning !== undefined && 'denied' in meaning ? meaning.denied : { by: 'rule' };
}

function toPrinted(wire: Wire): string {
  return [findText(wire, 'stdout'), findText(wire, 'stderr')].filter((text) => text !== undefined).join('\n');
}

function toErrorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error || undefined;
  return isWire(error) ? findText(error, 'message') : undefined;
}

function toDuration(wire: Wire): Pick<EndFacts, 'durationMs'> {
  const durationMs = findDurationMs(wire);
  return durationMs === undefined ? {} : { durationMs };
}
