/**
 * Decides whether an agent is shown the known fix of a call that failed: how earlier sessions of the project got past the
 * same failure. Only the daemon does this, because it has the cures in memory; without a daemon nothing is shown. A
 * failure is told once in a conversation, by a cure or by a lesson.
 */

import { makeId } from '../../base/ids.ts';
import { type CuredFailure, toCureId } from '../../base/model/cure.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import type { AgentEvent, EndedCall, EventOf } from '../../base/model/event.ts';
import { isWithheld } from '../../base/model/may-fire.ts';
import { isMuted } from '../../base/model/switches.ts';
import { type Claimant, claimLesson, hasClaimed } from '../../match/claims.ts';
import { type CuredFailures, chooseCure } from '../../match/cure-book.ts';
import { renderCure } from '../../match/cure-text.ts';
import { resolveProjectId } from '../../match/manifest.ts';
import type { Decision, DecisionContext } from '../deliver.ts';
import { toSignedFailure } from '../session-calls.ts';

/** Why a failure with known cures is not told. */
export type CureSilence =
  | 'switched off'
  | 'muted'
  | 'unknown failure'
  | 'same session'
  | 'other call'
  | 'error names it'
  | 'told before'
  | 'enough told'
  | 'no room'
  | 'late';

export interface CureContext
  extends Pick<DecisionContext, 'manifest' | 'claimsDir' | 'projectId' | 'switches' | 'probe' | 'elapsedUs'> {
  readonly failures: CuredFailures;
}

type FailureEvent = EventOf<'call-ended'> | EventOf<'batch-ended'>;

/** More would distract from the work. */
const MAX_CURES = 3;
/** `clear` lets a cure be told again, compaction does not. */
const PRIORITY = 0;

/** Undefined if there is nothing to tell and nothing to record. */
export function decideCure(event: AgentEvent, context: CureContext): Decision | undefined {
  // Most calls work: nothing is looked up for them.
  if (!mayTellFailure(event)) return undefined;
  const { header } = context.manifest;
  const projectId = resolveProjectId(header, context.projectId);
  if (!header.settings.delivery.knownFixes || !context.failures.has(projectId)) return undefined;
  const told: Told[] = [];
  for (const ended of event.kind === 'call-ended' ? [event] : event.calls) {
    const used = told.reduce((sum, { text }) => sum + Buffer.byteLength(text) + GAP.length, 0);
    const one = tell(event, ended, { ...context, projectId }, header.settings.injectionBudgetBytes - used);
    if (one !== undefined) told.push(one);
  }
  if (told.length === 0) return undefined;
  const texts = told.map(({ text }) => text).filter((text) => text !== '');
  const reply = { kind: 'note', to: event.kind, context: texts.join(GAP) } as const;
  return {
    ...(texts.length === 0 ? {} : { reply }),
    deliveries: context.probe ? [] : told.map(({ delivery }) => delivery),
  };
}

const GAP = '\n\n';

interface Told {
  /** Empty if it is withheld. */
  readonly text: string;
  readonly delivery: Delivery;
}

/** Claims the cure of one failed call, if there is one to tell and room for it. */
function tell(event: FailureEvent, ended: EndedCall, context: CureContext, room: number): Told | undefined {
  const { cured, text: known } = findCure(event, ended, context);
  if (cured === undefined || known === undefined) return undefined;
  if (Buffer.byteLength(known) > room || isLate(context)) return undefined;
  if (!context.probe && !claim(event, cured, context)) return undefined;
  const text = !context.probe && isHeldBack(event, cured, context) ? '' : known;
  const facts = { bytes: Buffer.byteLength(text), latencyUs: context.elapsedUs(), callId: ended.callId };
  return { text, delivery: toDelivery(event, cured, facts) };
}

/** The first signature takes as long as a hook may take: it is made before an agent waits for one. */
export function prepareCures(): void {
  const command = 'ls --prepare';
  const input = { command, json: JSON.stringify({ command }) };
  const call = {
    callId: '',
    tool: 'shell',
    rawTool: '',
    input,
    result: { isError: true, text: 'ls: error: none' },
  } as const;
  const origin = { agent: '', sessionId: '', contextId: '', at: new Date().toISOString(), source: 'hook' } as const;
  toSignedFailure({ ...origin, kind: 'call-ended', ...call }, call, '');
}

