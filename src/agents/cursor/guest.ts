/**
 * Cursor as a guest, from the code of its hook engine (`@cursor/sdk` 1.0.32), not from a recording. It runs Claude's
 * user, project and local settings and Claude's plugins. It sends no failure event there, so timeouts and refusals stay
 * unknown.
 */

import { dropAbsent, parseRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import type { Guest } from '../claude-code/guest.ts';
import { findNumber, findText } from '../wire.ts';
import { facts } from './facts.ts';

export const cursor: Guest = {
  facts,
  // Edits arrive as Write too.
  tools: { shell: 'Shell', read: 'Read', write: 'Write', grep: 'Grep', task: 'Task' },
  pathKeys: ['file_path', 'path', 'target_file'],
  contentKeys: ['content', 'contents', 'new_string', 'code_edit'],
  findFolder: ({ workspace_roots: roots }) => findText({ root: Array.isArray(roots) ? roots[0] : undefined }, 'root'),
  findResult: (tool, wire) => {
    // JSON text inside the JSON.
    const output = parseRecord(findText(wire, 'tool_output') ?? '') ?? {};
    const exitCode = findNumber(output, 'exitCode');
    // 0 or 1, whatever the program's own exit code was.
    if (tool === 'shell' && exitCode === undefined) return undefined;
    return dropAbsent({
      isError: false,
      exitCode: tool === 'shell' ? exitCode : undefined,
      text: cutText(findText(output, 'output') ?? ''),
      durationMs: findNumber(wire, 'duration'),
    });
  },
  writeHook: ({ context }) => JSON.stringify({ additional_context: context }),
  // Cursor logs an empty output as a failed hook.
  silence: '{}',
};
