/**
 * Reads the chats of Gemini CLI, as recorded with version 0.61.0: one log per session and one per sub-agent, beside the
 * folder of the session's project; older builds wrote one JSON document instead. Log lines add, change or withdraw
 * messages, or state facts of the session. Withdrawn messages did happen, so their events stay.
 */

import type { AgentHistory, DocumentRead, LineReader, SessionFile } from '../../base/contracts/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { makeOrigin, NOTHING, openSkips } from '../history-events.ts';
import { findText, findWire, parseLine, parseMemo, toWires, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { openMessages } from './messages.ts';
import { toText } from './prompts.ts';
import { REFUSALS } from './results.ts';

/** Present in the first line of a log, and among the first keys of a document. */
const isOurs = (head: string): boolean => /"sessionId":\s*"/.test(head) && /"projectHash":\s*"/.test(head);

/** The path of a chat shows its project: `…/<project>/chats/session-….jsonl`, a sub-agent's one folder deeper. */
const ROOT_FILE = '../.project_root';
const SUBAGENT_ROOT_FILE = '../../.project_root';

/** A resumed session repeats its last summary; older ones are gone from it. */
const MAX_SUMMARIES = 4;

/** Gemini CLI asks the model for a summary with this tag, and writes this answer in the model's name. */
const SUMMARY_TAG = '<state_snapshot>';
const SUMMARY_ANSWER = 'Got it. Thanks for the additional context!';

export const geminiHistory: AgentHistory = {
  facts,
  refusals: REFUSALS,
  places: ['tmp'],
  closed: /\/(?:tool-outputs|plans|logs)$/,
  formats: [
    {
      kind: 'lines',
      file: /\/chats\/(?:[^/]+\/)?[^/]+\.jsonl$|(?:^|\/)session-[^/]+\.jsonl$/,
      isOurs,
      beside: [ROOT_FILE, SUBAGENT_ROOT_FILE],
      open: openChat,
    },
    { kind: 'document', file: /(?:^|\/)session-[^/]+\.json$/, isOurs, beside: [ROOT_FILE], read: readChat },
  ],
  version: 2,
};

export function openChat(file: SessionFile): LineReader {
  const { skipped, skip } = openSkips();
  const session = openSession(toChatPlace(file), file.memo);
  const messages = openMessages(session.toOrigin, skip);
  /** A reader that continues in the middle skips older calls, because an earlier reader reported them. */
  const which = file.memo === undefined ? 'all' : 'waiting';

  const readCheckpoint = (all: readonly Wire[], line: number): readonly AgentEvent[] => {
    const calls = all.flatMap((message) => messages.repeat(message, line, which));
    return [...calls, ...readSummary(all, line)];
  };

  const readSummary = (all: readonly Wire[], line: number): readonly AgentEvent[] => {
    const summary = findSummary(all);
    const id = summary && findText(summary, 'id');
    const at = summary && findText(summary, 'timestamp');
    if (id === undefined || at === undefined || !session.noteSummary(id)) return NOTHING;
    return [{ ...session.toOrigin(at, line), kind: 'compacted' }];
  };

  const readRecord = (record: Wire, line: number): readonly AgentEvent[] => {
    if (typeof record.$rewindTo === 'string') return NOTHING;
    if (typeof record.id === 'string') return messages.add(record, line);
    const update = findWire(record, '$set') ?? (isSessionFacts(record) ? record : undefined);
    if (update === undefined) return skip(`unknown record: ${toShape(record)}`);
    session.note(update);
    return readCheckpoint(toWires(update.messages), line);
  };

  return {
    skipped,
    get pendingLine() {
      return messages.oldestLine;
    },
    get memo() {
      return session.memo;
    },
    leave: messages.leave,
    read(text, line) {
      if (!mayMatter(text)) return NOTHING;
      const { rows, fault } = parseLine(text);
      if (fault !== undefined) skip(fault);
      return rows.flatMap((record) => readRecord(record, line));
    },
  };
}

/** Half of a chat only states that it was changed, or repeats answers that the calls already contain. */
function mayMatter(text: string): boolean {
  if (text === '' || text.startsWith('{"$set":{"lastUpdated":')) return false;
  return !text.startsWith('{"id":') || !text.includes('"type":"user","content":[{"functionResponse":');
}

function isSessionFacts(record: Wire): boolean {
  return typeof record.sessionId === 'string' && typeof record.projectHash === 'string';
}

/** A record has no type of its own, so its first key names its shape. */
function toShape(record: Wire): string {
  return (Object.keys(record)[0] ?? 'empty').slice(0, 40);
}

/** Reads a chat of an older build: one document, rewritten at every change. */
export function readChat(document: unknown, file: SessionFile): DocumentRead {
  const { skipped, skip } = openSkips();
  if (!isRecord(document) || !Array.isArray(document.messages)) return { events: skip('not a chat'), skipped };
  const session = openSession(toChatPlace(file));
  session.note(document);
  const messages = openMessages(session.toOrigin, skip);
  const events = toWires(document.messages).flatMap((message) => messages.add(message));
  return { events, left: messages.leave(), skipped };
}

interface ChatSession {
  /** Facts of the session, from a line or a document. */
  note(facts: Wire): void;
  /** Is this summary new? */
  noteSummary(id: string): boolean;
  toOrigin(at: string, line: number | undefined): EventOrigin;
  /** Undefined if there is nothing to note. */
  readonly memo: string | undefined;
}

function openSession(place: ChatPlace, memo?: string): ChatSession {
  const noted = parseMemo(memo);
  let sessionId = findText(noted, 'sessionId');
  let folder = findText(noted, 'folder');
  let summaries = Array.isArray(noted.summaries) ? noted.summaries.filter((id) => typeof id === 'string') : [];

  return {
    note(facts) {
      sessionId = findText(facts, 'sessionId') ?? sessionId;
      folder = findFolder(facts) ?? folder;
    },
    noteSummary(id) {
      if (summaries.includes(id)) return false;
      summaries = [...summaries, id].slice(-MAX_SUMMARIES);
      return true;
    },
    toOrigin(at, line) {
      const isSubagent = place.contextId !== '';
      return makeOrigin({
        agent: facts.id,
        sessionId: isSubagent ? place.sessionId : (sessionId ?? place.sessionId),
        contextId: isSubagent ? (sessionId ?? place.contextId) : '',
        at,
        cwd: place.cwd ?? folder,
        transcriptPath: place.path,
        line,
      });
    },
    get memo() {
      const isBlank = sessionId === undefined && folder === undefined && summaries.length === 0;
      return isBlank ? undefined : JSON.stringify({ sessionId, folder, summaries });
    },
  };
}

function findFolder(facts: Wire): string | undefined {
  const [folder] = Array.isArray(facts.directories) ? facts.directories : [];
  return typeof folder === 'string' && folder !== '' ? folder : undefined;
}

interface ChatPlace {
  readonly path: string;
  /** The session that a sub-agent's folder names; else a placeholder until the file names it. */
  readonly sessionId: string;
  /** Empty for the main conversation. */
  readonly contextId: string;
  /** The project's folder. */
  readonly cwd?: string;
}

function toChatPlace({ path, beside }: SessionFile): ChatPlace {
  const [folder, parent, name = ''] = `///${path.replaceAll('\\', '/')}`.split('/').slice(-3);
  const id = name.replace(/\.jsonl?$/, '');
  // A project may be called `chats` too.
  const isSubagent = folder === 'chats' && parent !== undefined && parent !== 'chats';
  const cwd = (beside[isSubagent ? SUBAGENT_ROOT_FILE : ROOT_FILE] ?? '').trim();
  const ids = isSubagent ? { sessionId: parent, contextId: id } : { sessionId: id, contextId: '' };
  return dropAbsent({ path, ...ids, cwd: cwd || undefined });
}

/** The summary that replaced the conversation so far, among the messages of a checkpoint. */
function findSummary(messages: readonly Wire[]): Wire | undefined {
  return messages.find((message, index) => {
    if (message.type !== 'user') return false;
    const next = messages[index + 1];
    const isAnswered = next?.type === 'gemini' && toText(next.content) === SUMMARY_ANSWER;
    return isAnswered || toText(message.content).trimStart().startsWith(SUMMARY_TAG);
  });
}
