/** What `opencode export` writes: one document with the session, its messages and their parts. */
import type { DocumentRead, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent } from '../../base/event.ts';
import { isWire } from '../wire.ts';
import { openSession } from './open-session.ts';

export function readExport(document: unknown, file: SessionFile): DocumentRead {
  if (!isWire(document) || !isWire(document.info) || !Array.isArray(document.messages)) {
    return { events: [], skipped: new Map([['not an exported session', 1]]) };
  }
  const reader = openSession(file);
  const events: AgentEvent[] = [];
  let line = 0;
  const read = (record: unknown, depth: number): void => {
    events.push(...reader.read(record, depth, ++line));
  };
  read(document.info, 0);
  for (const message of document.messages as readonly unknown[]) {
    read(isWire(message) ? message.info : undefined, 1);
    const parts: unknown = isWire(message) ? message.parts : undefined;
    for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) read(part, 2);
  }
  return { events: [...events, ...reader.end()], left: reader.leave(), skipped: reader.skipped };
}
