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
  const acts = can.beforeCall.filter((mode) => mode !== 'note');
  return {
    'before a call': acts.length === 0 ? 'nothing' : `${acts.join(', ')}, if you allow it`,
    'with the result of a call': describeNotes(can),
    'a known fix at the failure': FIXES[can.knownFixes],
    'lessons at the start of a session': can.sessionStart ? 'yes' : 'no',
  };
}

/** A model reads a note that was given before a call together with the result, too. */
function describeNotes({ beforeCall, withResult }: AgentCapabilities): string {
  if (beforeCall.includes('note') || withResult === 'all') return 'note';
  return withResult === 'none' ? 'nothing' : 'note, unless the tool reports an error';
}

const FIXES = { all: 'yes', commands: 'of commands', none: 'no' } as const;

const SUBAGENTS = {
  greeted: 'get each lesson themselves, and are asked at their start to report their mistakes',
  named: 'get each lesson themselves',
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
