/**
 * The wire shapes of Claude Code, as far as we read them. Every field may be missing, because it is other people's
 * software and changes weekly.
 */

import { isRecord } from '../../base/records.ts';
import { findText, type Wire } from '../wire.ts';

/** On every hook event. */
export interface HookWire extends Wire {
  readonly session_id: string;
  readonly hook_event_name?: string;
  readonly transcript_path?: string;
  readonly cwd?: string;
  /** Only inside a sub-agent. */
  readonly agent_id?: string;
  /** The sub-agent's kind; also for a main conversation that was started as an agent, then without `agent_id`. */
  readonly agent_type?: string;
}

/** One call: at the top level in tool events, one per element of `tool_calls` in PostToolBatch. */
export interface ToolWire extends Wire {
  readonly tool_name: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  /** PostToolUse: the tool's own output object. PostToolBatch: the text or blocks that the model sees. */
  readonly tool_response?: unknown;
}

/** One line of a transcript that belongs to the conversation. */
export interface RowWire extends Wire {
  readonly type: string;
  readonly sessionId?: string;
  readonly timestamp?: string;
  readonly isSidechain?: boolean;
  readonly agentId?: string;
  readonly message?: Wire;
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
