/**
 * The back-test before trust (D12): a new trigger is replayed over the user's own past calls. Pure: what a trigger
 * means is for the matcher to say, and is passed in.
 */
import type { Finding } from '../base/finding.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Triggers } from '../base/trigger.ts';

export interface PastCall {
  readonly callId: string;
  readonly command: string;
  readonly outcome: Outcome;
  readonly signatureId?: string | undefined;
}

export interface Gate {
  readonly verdict: 'active' | 'draft' | 'dropped';
  /** Past failures of this kind that it would have spoken about. */
  readonly hits: number;
  /** Past successes that it would have spoken about. */
  readonly falseAlarms: number;
  readonly reason: string;
}

/** `past` holds the finding's own failing and fixing call too, known by their ids. */
export function gateFinding(
  finding: Finding,
  past: readonly PastCall[],
  holds: (triggers: Triggers, command: string) => boolean,
): Gate {
  const failing = past.find((call) => call.callId === finding.failingCallId);
  const fixing = past.find((call) => call.callId === finding.fixingCallId);
  if (failing !== undefined && !holds(finding.triggers, failing.command)) return drop('silent on its own mistake');
  if (fixing !== undefined && holds(finding.triggers, fixing.command)) return drop('speaks on its own fix');
  const spoken = past.filter((call) => holds(finding.triggers, call.command));
  const hits = spoken.filter((call) => isHit(call, finding)).length;
  const falseAlarms = spoken.filter((call) => call.outcome === 'success' || call.outcome === 'partial').length;
  const counts = `${hits} hits, ${falseAlarms} false alarms in past calls`;
  if (failing === undefined || fixing === undefined) {
    return { verdict: 'draft', hits, falseAlarms, reason: `its own calls could not be replayed; ${counts}` };
  }
  return { verdict: falseAlarms > hits ? 'draft' : 'active', hits, falseAlarms, reason: counts };
}

function isHit(call: PastCall, finding: Finding): boolean {
  if (call.outcome !== 'failure') return false;
  return call.callId === finding.failingCallId || call.signatureId === finding.signature.id;
}

function drop(reason: string): Gate {
  return { verdict: 'dropped', hits: 0, falseAlarms: 0, reason };
}
