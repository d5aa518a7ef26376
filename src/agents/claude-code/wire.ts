/**
 * The wire shapes of Claude Code, as far as we read them. Every field may be missing, because it is other people's
 * software and changes weekly.
 */

import { isRecord } from '../../base/records.ts';
import { findText, type Wire } from '../wire.ts';

/** A hook event. `agent_id` is present only inside a sub-agent; `agent_type` also names a main conversation's agent. */
export interface HookWire extends Wire {
  readonly session_id: string;
}

/** One call: at the top level in tool events, one per element of `tool_calls` in PostToolBatch. */
export interface ToolWire extends Wire {
  readonly tool_name: string;
  /** PostToolUse: the tool's own output object. PostToolBatch: the text or blocks that the model sees. */
  readonly tool_response?: unknown;
}

/** One line of a transcript that belongs to the conversation. */
export interface RowWire extends Wire {
  readonly type: string;
}

export function isHookWire(value: unknown): value is HookWire {
  return isRecord(value) && findText(value, 'session_id') !== undefined;
}

export function isToolWire(value: unknown): value is ToolWire {
  return isRecord(value) && findText(value, 'tool_name') !== undefined;
}

export function isRowWire(value: unknown): value is RowWire {
  return isRecord(value) && findText(value, 'type') !== undefined;
}
