/**
 * Decides the reply to one event: matches lessons, claims them, fits them into the budget and renders them; and records
 * the decision as facts. The daemon and the cold hook use the same code.
 */

import { findAdapter } from '../agents/hooks.ts';
import type { HookReply } from '../base/contracts/agent-adapter.ts';
import { makeId } from '../base/ids.ts';
import type { Delivery, SkippedLesson, SkipReason } from '../base/model/delivery.ts';
import type { AgentEvent, EventOf } from '../base/model/event.ts';
import { FACT_VERSION, type Fact } from '../base/model/fact.ts';
import type { DeliveryMode } from '../base/model/lesson.ts';
import { findMomentSilence, isUrgent } from '../base/model/may-fire.ts';
import { isMuted, type Switches } from '../base/model/switches.ts';
import { toCallView } from '../base/triggers/call-view.ts';
import { dropClaims, inheritClaims, markContinuedSession } from '../match/claims.ts';
import type { Manifest } from '../match/manifest.ts';
import { type Match, matchLessons } from '../match/match-lessons.ts';
import { decideMode, parseTrailers, type ShownLesson } from '../match/reply-text.ts';
import type { BriefText } from '../match/session-opening.ts';
import { openTalk, readEnd } from './delivery/conversation.ts';
import { decideCall } from './delivery/decide-call.ts';
import { decideOpening } from './delivery/decide-opening.ts';
import { notePast, openPast, type PastContext } from './delivery/session-past.ts';

export interface Decision {
  readonly reply?: HookReply;
  readonly deliveries: readonly Delivery[];
  /** Unresolved failures and dead sessions that a new session was told about. */
  readonly told?: Pick<BriefText, 'failures' | 'dead'>;
  /** Version of the self-report protocol in the reply. */
  readonly asked?: number | undefined;
  /** Lessons that match this call but were not delivered. */
  readonly unsaid?: readonly SkippedLesson[];
}

export interface DecisionContext extends PastContext {
  readonly manifest: Manifest;
  readonly claimsDir: string;
  readonly briefsDir: string;
  readonly troubleFile: string;
  readonly projectId: string;
  readonly switches: Switches;
  /** The delivery modes that the agent supports. */
  readonly modes: readonly DeliveryMode[];
  /** A probe gets the reply, but nothing is recorded. */
  readonly probe: boolean;
  readonly elapsedUs: () => number;
}

const SILENCE: Decision = { deliveries: [] };
/** After the deadline it is not known which lessons would have fired. */
const UNKNOWN_LATE: SkippedLesson = { lessonId: '', reason: 'deadline' };
const TOO_LATE: Decision = { deliveries: [], unsaid: [UNKNOWN_LATE] };
/** How much of the end of a transcript is searched for delivered lessons; older ones may be delivered again. */
const MAX_HEARD_BYTES = 8 * 1024 * 1024;

export function decideReply(event: AgentEvent, context: DecisionContext): Decision {
  const { settings } = context.manifest.header;
  if (!context.probe) notePast(event, context.manifest, context);
  if (event.kind === 'session-started') return open(event, context);
  if (event.kind === 'subagent-started') return greet(event, context);
  if (event.kind !== 'call-started') return SILENCE;
  const call = { ...toCallView(event, context.projectId), past: openPast(event, context), ...openTalk(event) };
  const unsaid: SkippedLesson[] = [];
  const moment = { at: event.at, sessionId: event.sessionId, switches: context.switches };
  // A lesson that is muted or quiet is not claimed, so that it can fire when that is over.
  const matches = matchLessons(context.manifest, call, () => isLate(context)).filter((match) => {
    const { lesson, score } = match;
    // A probe tests whether lessons arrive, also one that agents follow.
    const urgent = context.probe || isUrgent(lesson, score, settings.delivery.maxMode);
    const reason = findMomentSilence(lesson, moment, urgent);
    if (reason !== undefined) unsaid.push(toUnsaid(match, reason));
    return reason === undefined;
  });
  const late = isLate(context);
  const due = late ? matches.filter((match) => isBlocking(match, context)) : matches;
  if (late && due.length === 0) return context.manifest.header.count === 0 ? SILENCE : TOO_LATE;
  if (late) unsaid.push(UNKNOWN_LATE);
  // A block is delivered even if the lesson was shown before.
  else inherit(event, matches, context);
  const { reply, shown, withheld, crowded } = decideCall(event, call, due, { ...context, settings });
  const latencyUs = context.elapsedUs();
  unsaid.push(...crowded.map((match) => toUnsaid(match, 'budget')));
  return {
    ...(reply === undefined ? {} : { reply }),
    deliveries: context.probe
      ? []
      : [
          ...shown.map((one) => toDelivery(one, event, latencyUs)),
          ...withheld.map((match) => toDelivery({ match, text: '', mode: 'note' }, event, latencyUs, 'holdout')),
        ],
    ...(unsaid.length === 0 ? {} : { unsaid }),
  };
}

