/** The names, keys and results of Cursor's calls, in the hooks of its own settings and of Claude's. */
import type { CallResult, EventOrigin } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent, parseRecord } from '../../base/records.ts';
import { type CallFacts, cutText } from '../calls.ts';
import { findNumber, findText, type Wire } from '../wire.ts';

export const CALL_FACTS: CallFacts = {
  // Edits arrive as Write too.
  tools: { shell: 'Shell', read: 'Read', write: 'Write', grep: 'Grep', task: 'Task' },
  pathKeys: ['file_path', 'path', 'target_file'],
  contentKeys: ['content', 'contents', 'new_string', 'code_edit'],
};

/** The folder, if the payload has no `cwd`. */
export function findFolder({ workspace_roots: roots }: Wire): string | undefined {
  return findText({ root: Array.isArray(roots) ? roots[0] : undefined }, 'root');
}

/** Undefined if the payload does not tell how the command ended. */
export function findHookResult(tool: ToolName, wire: Wire): CallResult | undefined {
  // JSON text inside the JSON.
  const output = parseRecord(findText(wire, 'tool_output') ?? '') ?? {};
  // 0 or 1, whatever the program's own exit code was.
  const exitCode = findNumber(output, 'exitCode');
  if (tool === 'shell' && exitCode === undefined) return undefined;
  return dropAbsent({
    isError: false,
    exitCode: tool === 'shell' ? exitCode : undefined,
    text: cutText(findText(output, 'output') ?? ''),
    durationMs: findNumber(wire, 'duration'),
  });
}

/** The call that started a sub-agent stands for it. Undefined for the main conversation. */
export function findSubagent(wire: Wire): Pick<EventOrigin, 'sessionId' | 'contextId'> | undefined {
  const [sessionId, contextId] = [findText(wire, 'session_id'), findText(wire, 'parent_tool_call_id')];
  return sessionId === undefined || contextId === undefined ? undefined : { sessionId, contextId };
}
