/**
 * Turns clean events into calls with outcome and signature, marks calls that ran side by side, and keeps the latest
 * calls and messages of every active context in memory. A call that is known only from the end of its batch, not from
 * its own event, is hearsay. The text kept in memory is never stored.
 */

import { dropOldest } from '../base/bounded-memory.ts';
import type { LiveCall } from '../base/model/call.ts';
import type { AgentEvent, EndedCall, EventOf } from '../base/model/event.ts';
import { toContextKey } from '../base/model/session.ts';
import { isHookRun } from '../base/model/tool.ts';
import { dropAbsent } from '../base/records.ts';
import { findMainCommand, toIntentKey } from '../base/shell/intent.ts';
import { parseCommand, type ShellTool } from '../base/shell/parse-command.ts';
import { signCall } from '../base/text/signature.ts';
import { toCalls } from '../capture/calls/to-calls.ts';
import { trimEvents } from '../capture/calls/trim-events.ts';
import { judgeOutcome } from '../capture/outcomes/judge-outcome.ts';
import { cleanCall, cleanForSignature } from '../capture/secrets/clean-events.ts';
import type { SessionWindow, Spoken } from '../distill/detector.ts';
import { toExactKey } from './exact-call.ts';
import type { FindSessionProject } from './projects/find-project.ts';

export interface ToldCalls {
  readonly observed: readonly LiveCall[];
  readonly hearsay: readonly LiveCall[];
  /** Stored, but not learned from: hook runs, and ends of background tasks. */
  readonly beside: readonly LiveCall[];
  /**
   * Neither stored nor learned from: working calls of tools that are not tracked, and those that only a batch reported.
   * They show that a call works again.
   */
  readonly untracked: readonly LiveCall[];
}

const CONTEXT = {
  signCall,
  toProgram: (command: string, shell: ShellTool) => findMainCommand(parseCommand(command, shell))?.program,
  isClean: true,
};

export function toLiveCalls(events: readonly AgentEvent[], findProject: FindSessionProject): ToldCalls {
  const tell = (event: AgentEvent): readonly LiveCall[] => {
    const { id, root } = findProject(event);
    const ended = event.kind === 'call-ended' ? [event] : event.kind === 'batch-ended' ? event.calls : [];
    return toCalls(event, { ...CONTEXT, projectId: id }).map((call, i) => ({
      ...call,
      source: event.source,
      // Hook runs, and calls without input, have no intent.
      ...(isHookRun(call) || call.inputHash === undefined ? {} : { intentKey: toIntentKey(call) }),
      ...toExactPlace(event, ended[i], root),
    }));
  };
  return {
    observed: events.filter((event) => event.kind === 'call-ended' && !isHookRun(event)).flatMap(tell),
    hearsay: events.filter((event) => event.kind === 'batch-ended').flatMap(tell),
    beside: events.filter((event) => event.kind === 'background-ended' || isHookRun(event)).flatMap(tell),
    untracked: [],
  };
}

function toExactPlace({ cwd }: AgentEvent, ended: EndedCall | undefined, root: string) {
  if (ended === undefined) return {};
  return { projectRoot: root, ...dropAbsent({ exactKey: toExactKey({ ...ended, ...dropAbsent({ cwd }) }, root) }) };
}

/**
 * A failed call with its signature, as `toLiveCalls` makes it from the clean event, but at once: while the agent waits.
 * Undefined if the call did not fail. Its texts are for this answer only, see `cleanForSignature`.
 */
export function toSignedFailure(event: AgentEvent, ended: EndedCall, projectId: string): LiveCall | undefined {
  if (judgeOutcome(ended).outcome !== 'failure') return undefined;
  const { agent, sessionId, contextId, at, source, cwd } = event;
  const alone: AgentEvent = {
    ...{ kind: 'call-ended', agent, sessionId, contextId, at, source, ...dropAbsent({ cwd }) },
    ...{ callId: ended.callId, tool: ended.tool, rawTool: ended.rawTool, input: ended.input, result: ended.result },
  };
  return trimEvents([alone])
    .flatMap((one) => toCalls(cleanForSignature(one), { ...CONTEXT, projectId }))
    .find(({ outcome, signature }) => outcome === 'failure' && signature !== undefined);
}

interface Siblings {
  /** Adds to each call the calls that were running when it began. */
  mark(events: readonly AgentEvent[], calls: ToldCalls): ToldCalls;
}

/** Events after which no tool is running: a call without an end was refused or lost. */
const REST = new Set(['prompted', 'turn-ended', 'interrupted', 'session-started', 'session-ended', 'subagent-ended']);
/** Calls are forgotten after this time, because their end may never be reported. */
const MAX_MS = 10 * 60_000;
/** Far more than are active at once. */
const MAX_CONTEXTS = 1_000;

