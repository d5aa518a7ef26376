/** What Copilot CLI keeps of its sessions, from recordings of 1.0.102 and its own schema: a log of events each. */
import type { AgentHistory } from '../../base/agent-history.ts';
import { copilot } from '../guests/copilot.ts';
import { openEvents } from './open-events.ts';

/** The first record of every log. */
const FIRST = /"type":\s*"session\.start"/;

export const copilotHistory: AgentHistory = {
  agent: copilot.id,
  name: copilot.name,
  home: { env: 'COPILOT_HOME', folder: '.copilot' },
  places: ['session-state'],
  closed: /\/(?:rewind-file-snapshots|checkpoints)$/,
  formats: [
    {
      kind: 'lines',
      file: /(?:^|\/)events\.jsonl$|\/session-state\/[^/]+\.jsonl$/,
      isOurs: (head) => FIRST.test(head),
      open: openEvents,
    },
  ],
  version: 1,
};
