/** The capabilities of an agent in words, for `doctor`, `install` and the table in `docs/reference/agents.md`. */

import type { AgentCapabilities } from '../../base/contracts/agent-capabilities.ts';

/** Heading -> words, in the order of the table. */
export function describeCapabilities(can: AgentCapabilities): Readonly<Record<string, string>> {
  return {
    ...describeDelivery(can),
    'sub-agents': SUBAGENTS[can.subagents],
    'calls are recorded': CALLS[can.calls],
    'exit codes': EXIT_CODES[can.exitCodes],
  };
}

/** How lessons reach the agent. */
export function describeDelivery(can: AgentCapabilities): Readonly<Record<string, string>> {
  return {
    'a lesson about a call': [...listNotes(can), ...can.beforeCall.filter((mode) => mode !== 'note')].join(', '),
    'a known fix at the failure': FIXES[can.knownFixes],
    'lessons at the start of a session': can.sessionStart ? 'yes' : 'no',
  };
}

function listNotes({ beforeCall, withResult }: AgentCapabilities): readonly string[] {
  if (beforeCall.includes('note')) return ['note'];
  if (withResult === 'none') return [];
  return [withResult === 'all' ? 'note after the call' : 'note after the call, unless the tool reports an error'];
}

const FIXES = { all: 'yes', commands: 'of commands', none: 'no' } as const;

const SUBAGENTS = {
  greeted: 'hear each lesson themselves, and are told at their start how to report one',
  named: 'hear each lesson themselves',
  unmarked: 'count as the main conversation',
} as const;

const CALLS = {
  hooks: 'at once, by the hooks',
  'session file': 'at the next call, from the session file',
  'late file': 'within half a minute after the agent has written its session file',
} as const;

const EXIT_CODES = {
  hooks: 'known at once',
  '0 or 1': 'known at once, as 0 or 1',
  'session file': 'read from the session file',
} as const;