function toUnsaid({ lesson }: Match, reason: SkipReason): SkippedLesson {
  return { lessonId: lesson.id, reason };
}

/** Asked before a lesson is claimed, because a claimed lesson that is not delivered is lost for this context. */
export function isLate({ elapsedUs, manifest }: Pick<DecisionContext, 'elapsedUs' | 'manifest'>): boolean {
  return elapsedUs() > manifest.header.settings.replyDeadlineMs * 1000;
}

/** A block set by a person works after the deadline, too, because the agent has waited already and a refusal always helps. */
function isBlocking({ lesson }: Match, { manifest, modes }: DecisionContext): boolean {
  const { maxMode } = manifest.header.settings.delivery;
  return decideMode(lesson, { maxMode, modes, canRewrite: false }) === 'block';
}

function open(event: EventOf<'session-started'>, context: DecisionContext): Decision {
  forget(event, context);
  if (isLate(context) || isMuted(context.switches, event, Date.parse(event.at))) return SILENCE;
  const { text, failures, dead, deliveries } = decideOpening(event, context);
  if (text === '') return SILENCE;
  const { protocol = '\0', protocolVersion } = context.manifest.header;
  return {
    reply: { kind: 'note', to: 'session-started', context: text },
    deliveries,
    told: { failures, dead },
    asked: text.endsWith(protocol) ? protocolVersion : undefined,
  };
}

/** A sub-agent has not read the opening of its session. */
function greet(event: EventOf<'subagent-started'>, context: DecisionContext): Decision {
  const { protocol, protocolVersion: asked, settings } = context.manifest.header;
  if (protocol === undefined || Buffer.byteLength(protocol) > settings.injectionBudgetBytes) return SILENCE;
  if (isLate(context) || isMuted(context.switches, event, Date.parse(event.at))) return SILENCE;
  return { reply: { kind: 'note', to: event.kind, context: protocol }, deliveries: [], asked };
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

/** Lets lessons that the agent forgot be delivered again: all after `clear`, the important ones after compaction. */
function forget(event: EventOf<'session-started'>, context: DecisionContext): void {
  const { compactionReinjectionThreshold } = context.manifest.header.settings;
  if (context.probe) return;
  if (event.start === 'clear') dropClaims(context.claimsDir, event, 0);
  if (event.start === 'compact') dropClaims(context.claimsDir, event, compactionReinjectionThreshold);
  if (event.start === 'fork' || event.start === 'resume') markContinuedSession(context.claimsDir, event);
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

/** The decision as facts, which are stored as reliably as calls. */
export function toDecisionFacts(
  event: AgentEvent,
  { deliveries, told, unsaid = [], reply, asked }: Decision,
): readonly Fact[] {
  const { agent, sessionId, at, contextId } = event;
  const callId = 'callId' in event ? event.callId : deliveries.find((one) => one.kind === 'failure')?.callId;
  const origin = { v: FACT_VERSION, agent, sessionId, at };
  return [
    ...deliveries.map((delivery): Fact => ({ ...origin, kind: 'delivered', delivery })),
    ...(unsaid.length > 0 && callId !== undefined
      ? [{ ...origin, kind: 'unsaid' as const, contextId, callId, unsaid }]
      : []),
    ...(told === undefined ? [] : [{ ...origin, kind: 'briefed' as const, ...told }]),
    // Only the text that the model reads; text for the user alone costs no tokens.
    ...(reply === undefined
      ? []
      : [
          {
            ...{ ...origin, kind: 'added' as const, contextId, callId: callId ?? '' },
            reply: reply.kind,
            bytes: Buffer.byteLength(reply.kind === 'refusal' ? reply.reason : reply.context),
            version: asked,
          },
        ]),
  ];
}
