/** Who said what in a window: what calls printed, what was typed of one's own will, and what was typed after it was printed. */
import type { LiveCall } from '../../../base/model/call.ts';
import type { SessionWindow } from '../../detector.ts';
import { findEchoes } from './find-echoes.ts';
import { joinTexts, type Sources } from './find-quoted.ts';
import { makeRunFilter } from './make-run-filter.ts';
import { toSource } from './to-source.ts';

export interface GuardWindow extends Pick<SessionWindow, 'calls' | 'spoken'> {
  /** What calls printed beyond what is kept with them, as it was: only compared with, and no detector's to see. */
  readonly shown?: (() => readonly string[]) | undefined;
}

/** Every finding of a window asks the same. */
const sourcesOf = new WeakMap<GuardWindow, Sources>();

export function toSources(window: GuardWindow): Sources {
  const known = sourcesOf.get(window);
  if (known !== undefined) return known;
  const users = toUserWords(window).map(toSource);
  const printed = joinTexts(window.calls.flatMap(toPrinted));
  const mayHold = makeRunFilter(printed);
  const { typed, ...echoes } = findEchoes(window.calls, users, { printed, toPrinted, mayHold });
  const sources = { printed, mayHold, typed: joinTexts([...typed, ...users]), ...echoes };
  sourcesOf.set(window, sources);
  return sources;
}

/** For words that nothing but an agent tells: also what is not kept with the calls, because they may be copied from there. */
export function toAllSources(window: GuardWindow): Sources {
  const sources = toSources(window);
  const shown = (window.shown?.() ?? []).map(toSource);
  if (shown.length === 0) return sources;
  const printed = joinTexts([...sources.printed, ...shown]);
  return { ...sources, printed, mayHold: makeRunFilter(printed) };
}

/** What the user said, outright or with a refusal. Nothing else that a call says is theirs. */
export function toUserWords({ calls, spoken }: GuardWindow): readonly string[] {
  const refused = calls.flatMap(({ outcomeType, message }) =>
    outcomeType === 'user-refusal' && message !== undefined ? [message] : [],
  );
  return [...refused, ...spoken.filter(isUser).map(({ text }) => text)];
}

/** In a sub-agent the prompts are another agent's. */
function isUser({ kind, contextId }: GuardWindow['spoken'][number]): boolean {
  return kind === 'prompted' && contextId === '';
}

/** The next window has most of the calls again. */
const printedOf = new WeakMap<LiveCall, readonly string[]>();

export function toPrinted(call: LiveCall): readonly string[] {
  const known = printedOf.get(call);
  if (known !== undefined) return known;
  const texts = call.outcomeType === 'user-refusal' ? [] : [call.output, call.message];
  const printed = texts.flatMap((text) => (text === undefined || text === '' ? [] : [toSource(text)]));
  printedOf.set(call, printed);
  return printed;
}
