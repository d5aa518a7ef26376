/**
 * VS Code's own agent as a guest, from its documentation (hooks are a preview there), not from a recording. It runs
 * Claude's user, project and local settings and replies like Claude Code. How it reports a failing command is not
 * documented, so the ends of shell calls are not counted.
 */

import { cutText } from '../calls.ts';
import type { Guest } from '../claude-code/guest.ts';
import { writeNote } from '../hook-events.ts';
import { findText } from '../wire.ts';
import { facts } from './facts.ts';

export const vscode: Guest = {
  facts,
  tools: {
    shell: 'run_in_terminal',
    write: 'create_file',
    edit: 'replace_string_in_file insert_edit_into_file',
    read: 'read_file',
    glob: 'file_search',
    grep: 'grep_search',
    task: 'runSubagent',
    web: 'fetch_webpage',
  },
  pathKeys: ['filePath'],
  contentKeys: ['content', 'newString', 'code'],
  // The event itself says that the tool completed.
  findResult: (tool, wire) =>
    tool === 'shell' || tool === 'other'
      ? undefined
      : { isError: false, text: cutText(findText(wire, 'tool_response') ?? '') },
  writeHook: writeNote,
};
