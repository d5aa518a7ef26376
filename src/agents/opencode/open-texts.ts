/** What the user and the agent say to each other in one session. */
import type { AgentEvent, EventOrigin } from '../../base/event.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import type { Message } from './find-message.ts';

export interface Texts {
  /** `toOrigin` is asked with the time of the text, where it has one of its own. */
  read(part: Wire, message: Message, toOrigin: (atMs?: number) => EventOrigin | undefined): readonly AgentEvent[];
  /** The conversation was summed up. */
  noteSummary(): void;
  /** Does it answer a command that the user ran? Then its call is none of the agent's. */
  isRunByUser(message: Message): boolean;
}

const NOTHING: readonly AgentEvent[] = [];
const RUN_BY_USER = 'The following tool was executed by the user';

export function openTexts(): Texts {
  let ranByUser: string | undefined;
  let lastPrompt: string | undefined;
  let isAfterSummary = false;

  const isRepeated = (text: string): boolean => {
    // Where the context overflowed, the prompt is put again behind the summary.
    const isSame = isAfterSummary && text === lastPrompt;
    isAfterSummary = false;
    lastPrompt = text;
    return isSame;
  };

  return {
    read(part, message, toOrigin) {
      const text = findText(part, 'text')?.trim();
      if (!text || message.isCopy || message.isSummary) return NOTHING;
      if (message.isUser && text === RUN_BY_USER) ranByUser = findText(message.wire, 'id');
      if (part.synthetic === true || part.ignored === true) return NOTHING;
      const time = findWire(part, 'time') ?? {};
      const origin = toOrigin(findNumber(time, 'start'));
      if (origin === undefined) return NOTHING;
      if (message.isUser) return isRepeated(text) ? NOTHING : [{ ...origin, kind: 'prompted', text }];
      const isWhole = (findNumber(time, 'end') ?? message.endedMs) !== undefined;
      return isWhole ? [{ ...origin, kind: 'said', text }] : NOTHING;
    },
    noteSummary() {
      isAfterSummary = true;
    },
    isRunByUser: ({ wire }) => ranByUser !== undefined && wire.parentID === ranByUser,
  };
}
