/**
 * Turns clean events into calls with outcome and signature, as the store keeps them, and adds what only earlier events
 * show about a call (`makeCallFollower`, `makeSiblings`). The events of a session must come in order.
 */

import { hash } from 'node:crypto';
import { dropOldest } from '../../base/bounded-memory.ts';
import {
  INPUT_SUMMARY_CHARS,
  type LiveCall,
  OUTPUT_SUMMARY_CHARS,
  toDuration,
  toReportedCall,
} from '../../base/model/call.ts';
import {
  type AgentEvent,
  type EndedCall,
  type EventOf,
  type EventOrigin,
  toElapsedMs,
} from '../../base/model/event.ts';
import { type Project, toContextKey } from '../../base/model/session.ts';
import { DEFAULT_SETTINGS } from '../../base/model/settings.ts';
import { isHookRun } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { toExactKey } from '../../base/shell/exact-call.ts';
import { findMainCommand, toIntentKey } from '../../base/shell/intent.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import { signCall } from '../../base/text/signature.ts';
import { isHang } from '../outcomes/is-hang.ts';
import type { Judgement } from '../outcomes/judge-facts.ts';
import { findMaskedError, judgeOutcome } from '../outcomes/judge-outcome.ts';
import { cleanForSignature, trimEvents } from '../secrets/clean-events.ts';

/** Calls by the way in which their events reported them. */
export interface LiveCalls {
  readonly observed: readonly LiveCall[];
  readonly hearsay: readonly LiveCall[];
  /** Stored, but not learned from: hook runs, and ends of background tasks. */
  readonly storedOnly: readonly LiveCall[];
}

/** The project of an event: its id and its folder. */
type FindPlace = (event: AgentEvent) => Pick<Project, 'id' | 'root'>;

/** The calls that these events report. A call that is known only from the end of its batch is hearsay. */
export function toLiveCalls(
  events: readonly AgentEvent[],
  findProject: FindPlace,
  { hangSeconds } = DEFAULT_SETTINGS.detection,
): LiveCalls {
  const toCallsOf = (event: AgentEvent): readonly LiveCall[] => {
    const { id, root } = findProject(event);
    const ended = event.kind === 'call-ended' ? [event] : event.kind === 'batch-ended' ? event.calls : [];
    return toCalls(event, id).map((call, i) => ({
      ...call,
      source: event.source,
      ...(isHang(call, hangSeconds) ? { hung: true } : {}),
      // Hook runs, and calls without input, have no intent.
      ...(isHookRun(call) || call.inputHash === undefined ? {} : { intentKey: toIntentKey(call) }),
      ...toExactPlace(event, ended[i], root),
    }));
  };
  return {
    observed: events.filter((event) => event.kind === 'call-ended' && !isHookRun(event)).flatMap(toCallsOf),
    hearsay: events.filter((event) => event.kind === 'batch-ended').flatMap(toCallsOf),
    storedOnly: events.filter((event) => event.kind === 'background-ended' || isHookRun(event)).flatMap(toCallsOf),
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
    kind: 'call-ended',
    agent,
    sessionId,
    contextId,
    at,
    source,
    ...dropAbsent({ cwd }),
    callId: ended.callId,
    tool: ended.tool,
    rawTool: ended.rawTool,
    input: ended.input,
    result: ended.result,
  };
  return trimEvents([alone])
    .flatMap((one) => toCalls(cleanForSignature(one), projectId))
    .find(({ outcome, signature }) => outcome === 'failure' && signature !== undefined);
}

/** One call for an ended one, several for a batch, none for any other event. */
export function toCalls(event: AgentEvent, projectId: string): readonly LiveCall[] {
  if (event.kind === 'call-ended' || event.kind === 'background-ended') return [toCall(event, event, projectId)];
  return event.kind === 'batch-ended' ? event.calls.map((call) => toReportedCall(toCall(event, call, projectId))) : [];
}

function toCall(origin: EventOrigin, ended: EndedCall, projectId: string): LiveCall {
  const { result, input } = ended;
  const { command, path } = input;
  const judgement = judgeOutcome(ended);
  const output = result.text;
  const inputHash = hash('sha256', input.json);
  const cause = judgement.outcome === 'failure' ? findCause(ended, toCauseText(judgement, output)) : undefined;
  return {
    agent: origin.agent,
    sessionId: origin.sessionId,
    contextId: origin.contextId,
    callId: ended.callId || `${ended.tool}-${inputHash.slice(0, 12)}-${origin.at}`,
    projectId,
    tool: ended.tool,
    rawTool: ended.rawTool,
    ...judgement,
    ...dropAbsent({
      inputHash: isKnown(ended) ? inputHash : undefined,
      exitCode: result.exitCode,
      // The user's comment on a refusal.
      message: cause?.causeLine ?? toHead(result.denied?.words, OUTPUT_SUMMARY_CHARS),
      signature: cause?.signature,
      inputSummary: isKnown(ended) ? toHead(command ?? path ?? input.json, INPUT_SUMMARY_CHARS) : undefined,
      outputSummary: isKnown(ended) || output !== '' ? toOutputSummary(output) : undefined,
      program: command === undefined ? undefined : findMainCommand(parseCommand(command, ended))?.program,
      targetPath: path,
      ...toDuration(result),
      tokens: ended.tokens,
      command,
      output,
      parameters: input.parameters,
      cwd: origin.cwd,
      model: origin.model,
      agentVersion: origin.agentVersion,
      evidence: toEvidence(origin),
    }),
    occurredAt: origin.at,
  };
}

