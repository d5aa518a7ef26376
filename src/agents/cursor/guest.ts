/**
 * Cursor as a guest, from the code of its hook engine (`@cursor/sdk` 1.0.32), not from a recording. It runs Claude's
 * user, project and local settings and Claude's plugins. It sends no failure event there, so timeouts and refusals stay
 * unknown.
 */

import { dropAbsent, parseRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import type { Guest } from '../claude-code/guest.ts';
import { findNumber, findText, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

export const cursor: Guest = {
  facts,
  // Edits arrive as Write too.
  tools: { shell: 'Shell', read: 'Read', write: 'Write', grep: 'Grep', task: 'Task' },
  pathKeys: ['file_path', 'path', 'target_file'],
  contentKeys: ['content', 'contents', 'new_string', 'code_edit'],
  findCwd: (wire) => findText(wire, 'cwd') ?? findRoot(wire),
  hasCallIds: true,
  findCallId: (wire) => findText(wire, 'tool_use_id'),
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
  isHuman: () => true,
  writeHook: ({ context }) => JSON.stringify({ additional_context: context }),
  // Cursor logs an empty output as a failed hook.
  silence: '{}',
};

function findRoot(wire: Wire): string | undefined {
  const [root] = Array.isArray(wire.workspace_roots) ? wire.workspace_roots : [];
  return typeof root === 'string' && root !== '' ? root : undefined;
}
