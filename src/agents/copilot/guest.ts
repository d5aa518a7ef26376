/**
 * Copilot CLI as a guest, from recordings of 1.0.102. It runs a repository's `.claude/settings*.json`, never the
 * user's, and then uses Claude's names of events and tools. Its calls have no id.
 */

import { cutText } from '../calls.ts';
import type { Guest } from '../claude-code/guest.ts';
import { findText, findWire } from '../wire.ts';
import { facts } from './facts.ts';

const EXIT_LINE = /\n?<shellId: \d+ completed with exit code (\d{1,3})>\s*$/;

export const copilot: Guest = {
  facts,
  tools: { shell: 'Bash', read: 'Read', edit: 'Edit', write: 'Write', glob: 'Glob', grep: 'Grep', task: 'Agent' },
  pathKeys: ['path'],
  contentKeys: ['file_text', 'new_str'],
  // The time of its end identifies a call; the same event reported twice has the same time.
  makeCallId: (wire) => {
    const endedAt = findText(wire, 'timestamp');
    return endedAt && `${wire.tool_name}-${endedAt}`;
  },
  findResult: (tool, wire) => {
    const error = findText(wire, 'error');
    if (error !== undefined) return { isError: true, text: cutText(error) };
    const result = findWire(wire, 'tool_result');
    const text = (result && findText(result, 'text_result_for_llm')) ?? '';
    if (result?.result_type !== 'success') return undefined;
    if (tool !== 'shell') return { isError: false, text: cutText(text) };
    // Copilot reports a failing command as a success; only its last line contains the exit code.
    const code = EXIT_LINE.exec(text)?.[1];
    if (code === undefined) return undefined;
    return { isError: false, exitCode: Number(code), text: cutText(text.replace(EXIT_LINE, '')) };
  },
  // The task of a sub-agent arrives as a prompt too.
  isHuman: (wire) => !Object.hasOwn(wire, 'parent_agent_id'),
  // At the top level the text counts for every event, nested only before a call.
  writeHook: ({ context }) => JSON.stringify({ additionalContext: context }),
};
