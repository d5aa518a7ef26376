/**
 * What the last calls printed, whole, where only the ends are kept with a call: pages, files, answers of other agents. It
 * stays in memory and is only compared with: words that an agent writes down may have been copied from there. So nobody
 * has to clean it, which is what costs.
 */
import type { SessionWindow } from '../../base/detector.ts';
import type { AgentEvent } from '../../base/event.ts';

export interface ShownTexts {
  /** As they were told: before anything was cut. */
  note(events: readonly AgentEvent[]): void;
  /** In the context of this window. */
  list(window: Pick<SessionWindow, 'calls' | 'spoken'>): readonly string[];
}

/** A few megabytes, whatever is read. */
const MAX_TEXTS = 120;
const MAX_CHARS = 32 * 1024;
/** Shorter ones are kept with their call. */
const MIN_CHARS = 1024;

export function makeShownTexts(): ShownTexts {
  let texts: { readonly key: string; readonly text: string }[] = [];
  return {
    note(events) {
      for (const event of events) {
        if (event.kind !== 'call-ended' || event.tool === 'shell') continue;
        const { text } = event.result;
        if (text.length > MIN_CHARS) texts.push({ key: toKey(event), text: text.slice(0, MAX_CHARS) });
      }
      if (texts.length > MAX_TEXTS) texts = texts.slice(-MAX_TEXTS);
    },
    list({ calls, spoken }) {
      const any = calls.at(-1) ?? spoken.at(-1);
      const key = any && toKey(any);
      return texts.filter((one) => one.key === key).map(({ text }) => text);
    },
  };
}

function toKey({ agent, sessionId, contextId }: Pick<AgentEvent, 'agent' | 'sessionId' | 'contextId'>): string {
  return `${agent}\n${sessionId}\n${contextId}`;
}
