/**
 * Answers one hook event: parses the payload into an event, decides the reply, records both and writes the reply in the
 * agent's format. At a call: match lessons, leave out those that are silent now, choose how each is delivered, claim it
 * and fit it into the budget. The daemon and the cold hook use the same code; the daemon can also show a known fix or a
 * warning, if no lesson fires.
 */

import { hostname } from 'node:os';
import { findAdapter, findCaller } from '../agents/hooks.ts';
import type { EndingReader, HookCaller } from '../base/contracts/agent-adapter.ts';
import { makeId } from '../base/ids.ts';
import type { Delivery, SkippedLesson, SkipReason } from '../base/model/delivery.ts';
import type { AgentEvent, EventOf } from '../base/model/event.ts';
import { findMomentSilence, isUrgent } from '../base/model/may-fire.ts';
import { toCallView } from '../base/triggers/call-view.ts';
import { inheritClaims } from '../match/claims.ts';
import { type Match, matchLessons } from '../match/match-lessons.ts';
import { parseTrailers } from '../match/reply-lines.ts';
import { decideDelivery, decideMode, type ShownLesson } from '../match/reply-to-call.ts';
import { type CanarySource, findCanary } from './delivery/canary.ts';
import { makeConversation, readEnd } from './delivery/conversation.ts';
import { decideSessionOpening, decideSubagentOpening } from './delivery/decide-opening.ts';
import { type Decision, type DecisionContext, isLate, SILENCE, toReplyChannels } from './delivery/decision.ts';
import { makeAskSession, notePast } from './delivery/session-past.ts';

/** One hook event as it arrives. */
interface HookQuestion extends Pick<DecisionContext, 'probe' | 'elapsedUs'> {
  readonly agent: string;
  readonly eventName: string;
  readonly payload: unknown;
  /** The agent's process, if the agent reports it. */
  readonly pid?: number | undefined;
  /** Capture goes on, nothing is delivered. */
  readonly isQuiet: boolean;
}

interface Situation extends Pick<DecisionContext, 'projectId' | 'switches' | 'memory'> {
  /** Absent: nothing was compiled yet. */
  readonly manifest: DecisionContext['manifest'] | undefined;
}

/** The process that answers. The daemon keeps files in memory and the cold hook reads them. */
interface HookHost<S extends Situation> {
  readonly name: CanarySource;
  readonly home: Pick<DecisionContext, 'claimsDir' | 'pastDir' | 'briefsDir' | 'troubleFile'>;
  /** A client without hooks that reports its calls. Only the daemon hears those. */
  findReporter?(agent: string): HookCaller | undefined;
  /** Undefined if the event is private or paused, or if that is unknown: it is not captured and gets no lesson. */
  findSituation(event: AgentEvent, probe: boolean): S | undefined;
  /** Catches its own faults, so that the event is recorded all the same. */
  decide(event: AgentEvent, context: DecisionContext & S): Decision;
  record(event: AgentEvent, projectId: string, decision: Decision): void;
}

/** The reply as the agent reads it; empty for silence. */
export function answerHook<S extends Situation>(question: HookQuestion, host: HookHost<S>): string {
  const { probe, elapsedUs } = question;
  const caller = findCaller(question.agent, question.payload) ?? host.findReporter?.(question.agent);
  const read = caller?.readHook(question.eventName, question.payload, new Date().toISOString());
  if (caller === undefined || read === undefined) return caller?.silence ?? '';
  const event = withProcess(completeEvent(read, caller.ending), question.pid);
  const canary = probe ? findCanary(event, host.name) : undefined;
  if (canary !== undefined) return caller.writeHook(canary);
  const situation = host.findSituation(event, probe);
  if (situation === undefined) return caller.silence;
  const { projectId, manifest } = situation;
  const context = { ...host.home, ...situation, ...toReplyChannels(caller.capabilities), probe, elapsedUs };
  const isSilent = manifest === undefined || question.isQuiet;
  const decision = isSilent ? SILENCE : host.decide(event, { ...context, manifest });
  // Record before the reply: an agent that has the reply relies on the facts, and writing to an agent that left may fail.
  if (!probe) host.record(event, projectId, decision);
  return decision.reply === undefined ? caller.silence : caller.writeHook(decision.reply);
}

/** A row repeats the output of its call; agents cut outputs far below this. */
const TAIL_BYTES = 256 * 1024;

/**
 * Adds the outcome of a call that a hook reports without it: the agent has written it into its session file before it runs
 * the hook. The event stays as it is if its end is not in the file; a later scan finds it there.
 */
export function completeEvent(event: AgentEvent, ending: EndingReader | undefined): AgentEvent {
  if (event.kind !== 'call-returned' || ending === undefined || event.transcriptPath === undefined) return event;
  const tail = readEnd(event.transcriptPath, TAIL_BYTES)?.text;
  return (tail === undefined ? undefined : ending.complete(event, tail)) ?? event;
}

/** Cached, because asking the system is slow and every event needs it. */
let host: string | undefined;

/** Adds the agent's process, which only the hook knows: no payload contains it. */
function withProcess(event: AgentEvent, pid: number | undefined): AgentEvent {
  if (pid === undefined) return event;
  host ??= hostname();
  return { ...event, pid, host };
}

/** After the deadline it is not known which lessons would have fired. */
const UNKNOWN_LATE: SkippedLesson = { lessonId: '', reason: 'deadline' };
const TOO_LATE: Decision = { deliveries: [], skipped: [UNKNOWN_LATE] };
/** How much of the end of a transcript is searched for delivered lessons; older ones may be delivered again. */
const MAX_HEARD_BYTES = 8 * 1024 * 1024;