/** The end of a background task does not contain its input. */
function isKnown({ input }: EndedCall): boolean {
  return input.json !== '';
}

/** What a command had printed before its time was over is not the cause. */
function toCauseText({ outcomeType }: Judgement, output: string): string {
  if (outcomeType !== 'timeout') return output;
  return /^.*\btimed out after \d.*$/im.exec(output)?.[0] ?? 'Command timed out';
}

/** For a masked failure, the error line, because the rest of the output comes from programs that worked. */
function findCause(ended: EndedCall, output: string) {
  const masked = ended.result.isError ? undefined : findMaskedError(ended);
  const { tool, rawTool, input } = ended;
  const hiddenProgram = masked?.program || undefined;
  const call = { tool, rawTool, ...dropAbsent({ command: input.command, hiddenProgram }) };
  const cause = masked && signCall(call, masked.line);
  return cause ?? signCall(call, output);
}

/** Both ends: a program prints its subject first and its error last. */
function toOutputSummary(output: string): string {
  if (output.length <= OUTPUT_SUMMARY_CHARS) return output;
  const half = Math.floor((OUTPUT_SUMMARY_CHARS - 3) / 2);
  return `${toHead(output, half)}\n…\n${output.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Does not cut a surrogate pair, because half of one is not valid text. */
function toHead<T extends string | undefined>(text: T, max: number): T | string {
  return text === undefined || text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

function toEvidence({ transcriptPath, line }: EventOrigin): LiveCall['evidence'] {
  return transcriptPath === undefined || line === undefined ? undefined : { file: transcriptPath, line };
}

interface CallFollower {
  /** Returns the events with data from earlier ones, and an end for each call that a session left open. */
  follow(events: readonly AgentEvent[]): readonly AgentEvent[];
  /** Was the end of this call reported by an event of its own? */
  hasEnded(call: Pick<AgentEvent, 'agent' | 'sessionId'> & { readonly callId: string }): boolean;
}

/** A longer pause between two calls is the user's time, not the call's. */
const MAX_GAP_MS = 5 * 60_000;
/** Far more than run at once; bounds the memory if ends are never reported. */
const MAX_REMEMBERED = 4_000;

interface Open {
  readonly event: EventOf<'call-started'>;
  /** A batch or a transcript reported its end, so the call is not open, though its own event may still come. */
  readonly isReported: boolean;
}

/**
 * Adds to each event what only earlier events show about a call: its duration, if only its start and end were reported;
 * the command of a background task that ended; and that a call was running when its session ended.
 */
export function makeCallFollower(): CallFollower {
  const open = new Map<string, Open>();
  const ended = new Map<string, true>();
  const running = new Map<string, EventOf<'call-ended'>>();
  const lastAt = new Map<string, string>();

  const start = (event: EventOf<'call-started'>): void => {
    const key = toKey(event, event.callId);
    // Without an id, its end could not be told from that of another call.
    if (event.callId !== '' && !ended.has(key)) remember(open, key, { event, isReported: false });
  };

  const markReported = (event: AgentEvent, calls: readonly EndedCall[]): void => {
    for (const { callId } of calls) {
      const known = open.get(toKey(event, callId));
      if (known !== undefined) open.set(toKey(event, callId), { ...known, isReported: true });
    }
  };

  const end = (event: EventOf<'call-ended'>): AgentEvent => {
    const key = toKey(event, event.callId);
    const before = open.get(key)?.event;
    // The transcript may be read before the hook of the same call arrives, which still needs the start.
    if (event.source === 'hook') open.delete(key);
    else markReported(event, [event]);
    remember(ended, key, true);
    if (event.result.background === true) remember(running, key, { ...event, at: before?.at ?? event.at });
    const context = toKey(event, event.contextId);
    const previous = lastAt.get(context);
    remember(lastAt, context, event.at);
    return withTime(event, event.source === 'hook' ? before?.at : undefined, previous);
  };

  const endBackground = (event: EventOf<'background-ended'>): AgentEvent => {
    const begun = running.get(toKey(event, event.callId));
    if (begun === undefined) return event;
    const pairedMs = event.result.pairedMs ?? toElapsedMs(begun.at, event.at);
    const { contextId, tool, rawTool, input } = begun;
    const result = { ...event.result, ...(pairedMs === undefined ? {} : { pairedMs }) };
    return { ...event, contextId, tool, rawTool, input: event.input.json === '' ? input : event.input, result };
  };

  const endSession = (event: EventOf<'session-ended'>): readonly AgentEvent[] => {
    const left = [...open].filter(([, { event: begun }]) => isSameSession(begun, event));
    for (const [key] of left) open.delete(key);
    return [...left.filter(([, { isReported }]) => !isReported).map(([, { event: begun }]) => toUnended(begun)), event];
  };

  return {
    follow: (events) =>
      events.flatMap((event): readonly AgentEvent[] => {
        if (event.kind === 'call-started') start(event);
        if (event.kind === 'batch-ended') markReported(event, event.calls);
        if (event.kind === 'call-ended') return [isHookRun(event) ? event : end(event)];
        if (event.kind === 'background-ended') return [endBackground(event)];
        return event.kind === 'session-ended' ? endSession(event) : [event];
      }),
    hasEnded: (call) => ended.has(toKey(call, call.callId)),
  };
}

function withTime(event: EventOf<'call-ended'>, begunAt?: string, previousAt?: string): AgentEvent {
  const { result, at } = event;
  if (result.background === true || result.unended === true) return event;
  if (result.durationMs !== undefined || result.pairedMs !== undefined || result.gapMs !== undefined) return event;
  const pairedMs = begunAt === undefined ? undefined : toElapsedMs(begunAt, at);
  if (pairedMs !== undefined) return { ...event, result: { ...result, pairedMs } };
  const gapMs = previousAt === undefined ? undefined : toElapsedMs(previousAt, at);
  // Calls of a batch have the same time, which says nothing about their duration.
  if (gapMs === undefined || gapMs === 0 || gapMs >= MAX_GAP_MS) return event;
  return { ...event, result: { ...result, gapMs } };
}

function toUnended({ kind: _, subagentType: __, startedAs: ___, ...begun }: EventOf<'call-started'>): AgentEvent {
  return { ...begun, kind: 'call-ended', result: { isError: false, text: '', unended: true } };
}

function isSameSession(a: AgentEvent, b: AgentEvent): boolean {
  return a.agent === b.agent && a.sessionId === b.sessionId;
}

function toKey({ agent, sessionId }: Pick<AgentEvent, 'agent' | 'sessionId'>, id: string): string {
  return `${agent}\n${sessionId}\n${id}`;
}

/** Forgets the oldest entries. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  dropOldest(map, MAX_REMEMBERED);
}

interface Siblings {
  /** Adds to each call the calls that were running when it began. */
  mark(events: readonly AgentEvent[], calls: LiveCalls): LiveCalls;
}

/** Events after which no tool is running: a call without an end was refused or lost. */
const REST = new Set(['prompted', 'turn-ended', 'interrupted', 'session-started', 'session-ended', 'subagent-ended']);
/** Calls are forgotten after this time, because their end may never be reported. */
const MAX_MS = 10 * 60_000;
/** Far more than are active at once. */
const MAX_CONTEXTS = 1_000;

interface Begun {
  readonly at: string;
  readonly parallelCallIds: readonly string[];
  /** The batch reported its end; its own event may still come. */
  readonly isReported?: true;
}

/** Finds calls that ran in parallel, because a note at one of them was not yet read when the other began. */
export function makeSiblings(): Siblings {
  /** By context, then by call. */
  const open = new Map<string, Map<string, Begun>>();

  const start = (event: EventOf<'call-started'>): void => {
    if (event.callId === '') return;
    const context = open.get(toContextKey(event)) ?? new Map<string, Begun>();
    const since = Date.parse(event.at) - MAX_MS;
    for (const [id, { at }] of context) if (Date.parse(at) < since) context.delete(id);
    const parallelCallIds = [...context]
      .filter(([id, one]) => id !== event.callId && !one.isReported)
      .map(([id]) => id);
    context.set(event.callId, { at: event.at, parallelCallIds });
    open.set(toContextKey(event), context);
    dropOldest(open, MAX_CONTEXTS);
  };
  const reportEnds = (event: EventOf<'batch-ended'>): void => {
    const context = open.get(toContextKey(event));
    for (const { callId } of event.calls) {
      const begun = context?.get(callId);
      if (begun !== undefined) context?.set(callId, { ...begun, isReported: true });
    }
  };
  /** Returns the calls that ran in parallel. */
  const end = (event: AgentEvent, callId: string): readonly string[] => {
    const context = open.get(toContextKey(event));
    const { parallelCallIds = [] } = context?.get(callId) ?? {};
    context?.delete(callId);
    return parallelCallIds;
  };

  return {
    mark(events, calls) {
      const found = new Map<string, readonly string[]>();
      for (const event of events) {
        if (event.kind === 'call-started') start(event);
        if (event.kind === 'batch-ended') reportEnds(event);
        if (REST.has(event.kind)) open.delete(toContextKey(event));
        if (event.kind !== 'call-ended') continue;
        const parallelCallIds = end(event, event.callId);
        if (parallelCallIds.length > 0) found.set(`${toContextKey(event)}\n${event.callId}`, parallelCallIds);
      }
      return found.size === 0 ? calls : { ...calls, observed: calls.observed.map((call) => withBeside(call, found)) };
    },
  };
}

function withBeside(call: LiveCall, found: ReadonlyMap<string, readonly string[]>): LiveCall {
  const parallelCallIds = found.get(`${toContextKey(call)}\n${call.callId}`);
  return parallelCallIds === undefined ? call : { ...call, parallelCallIds };
}
