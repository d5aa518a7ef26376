/** What Claude Code keeps of its sessions: one JSONL file each, and one for each sub-agent. */
import type { AgentHistory } from '../../base/agent-history.ts';
import { decodeRow } from './decode-row.ts';
import { facts } from './facts.ts';
import { openTranscript } from './open-transcript.ts';
import { isKnownKind } from './row-kinds.ts';

/** Names that no other agent has. Quotes in a text are escaped: a session that quotes such a row does not match. */
const MARKS = /"(?:parentUuid|leafUuid|isSidechain)":|^\s*\{"type":"file-history-snapshot"/;
/** A file may begin with notes about the session, which have nothing but its id. */
const NOTE = /^\s*\{"type":"([^"]{1,60})",(?=[\s\S]*"sessionId":)/;

function isOurs(head: string): boolean {
  return MARKS.test(head) || isKnownKind(NOTE.exec(head)?.[1] ?? '');
}

export const claudeCodeHistory: AgentHistory = {
  agent: facts.id,
  name: facts.name,
  home: facts.home,
  places: ['projects'],
  formats: [{ kind: 'lines', file: /\.jsonl$/, isOurs, open: openTranscript, decode: decodeRow }],
  version: 5,
};
