/**
 * Decides whether an agent is shown the known fix of a call that failed: how earlier sessions of the project got past the
 * same failure. Only the daemon does this, because it has the cures in memory; without a daemon nothing is shown. A
 * failure is told once in a conversation, by a cure or by a lesson.
 */

import type { CuredFailure } from '../../base/model/cure.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import type { AgentEvent, EndedCall, EventOf } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { claimLesson, toClaimant } from '../../match/claims.ts';
import { type CuredFailures, chooseCure } from '../../match/cure-book.ts';
import { renderCure } from '../../match/cure-text.ts';
import { resolveProjectId } from '../../match/manifest.ts';
import { type Decision, type DecisionContext, isLate } from '../deliver.ts';
import { toSignedFailure } from '../session-calls.ts';
import {
  claimFailure,
  isFailureMuted,
  isFailureTold,
  isFailureWithheld,
  PRIORITY,
  toFailureDelivery,
} from './told-failures.ts';

/** Why a failure with known cures is not told. */
export type CureSilence =
  | 'switched off'
  | 'muted'
  | 'unknown failure'
  | 'same session'
  | 'other call'
  | 'error names it'
  | 'told before';

export interface CureContext
  extends Pick<DecisionContext, 'manifest' | 'claimsDir' | 'projectId' | 'switches' | 'probe' | 'elapsedUs'> {
  readonly failures: CuredFailures;
}

type FailureEvent = EventOf<'call-ended'> | EventOf<'batch-ended'>;

/** More would distract from the work. */
const MAX_CURES = 3;

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
  const text = !context.probe && isFailureWithheld(cured, event, context.manifest) ? '' : known;
  const facts = { bytes: Buffer.byteLength(text), latencyUs: context.elapsedUs(), callId: ended.callId };
  return { text, delivery: toFailureDelivery(event, cured, { kind: 'failure', mode: 'note', ...facts }) };
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
  if (isFailureMuted(cured, event, switches)) return { cured, silence: 'muted' };
  const { command } = ended.input;
  const earlier = cured.cures.filter(({ sessionId }) => sessionId !== event.sessionId);
  if (earlier.length === 0) return { cured, silence: 'same session' };
  const known = chooseCure(earlier, command);
  if (known === undefined) return { cured, silence: 'other call' };
  const claimant = toClaimant(event, context.manifest.header.settings);
  if (!context.probe && isFailureTold(context.claimsDir, claimant, cured)) return { cured, silence: 'told before' };
  const failing = { ...(command === undefined ? {} : { command }), rawTool: ended.rawTool, output: ended.result.text };
  const text = renderCure({ ...known, ...dropAbsent({ advice: cured.advice }) }, failing, event.at);
  return text === undefined ? { cured, silence: 'error names it' } : { cured, text };
}

/** A conversation gets a few cures; each takes one of the places. */
function claim(event: FailureEvent, cured: CuredFailure, { manifest, claimsDir }: CureContext): boolean {
  const claimant = toClaimant(event, manifest.header.settings);
  const places = Array.from({ length: MAX_CURES }, (_, n) => `cure ${n + 1} of ${MAX_CURES}`);
  return claimFailure(claimsDir, claimant, cured, () =>
    places.some((id) => claimLesson(claimsDir, claimant, { id, priority: PRIORITY })),
  );
}