interface Begun {
  readonly at: string;
  readonly beside: readonly string[];
  /** The batch reported its end; its own event may still come. */
  readonly isTold?: true;
}

/** Finds calls that ran in parallel, because a note at one of them was not yet read when the other began. */
export function makeSiblings(): Siblings {
  /** By context, then by call. */
  const open = new Map<string, Map<string, Begun>>();

  const start = (event: EventOf<'call-started'>): void => {
    const context = open.get(toContextKey(event)) ?? new Map<string, Begun>();
    const since = Date.parse(event.at) - MAX_MS;
    for (const [id, { at }] of context) if (Date.parse(at) < since) context.delete(id);
    const beside = [...context].filter(([id, one]) => id !== event.callId && !one.isTold).map(([id]) => id);
    context.set(event.callId, { at: event.at, beside });
    open.set(toContextKey(event), context);
    dropOldest(open, MAX_CONTEXTS);
  };
  const tell = (event: EventOf<'batch-ended'>): void => {
    const context = open.get(toContextKey(event));
    for (const { callId } of event.calls) {
      const begun = context?.get(callId);
      if (begun !== undefined) context?.set(callId, { ...begun, isTold: true });
    }
  };
  /** Returns the calls that ran in parallel. */
  const end = (event: AgentEvent, callId: string): readonly string[] => {
    const context = open.get(toContextKey(event));
    const { beside = [] } = context?.get(callId) ?? {};
    context?.delete(callId);
    return beside;
  };

  return {
    mark(events, calls) {
      const found = new Map<string, readonly string[]>();
      for (const event of events) {
        if (event.kind === 'call-started') start(event);
        if (event.kind === 'batch-ended') tell(event);
        if (REST.has(event.kind)) open.delete(toContextKey(event));
        if (event.kind !== 'call-ended') continue;
        const beside = end(event, event.callId);
        if (beside.length > 0) found.set(`${toContextKey(event)}\n${event.callId}`, beside);
      }
      return found.size === 0 ? calls : { ...calls, observed: calls.observed.map((call) => withBeside(call, found)) };
    },
  };
}

function withBeside(call: LiveCall, found: ReadonlyMap<string, readonly string[]>): LiveCall {
  const beside = found.get(`${toContextKey(call)}\n${call.callId}`);
  return beside === undefined ? call : { ...call, beside };
}

const MAX_CALLS = 60;
const MAX_SPOKEN = 40;
const SAME_PROMPT_MS = 60_000;
/** Far more than are active at once; each may hold a megabyte of outputs. */
const MAX_WINDOWS = 100;

interface CallWindows {
  /** Adds calls and messages, and returns the windows of the contexts that changed. */
  add(calls: readonly LiveCall[], spoken?: readonly Spoken[]): readonly SessionWindow[];
  /** Removes a newly found secret from all windows, and returns the calls that contained it. */
  clean(clean: (text: string) => string): readonly LiveCall[];
}

type Kept = Pick<SessionWindow, 'calls' | 'spoken'>;

const NOTHING: Kept = { calls: [], spoken: [] };

/** Keeps the last calls and messages of every active context in memory, with text that is never stored. */
export function makeCallWindows(): CallWindows {
  const contexts = new Map<string, Kept>();
  return {
    add(calls, spoken = []) {
      const [added, said] = [Map.groupBy(calls, toContextKey), Map.groupBy(spoken, toContextKey)];
      return [...new Set([...added.keys(), ...said.keys()])].map((key) => {
        const window = extend(contexts.get(key) ?? NOTHING, added.get(key) ?? [], said.get(key) ?? []);
        // Moving a key to the end keeps the map in order of use.
        contexts.delete(key);
        contexts.set(key, { calls: window.calls.slice(-MAX_CALLS), spoken: window.spoken.slice(-MAX_SPOKEN) });
        dropOldest(contexts, MAX_WINDOWS);
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
    // Skip messages that came from the hook and again from the transcript.
    .filter((one) => !known.spoken.some((before) => isSame(before, one)))
    .map((one) => (lastCallId === undefined ? one : { afterCallId: lastCallId, ...one }));
  return {
    calls: [...before, ...calls],
    from: before.length,
    spoken: [...known.spoken, ...said],
    spokenFrom: known.spoken.length,
  };
}

/** A report whose line changed, because its file was rewritten, counts as a new message. */
function isSame(before: Spoken, one: Spoken): boolean {
  if (before.text !== one.text || before.kind !== one.kind) return false;
  // The user may say the same thing again. The hook and the transcript tell the time of one prompt a little differently.
  if (one.kind === 'prompted') return Math.abs(Date.parse(one.at) - Date.parse(before.at)) < SAME_PROMPT_MS;
  const [old, now] = [before.evidence, one.evidence];
  return old === undefined || now === undefined || old.line === now.line;
}
