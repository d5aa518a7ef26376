/**
 * The names and keys of Claude Code's calls (in a hook, a batch or a transcript). Hooks and transcripts write the same
 * input differently, so its JSON is normalized to the same text for both.
 */

import type { StartedCall } from '../../base/model/event.ts';
import { isRecord } from '../../base/records.ts';
import { type CallFacts, MCP_NAME, toStartedCall } from '../calls.ts';
import type { Wire } from '../wire.ts';

export const CALL_FACTS: CallFacts = {
  tools: {
    shell: 'Bash PowerShell',
    edit: 'Edit MultiEdit NotebookEdit',
    write: 'Write',
    read: 'Read',
    glob: 'Glob',
    grep: 'Grep',
    task: 'Agent Task',
    web: 'WebFetch WebSearch',
  },
  mcp: MCP_NAME,
  pathKeys: ['file_path', 'notebook_path'],
  contentKeys: ['new_string', 'new_source', 'content'],
  renderInput,
};

export function readCall(rawTool: string, input: unknown, callId: string): StartedCall {
  return toStartedCall(CALL_FACTS, rawTool, input, callId);
}

/**
 * Renders the same input as the same text, whatever its source: hooks contain it as the tool understood it, reordered
 * and with defaults, a transcript as the model wrote it. Never throws: an input nested too deeply for the stack counts
 * as empty.
 */
function renderInput(input: unknown): string {
  try {
    const isFlat = isRecord(input) && Object.values(input).every((value) => typeof value !== 'object');
    return (isFlat ? JSON.stringify(input, toKeys(input)) : JSON.stringify(input, toPlain)) ?? '';
  } catch {
    return '';
  }
}

const DEFAULTS: Readonly<Record<string, unknown>> = { replace_all: false };

function toKeys(wire: Wire): string[] {
  const keys = Object.keys(wire).filter((key) => !Object.hasOwn(DEFAULTS, key) || DEFAULTS[key] !== wire[key]);
  return keys.sort();
}

function toPlain(_key: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(toKeys(value).map((key) => [key, value[key]])) : value;
}
