/**
 * The answer to one event: which lessons speak, claimed, fitted and rendered. The same for the daemon and the cold hook.
 */
import type { Delivery } from '../../base/delivery.ts';
import type { AgentEvent, EventOf } from '../../base/event.ts';
import { makeId } from '../../base/ids.ts';
import type { HookReply } from '../../base/reply.ts';
import { isMuted, type Switches } from '../../base/switches.ts';
import { claimLesson, dropClaims } from '../../match/claim-lesson.ts';
import { fitBudget, joinShown, type Shown } from '../../match/fit-budget.ts';
import { toMatchCall } from '../../match/match-call.ts';
import { type Match, matchLessons } from '../../match/match-lessons.ts';
import type { Manifest } from '../../match/open-manifest.ts';
import type { BriefText } from '../../match/render-brief.ts';
import { decideOpening } from './decide-opening.ts';
import { notePast, openPast, type PastContext } from './note-past.ts';

export interface Decision {
  readonly reply?: HookReply;
  readonly deliveries: readonly Delivery[];
  /** What a new session was told is unresolved. */
  readonly told?: Pick<BriefText, 'failures' | 'dead'>;
}

export interface DecisionContext extends PastContext {
  readonly manifest: Manifest;
  readonly claimsDir: string;
  readonly briefsDir: string;
  readonly troubleFile: string;
  readonly projectId: string;
  readonly switches: Switches;
  /** A probe sees what would be said and leaves no trace. */
  readonly probe: boolean;
  readonly elapsedUs: () => number;
}

const SILENCE: Decision = { deliveries: [] };

export function decideReply(event: AgentEvent, context: DecisionContext): Decision {
  const { settings } = context.manifest.header;
  if (!context.probe) notePast(event, context.manifest, context);
  if (event.kind === 'session-started') return open(event, context);
  if (event.kind === 'subagent-started') return greet(event, context);
  if (event.kind !== 'call-started') return SILENCE;
  const claimant = settings.dedup === 'session' ? { ...event, contextId: '' } : event;
  const claim = ({ lesson }: Match) => context.probe || claimLesson(context.claimsDir, claimant, lesson);
  const matches = matchLessons(context.manifest, {
    ...toMatchCall(event, context.projectId),
    past: openPast(event, context),
  });
  if (isLate(context)) return SILENCE;
  const shown = fitBudget(matches.filter(isHeard(event, context)), settings, claim);
  if (shown.length === 0) return SILENCE;
  return {
    reply: { kind: 'note', to: 'call-started', context: joinShown(shown) },
    deliveries: context.probe ? [] : shown.map((one) => toDelivery(one, event, context.elapsedUs())),
  };
}

/** Asked before anything is claimed: what is claimed and stays unsaid would be lost for this context. */
function isLate({ elapsedUs, manifest }: DecisionContext): boolean {
  return elapsedUs() > manifest.header.settings.replyDeadlineMs * 1000;
}

/** A lesson that is muted is not claimed either: it speaks when its time has passed. */
function isHeard({ sessionId, at }: AgentEvent, { switches }: DecisionContext): (match: Match) => boolean {
  return ({ lesson }) => !isMuted(switches, { lessonId: lesson.id, sessionId }, Date.parse(at));
}

function open(event: EventOf<'session-started'>, context: DecisionContext): Decision {
  forget(event, context);
  if (isLate(context) || isMuted(context.switches, event, Date.parse(event.at))) return SILENCE;
  const { settings, protocol } = context.manifest.header;
  const budgetBytes = settings.injectionBudgetBytes;
  const { text, failures, dead } = decideOpening(event, { ...context, budgetBytes, protocol });
  if (text === '') return SILENCE;
  return { reply: { kind: 'note', to: 'session-started', context: text }, deliveries: [], told: { failures, dead } };
}

/** A sub-agent knows nothing of what the session was told. */
function greet(event: EventOf<'subagent-started'>, context: DecisionContext): Decision {
  const { protocol } = context.manifest.header;
  if (protocol === undefined || isLate(context) || isMuted(context.switches, event, Date.parse(event.at)))
    return SILENCE;
  return { reply: { kind: 'note', to: event.kind, context: protocol }, deliveries: [] };
}

/** What the agent forgot may be said again: all after `clear`, the weightier lessons after compaction. */
function forget(event: EventOf<'session-started'>, context: DecisionContext): void {
  const { compactionReinjectionThreshold } = context.manifest.header.settings;
  if (context.probe) return;
  if (event.start === 'clear') dropClaims(context.claimsDir, event, 0);
  if (event.start === 'compact') dropClaims(context.claimsDir, event, compactionReinjectionThreshold);
}

function toDelivery({ match, text }: Shown, event: EventOf<'call-started'>, latencyUs: number): Delivery {
  return {
    id: makeId('dlv', Date.parse(event.at)),
    kind: 'call',
    lessonId: match.lesson.id,
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: event.callId,
    // Only notes are delivered so far, whatever the lesson would like.
    mode: 'note',
    arm: 'shown',
    score: match.score.total,
    bytes: Buffer.byteLength(text),
    latencyUs,
    deliveredAt: event.at,
  };
}
