/** The names and keys of OpenCode's calls, in its history and in our plugin. */
import type { StartedCall } from '../../base/model/event.ts';
import { type CallFacts, toStartedCall } from '../calls.ts';

const CALL_FACTS: CallFacts = {
  tools: {
    shell: 'bash',
    read: 'read',
    edit: 'edit multiedit patch apply_patch',
    write: 'write',
    glob: 'glob list',
    grep: 'grep',
    task: 'task',
    web: 'webfetch websearch codesearch',
    // OpenCode's own tools with an underscore, which do not belong to an MCP server.
    other: `plan_enter plan_exit lsp_diagnostics lsp_hover list_mcp_resources list_mcp_resource_templates read_mcp_resource`,
  },
  // `server_tool`: the end of the server's name is unknown. A tool of the project looks the same.
  mcp: /^(?<server>[^_]+)_(?<tool>.+)$/s,
  pathKeys: ['filePath'],
  contentKeys: ['newString', 'content', 'patchText'],
  patchKey: 'patchText',
};

/** A call as OpenCode's history and hooks contain it. */
export function readToolCall(rawTool: string, input: unknown, callId: string): StartedCall {
  return toStartedCall(CALL_FACTS, rawTool, input, callId);
}
