/** The last calls and words of every context that is at work, in memory, with the text that is never stored. */
import type { LiveCall } from '../../base/call.ts';
import type { SessionWindow, Spoken } from '../../base/detector.ts';
import { cleanCall } from '../../capture/clean-call.ts';

const MAX_CALLS = 60;
const MAX_SPOKEN = 40;
/** Far more than work at the same time; each may hold a megabyte of outputs. */
const MAX_CONTEXTS = 100;

export interface CallWindows {
  /** Adds what happened in one or several contexts and gives, for each context that got something, its window. */
  add(calls: readonly LiveCall[], spoken?: readonly Spoken[]): readonly SessionWindow[];
  /** Takes out of what is kept what turned out to be a secret, and gives the calls that held one. */
  clean(clean: (text: string) => string): readonly LiveCall[];
}

type Kept = Pick<SessionWindow, 'calls' | 'spoken'>;

const NOTHING: Kept = { calls: [], spoken: [] };

export function makeCallWindows(): CallWindows {
  const contexts = new Map<string, Kept>();
  return {
    add(calls, spoken = []) {
      const [added, said] = [Map.groupBy(calls, toKey), Map.groupBy(spoken, toKey)];
      return [...new Set([...added.keys(), ...said.keys()])].map((key) => {
        const window = extend(contexts.get(key) ?? NOTHING, added.get(key) ?? [], said.get(key) ?? []);
        // Moving a key to the end keeps the map in order of use.
        contexts.delete(key);
        contexts.set(key, { calls: window.calls.slice(-MAX_CALLS), spoken: window.spoken.slice(-MAX_SPOKEN) });
        if (contexts.size > MAX_CONTEXTS) contexts.delete(contexts.keys().next().value ?? '');
        return window;
      });
    },
    clean(clean) {
      const changed: LiveCall[] = [];
      for (const [key, { calls, spoken }] of contexts) {
        const cleaned = calls.map((call) => cleanCall(call, clean));
        changed.push(...cleaned.filter((call, i) => call !== calls[i]));
        contexts.set(key, { calls: cleaned, spoken: spoken.map((one) => cleanSpoken(one, clean)) });
      }
      return changed;
    },
  };
}

function cleanSpoken(spoken: Spoken, clean: (text: string) => string): Spoken {
  const text = clean(spoken.text);
  return text === spoken.text ? spoken : { ...spoken, text };
}

function extend(known: Kept, calls: readonly LiveCall[], spoken: readonly Spoken[]): SessionWindow {
  const added = new Set(calls.map(({ callId }) => callId));
  const before = added.size === 0 ? known.calls : known.calls.filter(({ callId }) => !added.has(callId));
  const lastCallId = before.at(-1)?.callId;
  const said = spoken
    // The hook and the transcript tell the same words.
    .filter((one) => !known.spoken.some((before) => isSame(before, one)))
    .map((one) => (lastCallId === undefined ? one : { afterCallId: lastCallId, ...one }));
  return {
    calls: [...before, ...calls],
    from: before.length,
    spoken: [...known.spoken, ...said],
    spokenFrom: known.spoken.length,
  };
}

/** What the agent wrote down stands elsewhere once its file was written anew: then it is told again. */
function isSame(before: Spoken, one: Spoken): boolean {
  if (before.text !== one.text || before.kind !== one.kind) return false;
  const [old, now] = [before.evidence, one.evidence];
  return one.kind === 'prompted' || old === undefined || now === undefined || old.line === now.line;
}

function toKey({ agent, sessionId, contextId }: LiveCall | Spoken): string {
  return `${agent}\n${sessionId}\n${contextId}`;
}
