/**
 * Copilot CLI as a guest, from recordings of 1.0.102. It runs a repository's `.claude/settings*.json`, never the
 * user's, and then uses Claude's names of events and tools. Its calls have no id, so
 * its log reports them, and a hook's report of a call is only answered.
 */

import type { Guest } from '../claude-code/guest.ts';
import { findText, findWire } from '../wire.ts';
import { facts } from './facts.ts';
import { findHookResult } from './results.ts';
import { toSubagent } from './subagents.ts';

export const copilot: Guest = {
  facts,
  tools: { shell: 'Bash', read: 'Read', edit: 'Edit', write: 'Write', glob: 'Glob', grep: 'Grep', task: 'Agent' },
  pathKeys: ['path'],
  contentKeys: ['file_text', 'new_str'],
  hasNoIds: true,
  findSubagent: ({ agent_id: id, parent_agent_id: parent }) => toSubagent(id, parent),
  findResult: (tool, wire) => {
    const result = findWire(wire, 'tool_result');
    const text = (result && findText(result, 'text_result_for_llm')) ?? '';
    const error = findText(wire, 'error');
    return error === undefined && result?.result_type !== 'success' ? undefined : findHookResult(tool, error, text);
  },
  // The task of a sub-agent arrives as a prompt too.
  isHuman: (wire) => !Object.hasOwn(wire, 'parent_agent_id'),
  // At the top level the text counts for every event, nested only before a call.
  writeHook: ({ context }) => JSON.stringify({ additionalContext: context }),
};
