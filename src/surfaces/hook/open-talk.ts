/**
 * What was said last in the conversation that makes a call, for lessons that ask. Read at most once a call and size, only
 * when asked, only the end of the file, and kept in memory only.
 */
import { findAgent } from '../../agents/agents.ts';
import type { AgentTalk } from '../../base/agent-adapter.ts';
import type { EventOf } from '../../base/event.ts';
import { LAST_MESSAGES, type Talk } from '../../base/talk.ts';
import type { MatchCall } from '../../match/match-call.ts';
import { readEnd } from './read-end.ts';

/** The second is for a conversation with long outputs; what stands before it is not looked for. */
const SIZES = [64 * 1024, 256 * 1024];

export function openTalk(
  event: EventOf<'call-started'>,
  talk: AgentTalk | undefined = findAgent(event.agent)?.talk,
): Required<Pick<MatchCall, 'messages' | 'workflows'>> {
  // A call of the past has its file's end in the future.
  const tails = openTails(event.source === 'hook' ? talk?.findFile(event) : undefined);
  let found: Talk | undefined;
  const ask = (isEnough: (one: Talk) => boolean): Talk | undefined => {
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

/** The file's end, each time it is called a longer one; undefined when there is no more, or the file cannot be read. */
function openTails(path: string | undefined): () => string | undefined {
  const sizes = path === undefined ? [] : [...SIZES];
  return () => {
    const size = sizes.shift();
    const end = size === undefined ? undefined : readEnd(path ?? '', size);
    if (end === undefined || end.isWhole) sizes.length = 0;
    return end?.text;
  };
}
