/**
 * A reader for Gemini CLI's chats: a log whose lines add a message, change one, take some back, or note facts of the
 * session. What was taken back did happen: nothing that was told is untold.
 */
import type { LineReader, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent } from '../../base/event.ts';
import { parseLine } from '../parse-line.ts';
import { findText, findWire, toWires, type Wire } from '../wire.ts';
import { findSummary } from './find-summary.ts';
import { openMessages } from './open-messages.ts';
import { openSession } from './open-session.ts';
import { toChatPlace } from './to-chat-place.ts';

const NOTHING: readonly AgentEvent[] = [];

export function openChat(file: SessionFile): LineReader {
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return NOTHING;
  };
  const session = openSession(toChatPlace(file), file.memo);
  const messages = openMessages(session.toOrigin, skip);
  /** Where reading goes on in the middle, older calls were told by an earlier reader. */
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
      if (!mayTell(text)) return NOTHING;
      const { rows, fault } = parseLine(text);
      if (fault !== undefined) skip(fault);
      return rows.flatMap((record) => readRecord(record, line));
    },
  };
}

/** Half of a chat says that it was changed just now, or repeats the answers that the calls already hold. */
function mayTell(text: string): boolean {
  if (text === '' || text.startsWith('{"$set":{"lastUpdated":')) return false;
  return !text.startsWith('{"id":') || !text.includes('"type":"user","content":[{"functionResponse":');
}

function isSessionFacts(record: Wire): boolean {
  return typeof record.sessionId === 'string' && typeof record.projectHash === 'string';
}

/** A record has no type of its own: what its first key is called. */
function toShape(record: Wire): string {
  return (Object.keys(record)[0] ?? 'empty').slice(0, 40);
}