export function decideReply(event: AgentEvent, context: DecisionContext): Decision {
  const withResult = decideWithResult(event, context);
  // Noted only now: a lesson about what the session has done must not see this very call.
  if (!context.probe) notePast(event, context.manifest, context);
  if (withResult !== undefined) return withResult;
  if (event.kind === 'session-started') return decideSessionOpening(event, context);
  if (event.kind === 'subagent-started') return decideSubagentOpening(event, context);
  return event.kind === 'call-started' ? decideAtCall(event, context) : SILENCE;
}

/** The note about a call, for an agent whose hook before a call carries no note. Undefined for any other event. */
function decideWithResult(event: AgentEvent, context: DecisionContext): Decision | undefined {
  const { modes, withResult = 'none' } = context;
  if (event.kind !== 'call-ended' && event.kind !== 'call-returned') return undefined;
  if (modes.includes('note') || withResult === 'none' || (withResult === 'no errors' && event.result.isError))
    return undefined;
  const { result: _, tokens: __, ...asked } = event;
  const decision = decideAtCall({ ...asked, kind: 'call-started' }, { ...context, modes: ['note'] });
  const { reply } = decision;
  return reply?.kind === 'note' ? { ...decision, reply: { ...reply, to: event.kind } } : decision;
}

function decideAtCall(event: EventOf<'call-started'>, context: DecisionContext): Decision {
  const { settings } = context.manifest.header;
  const call = {
    ...toCallView(event, context.projectId),
    past: makeAskSession(event, context),
    ...makeConversation(event),
  };
  const skipped: SkippedLesson[] = [];
  const moment = { at: event.at, sessionId: event.sessionId, switches: context.switches };
  // A lesson that is muted or quiet is not claimed, so that it can fire when that is over.
  const matches = matchLessons(context.manifest, call, () => isLate(context)).filter((match) => {
    const { lesson, score } = match;
    // A probe tests whether lessons arrive, also one that agents follow.
    const urgent = context.probe || isUrgent(lesson, score, settings.delivery.maxMode);
    const reason = findMomentSilence(lesson, moment, urgent);
    if (reason !== undefined) skipped.push(toSkipped(match, reason));
    return reason === undefined;
  });
  const late = isLate(context);
  const due = late ? matches.filter((match) => isBlocking(match, context)) : matches;
  if (late && due.length === 0) return context.manifest.header.count === 0 ? SILENCE : TOO_LATE;
  if (late) skipped.push(UNKNOWN_LATE);
  // A block is delivered even if the lesson was shown before.
  else inherit(event, matches, context);
  const { reply, shown, withheld, crowded } = decideDelivery(event, call, due, context);
  const latencyUs = context.elapsedUs();
  skipped.push(...crowded.map((match) => toSkipped(match, 'budget')));
  return {
    ...(reply === undefined ? {} : { reply }),
    deliveries: context.probe
      ? []
      : [
          ...shown.map((one) => toDelivery(one, event, latencyUs)),
          ...withheld.map((match) => toDelivery({ match, text: '', mode: 'note' }, event, latencyUs, 'holdout')),
        ],
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

interface OtherReplies {
  /** Adds the text about a rewritten call to its result, where the agent read none before the call. */
  complete(decision: Decision): Decision;
  /** The known fix, if the event is a failure that an earlier session got past. */
  knownFix(): Decision | undefined;
  /** The warning before a call that failed before. */
  warning(): Decision | undefined;
}

/** A lesson comes before a known fix, which comes before a warning. */
export function decideDaemonReply(event: AgentEvent, context: DecisionContext, others: OtherReplies): Decision {
  const decision = others.complete(decideReply(event, context));
  // Where a lesson fires, even one that is not shown now, it is about the same mistake.
  const { deliveries, skipped = [] } = decision;
  if ('callId' in event && deliveries.length + skipped.length > 0) return decision;
  return others.knownFix() ?? others.warning() ?? decision;
}

function toSkipped({ lesson }: Match, reason: SkipReason): SkippedLesson {
  return { lessonId: lesson.id, reason };
}

/** A block set by a person works after the deadline, too, because the agent has waited already and a refusal always helps. */
function isBlocking({ lesson }: Match, { manifest, modes }: DecisionContext): boolean {
  const { maxMode } = manifest.header.settings.delivery;
  return decideMode(lesson, { maxMode, modes, canRewrite: false }) === 'block';
}

/** Claims the lessons that the conversation heard before it was forked, so that they are not delivered again. */
function inherit(event: EventOf<'call-started'>, matches: readonly Match[], { claimsDir, probe }: DecisionContext) {
  if (probe || matches.length === 0) return;
  const lessons = matches.map(({ lesson }) => lesson);
  inheritClaims(claimsDir, event, lessons, () => {
    // The end of the file is later than a replayed call, so only a live call may read it.
    const path = event.source === 'hook' ? event.transcriptPath : undefined;
    const text = (path === undefined ? undefined : readEnd(path, MAX_HEARD_BYTES))?.text ?? '';
    const isFromHook = findAdapter(event.agent)?.conversation?.isFromHook;
    return isFromHook === undefined ? [] : parseTrailers(text.split('\n').filter(isFromHook).join('\n'));
  });
}

function toDelivery(
  { match, text, mode }: ShownLesson,
  event: EventOf<'call-started'>,
  latencyUs: number,
  arm: Delivery['arm'] = 'shown',
): Delivery {
  return {
    id: makeId('dlv', Date.parse(event.at)),
    kind: 'call',
    lessonId: match.lesson.id,
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: event.callId,
    mode,
    arm,
    score: match.score.total,
    bytes: Buffer.byteLength(text),
    latencyUs,
    deliveredAt: event.at,
  };
}
