/**
 * Chooses the failures that a model is asked about: those that another call could have avoided. Failures of the same kind
 * and form are one episode, which shows the last of them. Left out are verdicts on code, exploration, the network, and
 * whatever a lesson covers already.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import { isHookRun } from '../../base/model/tool.ts';
import { toCommandName, toOptions } from '../../base/shell/command-words.ts';
import { isSameIntent } from '../../base/shell/intent.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import type { FailureClass } from '../../base/statistics/failures.ts';
import { classifyFailure } from '../episodes/classify-failure.ts';
import { findAlike, findBlamed, toWords } from '../episodes/find-attempt.ts';
import type { Conversation } from './conversation.ts';

export interface PackEpisode {
  /** The failure that is shown: the last one. */
  readonly failing: LiveCall;
  /** Every failure of this kind and form, oldest first. */
  readonly all: readonly LiveCall[];
  /** The calls after it. */
  readonly next: readonly LiveCall[];
  /** The first call of the same intent that worked, if it is not among the next calls. */
  readonly later?: { readonly call: LiveCall; readonly steps: number };
  /** Failed calls of the same intent until one worked; 0 if none worked. */
  readonly tries: number;
  /** Other calls of the same command that worked, the most similar ones. */
  readonly worked: Contrast;
  /** What the user said before the next call. */
  readonly said?: string;
  readonly conversation: Conversation;
}

interface Contrast {
  /** Program and sub-command. */
  readonly name: string;
  readonly calls: readonly LiveCall[];
}

interface Choice {
  /** A lesson fires on the call already, or the model was asked about it. */
  readonly isKnown: (call: LiveCall) => boolean;
}

/** Calls after a failure that are shown. */
const NEXT_CALLS = 4;
/** Farther on, the same intent is another task. */
const LATER_CALLS = 25;
const MAX_WORKED = 3;

/** In the order of their last failure. `conversations`: all of one project. */
export function chooseEpisodes(conversations: readonly Conversation[], { isKnown }: Choice): readonly PackEpisode[] {
  const kinds = new Map<string, { readonly place: Place; readonly all: LiveCall[]; isNew: boolean }>();
  for (const conversation of conversations) {
    for (const [at, failing] of conversation.calls.entries()) {
      const place = { conversation, at, failing };
      if (!mayTeach(conversation, failing, at)) continue;
      const key = toKey(failing);
      const known = kinds.get(key);
      const isLast = known === undefined || known.place.failing.occurredAt <= failing.occurredAt;
      const isNew = known?.isNew === true || !isKnown(failing);
      kinds.set(key, { place: isLast ? place : known.place, all: [...(known?.all ?? []), failing], isNew });
    }
  }
  const contrasts = makeContrasts(conversations);
  return [...kinds.values()]
    .filter(({ isNew }) => isNew)
    .map(({ place, all }) => toEpisode(place, all.toSorted(byTime), contrasts(place.failing)))
    .toSorted((a, b) => byTime(a.failing, b.failing));
}

interface Place {
  readonly conversation: Conversation;
  readonly at: number;
  readonly failing: LiveCall;
}

/** What the code, the search or the network said is no mistake of the call. */
const TAUGHT: ReadonlySet<FailureClass> = new Set(['command', 'harness']);

/** Was the call a mistake, so that another call is the fix? `at`: its place among the calls. */
export function mayTeach({ calls }: Conversation, failing: LiveCall, at: number = calls.indexOf(failing)): boolean {
  if (isHookRun(failing) || failing.outcomeType === 'own-refusal') return false;
  if (failing.outcome !== 'failure' && failing.outcome !== 'denied') return false;
  // A refusal without words explains nothing.
  if (failing.outcome === 'denied' && (failing.message ?? '') === '') return false;
  return TAUGHT.has(classifyFailure(failing, calls.slice(at + 1, at + 1 + LATER_CALLS)));
}

