/**
 * Reads the sessions that OpenCode stores: one database for all sessions, in older versions one JSON file per session,
 * message and part, and the documents that `opencode export` writes.
 */

import type { AgentHistory, DocumentRead, RecordReader, SessionFile } from '../../base/contracts/agent-history.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { isRecord, parseRecord } from '../../base/records.ts';
import { findText, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { openSession } from './session.ts';

/** `+` prevents an index lookup for every row, so that the tables are read once from front to back. */
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
/** The tables of OpenCode's next engine, beside or instead of these. */
const NEWER = `
  SELECT count(*) AS n FROM (SELECT DISTINCT session_id FROM session_message)
  WHERE session_id NOT IN (SELECT session_id FROM message)`;

/** A name that cannot lead out of its folder. */
const SAFE_NAME = /^[\w-]+$/;

/** Most of a database is thinking and steps, not worth parsing. The marks of used parts appear literally. */
const USED_PART = /"type"\s*:\s*"(?:tool|text)"/;
const PASSED_PART = /"type"\s*:\s*"(?:reasoning|step-start|step-finish|patch|snapshot)"/;

export const opencodeHistory: AgentHistory = {
  facts,
  places: ['opencode'],
  // An absolute path, or one relative to the data folder. `:memory:` leaves nothing to read.
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
  const id = isRecord(record) ? findText(record, 'id') : undefined;
  return id !== undefined && SAFE_NAME.test(id) ? `../../${kind}/${id}` : undefined;
}

/** A session in OpenCode's database: rows whose `data` is the record as JSON, without the ids that have columns. */
export function openDatabaseSession(file: SessionFile): RecordReader {
  const reader = openSession(file);
  return {
    ...reader,
    read(row, depth, line) {
      if (!isRecord(row)) return reader.read(row, depth, line);
      if (depth === 0) return reader.read(toSession(row), depth, line);
      if (depth === 2 && isPassed(row.data)) return [];
      return reader.read(toRecord(row), depth, line);
    },
  };
}

function toSession({ id, parent_id, directory, version, time_created }: Wire): Wire {
  return { id, parentID: parent_id, directory, version, time: { created: time_created } };
}

function isPassed(data: unknown): boolean {
  return typeof data === 'string' && !USED_PART.test(data) && PASSED_PART.test(data);
}

/** Undefined if the data is not a JSON object. */
function toRecord({ id, data }: Wire): Wire | undefined {
  const record = typeof data === 'string' ? parseRecord(data) : undefined;
  return record && { ...record, id };
}

/** Reads the output of `opencode export`: one document with the session, its messages and their parts. */
export function readExport(document: unknown, file: SessionFile): DocumentRead {
  if (!isRecord(document) || !isRecord(document.info) || !Array.isArray(document.messages)) {
    return { events: [], skipped: new Map([['not an exported session', 1]]) };
  }
  const reader = openSession(file);
  const events: AgentEvent[] = [];
  const callIds = new Set<unknown>();
  let line = 0;
  const read = (record: unknown, depth: number): void => {
    line++;
    events.push(...reader.read(depth === 2 ? toOwnCall(record, line) : record, depth, line));
  };
  // Who publishes a session may have put one word in the place of many ids.
  const toOwnCall = (part: unknown, at: number): unknown => {
    if (!isRecord(part) || typeof part.callID !== 'string') return part;
    const isTaken = callIds.has(part.callID);
    callIds.add(part.callID);
    return isTaken ? { ...part, callID: `${part.callID}#${at}` } : part;
  };
  read(document.info, 0);
  for (const message of document.messages as readonly unknown[]) {
    read(isRecord(message) ? message.info : undefined, 1);
    const parts: unknown = isRecord(message) ? message.parts : undefined;
    for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) read(part, 2);
  }
  return { events: [...events, ...reader.end()], left: reader.leave(), skipped: reader.skipped };
}
