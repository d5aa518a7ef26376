/** What Claude Code keeps of its sessions: one JSONL file each, and one for each sub-agent. */
import type { AgentHistory } from '../../base/agent-history.ts';
import { facts } from './facts.ts';
import { openTranscript } from './open-transcript.ts';

/** In the first rows of every file, whatever their kind. */
const MARKS = /"(?:sessionId|parentUuid|leafUuid|isSidechain|file-history-snapshot)"/;

export const claudeCodeHistory: AgentHistory = {
  agent: facts.id,
  name: facts.name,
  home: facts.home,
  places: ['projects'],
  formats: [{ kind: 'lines', file: /\.jsonl$/, isOurs: (head) => MARKS.test(head), open: openTranscript }],
  version: 3,
};
