/**
 * Cursor as a guest, from the code of its hook engine (`@cursor/sdk` 1.0.32), not from a recording. It runs Claude's
 * user, project and local settings and Claude's plugins. It sends no failure event there, so timeouts and refusals stay
 * unknown.
 */

import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText } from '../call-texts.ts';
import type { Guest } from '../claude-code/guest.ts';
import type { ToolWire } from '../claude-code/wire.ts';
import { findNumber, findText, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

export const cursor: Guest = {
  facts,
  // Edits arrive as Write too.
  tools: { Shell: 'shell', Read: 'read', Write: 'write', Grep: 'grep', Task: 'task' },
  pathKeys: ['file_path', 'path', 'target_file'],
  contentKeys: ['content', 'contents', 'new_string', 'code_edit'],
  findCwd: (wire) => findText(wire, 'cwd') ?? findRoot(wire),
  hasCallIds: true,
  findCallId: (wire) => findText(wire, 'tool_use_id'),
  findResult: (tool, wire) => {
    const output = parseOutput(wire);
    const exitCode = output === undefined ? undefined : findNumber(output, 'exitCode');
    // 0 or 1, whatever the program's own exit code was.
    if (tool === 'shell' && exitCode === undefined) return undefined;
    const durationMs = findNumber(wire, 'duration');
    return {
      isError: false,
      ...(tool === 'shell' && exitCode !== undefined ? { exitCode } : {}),
      text: cutText((output && findText(output, 'output')) ?? ''),
      ...dropAbsent({ durationMs }),
    };
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

/** JSON text inside the JSON. */
function parseOutput(wire: ToolWire): Wire | undefined {
  try {
    const output: unknown = JSON.parse(findText(wire, 'tool_output') ?? '');
    return isRecord(output) ? output : undefined;
  } catch {
    return undefined;
  }
}
