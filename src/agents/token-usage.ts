/**
 * Assigns the tokens that an agent records for each answer of the model to the first call that ends after the answer.
 * So the calls of a context have all its tokens together, and none is counted twice although several rows repeat them.
 */

import { dropOldest } from '../base/bounded-memory.ts';
import type { AgentEvent, TokenUsage } from '../base/model/event.ts';
import { findNumber, type Wire } from './wire.ts';

interface UsageReader {
  /** `answerId`: rows of one answer repeat its figures, which may have grown. */
  add(contextId: string, usage: TokenUsage | undefined, answerId?: string): void;
  /** Returns the events with the tokens that wait for them. */
  attach(events: readonly AgentEvent[]): readonly AgentEvent[];
}

interface Context {
  readonly waiting?: TokenUsage;
  readonly answerId?: string | undefined;
  /** The tokens already taken from that answer. */
  readonly taken: TokenUsage;
}

const NONE: TokenUsage = { input: 0, cached: 0, output: 0 };
/** Far more contexts than one file has. */
const MAX_CONTEXTS = 1000;

export function openUsage(): UsageReader {
  const contexts = new Map<string, Context>();
  return {
    add(contextId, usage, answerId) {
      if (usage === undefined) return;
      const known = contexts.get(contextId);
      const isSame = answerId !== undefined && known?.answerId === answerId;
      const more = isSame ? combine(usage, known.taken, (a, b) => Math.max(0, a - b)) : usage;
      const waiting = combine(known?.waiting ?? NONE, more, (a, b) => a + b);
      contexts.set(contextId, { waiting, answerId, taken: usage });
      dropOldest(contexts, MAX_CONTEXTS);
    },
    attach(events) {
      if (contexts.size === 0 || !events.some(({ kind }) => kind === 'call-ended')) return events;
      return events.map((event) => {
        const known = event.kind === 'call-ended' ? contexts.get(event.contextId) : undefined;
        if (event.kind !== 'call-ended' || known?.waiting === undefined) return event;
        const { waiting, ...rest } = known;
        contexts.set(event.contextId, rest);
        return { ...event, tokens: waiting };
      });
    },
  };
}

/** Undefined if nothing was recorded. `cached` is not included in `input`. */
export function toUsage(input: number | undefined, cached: number | undefined, output: number | undefined) {
  if (input === undefined && output === undefined) return undefined;
  return { input: toCount(input), cached: toCount(cached), output: toCount(output) };
}

/** The sum of these fields; undefined if none of them is present. */
export function sumFields(wire: Wire, ...names: readonly string[]): number | undefined {
  const found = names.map((name) => findNumber(wire, name)).filter((value) => value !== undefined);
  return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0);
}

/** Values from outside may be anything; the store accepts integers of this size. */
const MAX_TOKENS = 1_000_000_000;

function toCount(value = 0): number {
  return Number.isFinite(value) ? Math.min(MAX_TOKENS, Math.max(0, Math.round(value))) : 0;
}

function combine(a: TokenUsage, b: TokenUsage, how: (a: number, b: number) => number): TokenUsage {
  return { input: how(a.input, b.input), cached: how(a.cached, b.cached), output: how(a.output, b.output) };
}
