/**
 * What OpenCode keeps of its sessions: a database for all of them, before that a JSON file for each session, message
 * and part, and what people export.
 */
import type { AgentHistory } from '../../base/agent-history.ts';
import { findText, isWire } from '../wire.ts';
import { facts } from './facts.ts';
import { openDatabaseSession } from './open-database-session.ts';
import { openSession } from './open-session.ts';
import { readExport } from './read-export.ts';

/** `+` keeps from walking an index and looking up every row: the tables are read once, front to back. */
const SESSIONS = `
  SELECT s.id, s.parent_id, s.directory, s.version, s.time_created,
         max(s.time_updated, ifnull(m.at, 0), ifnull(p.at, 0)) AS touched
  FROM session s
  LEFT JOIN (SELECT session_id, max(time_updated) AS at FROM message GROUP BY +session_id) m ON m.session_id = s.id
  LEFT JOIN (SELECT session_id, max(time_updated) AS at FROM part GROUP BY +session_id) p ON p.session_id = s.id
  WHERE touched >= :since
  ORDER BY s.time_created, s.id`;
const MESSAGES = 'SELECT id, data FROM message WHERE session_id = :id ORDER BY time_created, id';
const PARTS = 'SELECT id, data FROM part WHERE message_id = :id ORDER BY id';
/** What the next engine of OpenCode writes, beside these tables or instead of them. */
const NEWER = `
  SELECT count(*) AS n FROM (SELECT DISTINCT session_id FROM session_message)
  WHERE session_id NOT IN (SELECT session_id FROM message)`;

/** A name that cannot lead out of its folder. */
const ID = /^[\w-]+$/;

export const opencodeHistory: AgentHistory = {
  agent: facts.id,
  name: facts.name,
  home: facts.home,
  places: ['opencode'],
  // An absolute path, or one in the folder of the data. `:memory:` leaves nothing to read.
  file: { env: 'OPENCODE_DB', in: 'opencode' },
  closed: /\/(?:opencode\/(?:snapshot|log|repos|bin|tool-output|worktree)|storage\/(?!session$)[^/]+)$/,
  formats: [
    {
      kind: 'database',
      file: /(?:^|\/)opencode(?:-[\w.-]+)?\.db$/,
      isOurs: (head) => head.startsWith('SQLite format 3'),
      tables: {
        session: ['id', 'parent_id', 'directory', 'version', 'time_created', 'time_updated'],
        message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
        part: ['id', 'message_id', 'session_id', 'time_updated', 'data'],
      },
      sessions: SESSIONS,
      below: [MESSAGES, PARTS],
      unread: { 'session of a newer format': NEWER },
      open: openDatabaseSession,
    },
    {
      kind: 'tree',
      file: /\/storage\/session\/[^/]+\/[^/]+\.json$/,
      isOurs: (head) => /"id"\s*:\s*"ses_/.test(head),
      below: [(session) => toFolder('message', session), (message) => toFolder('part', message)],
      open: openSession,
    },
    {
      kind: 'document',
      file: /\.json$/,
      isElsewhere: true,
      isOurs: (head) => /^\s*\{\s*"info"\s*:\s*\{/.test(head) && /"id"\s*:\s*"ses_/.test(head),
      read: readExport,
    },
  ],
  version: 1,
};

function toFolder(kind: string, record: unknown): string | undefined {
  const id = isWire(record) ? findText(record, 'id') : undefined;
  return id !== undefined && ID.test(id) ? `../../${kind}/${id}` : undefined;
}