/** The first and cheapest question. A batch also reports failures that no other event does, even hidden ones. */
function mayTellFailure(event: AgentEvent): event is FailureEvent {
  return event.kind === 'call-ended' ? hasError(event) : event.kind === 'batch-ended';
}

function hasError({ result }: EndedCall): boolean {
  return result.isError || (result.exitCode ?? 0) !== 0;
}

function isLate({ elapsedUs, manifest }: CureContext): boolean {
  return elapsedUs() > manifest.header.settings.replyDeadlineMs * 1000;
}

interface FoundCure {
  readonly cured?: CuredFailure;
  /** The text to show. */
  readonly text?: string;
  readonly silence?: CureSilence;
}

function findCure(event: FailureEvent, ended: EndedCall, context: CureContext): FoundCure {
  const signatureId = toSignedFailure(event, ended, context.projectId)?.signature?.id;
  return signatureId === undefined ? {} : findCureOf(signatureId, event, ended, context);
}

/** The cure of a failed call, or the reason why there is none to show. `projectId`: the resolved one. */
export function findCureOf(
  signatureId: string,
  event: FailureEvent,
  ended: EndedCall,
  context: CureContext,
): FoundCure {
  const { failures, projectId, switches } = context;
  const cured = failures.find({ projectId, signatureId });
  if (cured === undefined) return { silence: 'unknown failure' };
  const { cures, lessons } = cured;
  const lessonId = toCureId(signatureId);
  if (isMuted(switches, { lessonId, sessionId: event.sessionId }, Date.parse(event.at)))
    return { cured, silence: 'muted' };
  const { command } = ended.input;
  const earlier = cures.filter(({ sessionId }) => sessionId !== event.sessionId);
  if (earlier.length === 0) return { cured, silence: 'same session' };
  const known = chooseCure(earlier, command);
  if (known === undefined) return { cured, silence: 'other call' };
  const claimant = toClaimant(event, context);
  const names = [{ id: lessonId, priority: PRIORITY }, ...lessons];
  if (!context.probe && names.some((one) => hasClaimed(context.claimsDir, claimant, one)))
    return { cured, silence: 'told before' };
  const failing = { ...(command === undefined ? {} : { command }), rawTool: ended.rawTool, output: ended.result.text };
  const text = renderCure(known, failing, event.at);
  return text === undefined ? { cured, silence: 'error names it' } : { cured, text };
}

/** Whoever makes the claim tells the failure. Lessons about it are claimed with it, so that they do not tell it again. */
function claim(event: FailureEvent, { signatureId, lessons }: CuredFailure, context: CureContext): boolean {
  const claimant = toClaimant(event, context);
  const take = (id: string): boolean => claimLesson(context.claimsDir, claimant, { id, priority: PRIORITY });
  if (!take(toCureId(signatureId))) return false;
  const isRoom = Array.from({ length: MAX_CURES }, (_, n) => `cure ${n + 1} of ${MAX_CURES}`).some(take);
  if (isRoom) for (const lesson of lessons) claimLesson(context.claimsDir, claimant, lesson);
  return isRoom;
}

function toClaimant({ agent, sessionId, contextId }: FailureEvent, { manifest }: CureContext): Claimant {
  return { agent, sessionId, contextId: manifest.header.settings.dedup === 'session' ? '' : contextId };
}

function isHeldBack(event: FailureEvent, { signatureId, withheld }: CuredFailure, { manifest }: CureContext): boolean {
  const cure = { id: toCureId(signatureId), ...(withheld === undefined ? {} : { withheld }) };
  return isWithheld(cure, event, manifest.header);
}

function toDelivery(
  event: FailureEvent,
  { signatureId }: CuredFailure,
  facts: Pick<Delivery, 'bytes' | 'latencyUs' | 'callId'>,
): Delivery {
  return {
    id: makeId('dlv', Date.parse(event.at)),
    kind: 'failure',
    lessonId: toCureId(signatureId),
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    mode: 'note',
    arm: facts.bytes === 0 ? 'holdout' : 'shown',
    score: 0,
    ...facts,
    deliveredAt: event.at,
  };
}
