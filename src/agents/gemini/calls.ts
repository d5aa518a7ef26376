/** Gemini CLI's names of its tools, and the keys of their inputs. */
import type { CallFacts } from '../calls.ts';

/** Names of older builds included. */
export const CALL_FACTS: CallFacts = {
  tools: {
    shell: 'run_shell_command',
    edit: 'replace',
    write: 'write_file',
    read: 'read_file read_many_files',
    glob: 'glob list_directory',
    grep: 'grep_search search_file_content',
    task: 'invoke_agent delegate_to_agent',
    web: 'web_fetch google_web_search',
  },
  // `mcp_server_tool`: for a server with an underscore in its name, the border to the tool's name is unknown.
  mcp: /^mcp_+(?<server>[^_].*?)_+(?<tool>.+)$/,
  pathKeys: ['file_path', 'absolute_path'],
  contentKeys: ['new_string', 'content'],
};