/** The same failure of a command of the same form. */
function toKey(failing: LiveCall): string {
  const blamed = failing.tool === 'shell' ? findBlamed(failing) : undefined;
  const form = blamed === undefined ? failing.rawTool : [toCommandName(blamed), ...toOptions(blamed).toSorted()];
  return [failing.signature?.id ?? failing.message ?? '', failing.outcome, form].flat().join('\n');
}

function toEpisode({ conversation, at, failing }: Place, all: readonly LiveCall[], worked: Contrast) {
  const { calls, spoken } = conversation;
  const next = calls.slice(at + 1, at + 1 + NEXT_CALLS);
  const far = calls.slice(at + 1 + NEXT_CALLS, at + 1 + LATER_CALLS);
  const found = next.some((call) => isPast(failing, call)) ? -1 : far.findIndex((call) => isPast(failing, call));
  const call = far[found];
  const said = spoken.find(({ kind, afterCallId }) => kind === 'prompted' && afterCallId === failing.callId)?.text;
  const after = calls.slice(at, at + 1 + LATER_CALLS);
  const reached = after.findIndex((one) => one !== failing && isPast(failing, one));
  const tries = after.slice(0, Math.max(0, reached)).filter((one) => !hasWorked(one) && isSameIntent(failing, one));
  const shown = new Set([...next, call].map((one) => one?.callId));
  return {
    failing,
    all,
    next,
    conversation,
    tries: tries.length,
    worked: withoutShown(worked, shown),
    ...(call === undefined ? {} : { later: { call, steps: NEXT_CALLS + found + 1 } }),
    ...(said === undefined ? {} : { said }),
  };
}

function withoutShown({ name, calls }: Contrast, shown: ReadonlySet<string | undefined>): Contrast {
  return { name, calls: calls.filter(({ callId }) => !shown.has(callId)) };
}

/** Did the call reach what the failed one was for? */
function isPast(failing: LiveCall, call: LiveCall): boolean {
  if (!hasWorked(call)) return false;
  if (isSameIntent(failing, call)) return true;
  const blamed = failing.tool === 'shell' ? findBlamed(failing) : undefined;
  return blamed !== undefined && findAlike(blamed, call) !== undefined;
}

/** Finds calls of the same command that worked, by program and sub-command, the most similar first, each form once. */
function makeContrasts(conversations: readonly Conversation[]): (failing: LiveCall) => Contrast {
  const byName = new Map<string, LiveCall[]>();
  for (const call of conversations.flatMap(({ calls }) => calls)) {
    if (!hasWorked(call)) continue;
    for (const name of toNames(call)) byName.set(name, [...(byName.get(name) ?? []), call]);
  }
  return (failing) => {
    const blamed = failing.tool === 'shell' ? findBlamed(failing) : undefined;
    if (blamed === undefined) return { name: '', calls: [] };
    const name = toCommandName(blamed);
    const words = new Set(toWords(blamed));
    const alike = (byName.get(name) ?? []).map((call) => ({ call, shared: countShared(call, words) }));
    const sorted = alike.toSorted((a, b) => b.shared - a.shared).map(({ call }) => call);
    const once = new Map(sorted.toReversed().map((call) => [call.command, call]));
    return { name, calls: [...once.values()].reverse().slice(0, MAX_WORKED) };
  };
}

/** Of commands whose exit code the line does not hide. */
function toNames(call: LiveCall): readonly string[] {
  return [...new Set(parseCall(call).flatMap((one) => (one.hidden === true ? [] : [toCommandName(one)])))];
}

function countShared(call: LiveCall, words: ReadonlySet<string>): number {
  const own = new Set(parseCall(call).flatMap(toWords));
  return [...words].filter((word) => own.has(word)).length / Math.max(1, own.size + words.size);
}

function byTime(a: LiveCall, b: LiveCall): number {
  return a.occurredAt < b.occurredAt ? -1 : Number(a.occurredAt > b.occurredAt);
}
