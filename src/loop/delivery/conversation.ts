/**
 * Reads the last messages of the conversation that makes a call, for lessons with keyword or workflow triggers. Only
 * the end of the file is read, and only if such a lesson asks: a small part first, a larger one if that was not enough.
 * The text is not redacted, so it stays in memory.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { findAdapter } from '../../agents/hooks.ts';
import { type Conversation, type ConversationReader, LAST_MESSAGES } from '../../base/contracts/agent-adapter.ts';
import type { EventOf } from '../../base/model/event.ts';
import type { CallView } from '../../base/triggers/call-view.ts';

/** The larger size is for conversations with long outputs. Earlier text is never read. */
const SIZES = [64 * 1024, 256 * 1024];

export function makeConversation(
  event: EventOf<'call-started'>,
  talk: ConversationReader | undefined = findAdapter(event.agent)?.conversation,
): Required<Pick<CallView, 'messages' | 'workflows'>> {
  // The end of the file is later than a replayed call, so only a live call may read it.
  const tails = openTails(event.source === 'hook' ? talk?.findFile(event) : undefined);
  let found: Conversation | undefined;
  const ask = (isEnough: (one: Conversation) => boolean): Conversation | undefined => {
    while (found === undefined || !isEnough(found)) {
      const tail = tails();
      if (tail === undefined) return found;
      found = talk?.parse(tail, event.contextId);
    }
    return found;
  };
  let messages: readonly string[] | undefined;
  return {
    messages() {
      messages ??= ask((one) => one.messages.length >= LAST_MESSAGES)?.messages.slice(-LAST_MESSAGES);
      return messages;
    },
    workflows() {
      const one = ask(({ workflow }) => workflow !== undefined);
      return one && (one.workflow === undefined ? [] : [one.workflow]);
    },
  };
}

/** Returns a longer end of the file at each call; undefined if there is no more or the file cannot be read. */
function openTails(path: string | undefined): () => string | undefined {
  const sizes = path === undefined ? [] : [...SIZES];
  return () => {
    const size = sizes.shift();
    const end = size === undefined ? undefined : readEnd(path ?? '', size);
    if (end === undefined || end.isWhole) sizes.length = 0;
    return end?.text;
  };
}

/** The end of a file that another program is writing. */
interface FileEnd {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Undefined if the file cannot be read. */
export function readEnd(path: string, maxBytes: number): FileEnd | undefined {
  let file: number | undefined;
  try {
    // Opening a pipe without O_NONBLOCK would make the agent wait.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(maxBytes, stat.size));
    const read = readSync(file, bytes, 0, bytes.length, stat.size - bytes.length);
    return { text: bytes.toString('utf8', 0, read), isWhole: bytes.length === stat.size };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
