/** A chat of an older build: one document, written anew at every change. */
import type { DocumentRead, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent } from '../../base/event.ts';
import { isWire, toWires } from '../wire.ts';
import { openMessages } from './open-messages.ts';
import { openSession } from './open-session.ts';
import { toChatPlace } from './to-chat-place.ts';

export function readChat(document: unknown, file: SessionFile): DocumentRead {
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return [];
  };
  if (!isWire(document) || !Array.isArray(document.messages)) return { events: skip('not a chat'), skipped };
  const session = openSession(toChatPlace(file));
  session.note(document);
  const messages = openMessages(session.toOrigin, skip);
  const events = toWires(document.messages).flatMap((message) => messages.add(message));
  return { events, left: messages.leave(), skipped };
}
