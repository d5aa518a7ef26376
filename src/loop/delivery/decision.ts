/** The decision about one event: the reply to the agent and what is recorded of it, and what the decision needs. */

import type { HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentCapabilities } from '../../base/contracts/agent-capabilities.ts';
import type { OpenSession } from '../../base/model/brief.ts';
import type { Delivery, SkippedLesson } from '../../base/model/delivery.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { FACT_VERSION, type Fact } from '../../base/model/fact.ts';
import type { Switches } from '../../base/model/switches.ts';
import type { Manifest } from '../../match/manifest.ts';
import type { PastContext } from './session-past.ts';

export interface Decision {
  readonly reply?: HookReply;
  readonly deliveries: readonly Delivery[];
  /** Unresolved failures and dead sessions that a new session was told about. */
  readonly briefed?: { readonly failures: readonly string[]; readonly dead: readonly OpenSession[] };
  /** Version of the self-report protocol in the reply. */
  readonly asked?: number | undefined;
  /** Lessons that match this call but were not delivered. */
  readonly skipped?: readonly SkippedLesson[];
}

/** The ways in which a reply can reach the model of this agent. */
export interface ReplyChannels {
  /** What a reply before a call can do. */
  readonly modes: AgentCapabilities['beforeCall'];
  /** Absent: no result carries a note. */
  readonly withResult?: AgentCapabilities['withResult'];
  /** Absent: no failure is answered with a known fix. */
  readonly knownFixes?: AgentCapabilities['knownFixes'];
}

export function toReplyChannels({ beforeCall, withResult, knownFixes }: AgentCapabilities): ReplyChannels {
  return { modes: beforeCall, withResult, knownFixes };
}

export interface DecisionContext extends PastContext, ReplyChannels {
  readonly manifest: Manifest;
  readonly claimsDir: string;
  readonly briefsDir: string;
  readonly troubleFile: string;
  readonly projectId: string;
  readonly switches: Switches;
  /** A probe gets the reply, but nothing is recorded. */
  readonly probe: boolean;
  readonly elapsedUs: () => number;
}

export const SILENCE: Decision = { deliveries: [] };

/** Asked before a lesson is claimed, because a claimed lesson that is not delivered is lost for this context. */
export function isLate({ elapsedUs, manifest }: Pick<DecisionContext, 'elapsedUs' | 'manifest'>): boolean {
  return elapsedUs() > manifest.header.settings.replyDeadlineMs * 1000;
}

/** The decision as facts, which are stored as reliably as calls. */
export function toDecisionFacts(
  event: AgentEvent,
  { deliveries, briefed, skipped = [], reply, asked }: Decision,
): readonly Fact[] {
  const { agent, sessionId, at, contextId } = event;
  const callId = 'callId' in event ? event.callId : deliveries.find((one) => one.kind === 'failure')?.callId;
  const origin = { v: FACT_VERSION, agent, sessionId, at };
  return [
    ...deliveries.map((delivery): Fact => ({ ...origin, kind: 'delivered', delivery })),
    ...(skipped.length > 0 && callId !== undefined
      ? [{ ...origin, kind: 'skipped' as const, contextId, callId, skipped }]
      : []),
    ...(briefed === undefined ? [] : [{ ...origin, kind: 'briefed' as const, ...briefed }]),
    // Only the text that the model reads; text for the user alone costs no tokens.
    ...(reply === undefined
      ? []
      : [
          {
            ...origin,
            kind: 'added' as const,
            contextId,
            callId: callId ?? '',
            reply: reply.kind,
            bytes: Buffer.byteLength(reply.kind === 'refusal' ? reply.reason : reply.context),
            version: asked,
          },
        ]),
  ];
}
