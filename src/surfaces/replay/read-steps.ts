/**
 * A past session as a replay needs it: what was asked for and when, and what could be learned once it had ended. Events
 * go to the digester one by one, as they came: what is learned at one of them cannot rest on a later one.
 */
import { findHistory } from '../../agents/histories.ts';
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent, EventOf } from '../../base/event.ts';
import { readTranscriptFile } from '../../capture/read-transcript-file.ts';
import { toTime } from '../../keep/store/to-time.ts';
import type { Digest, Digester } from '../loop/digest-events.ts';
import type { ScanFile } from '../scan/list-scan-files.ts';

export interface Step {
  /** The call as a hook would have asked about it; absent for what is no call. */
  readonly asked?: EventOf<'call-started'>;
  /** The event itself, when no call: what the agent forgot matters to a replay. */
  readonly event: AgentEvent;
  readonly beganAt: string;
  /** When its outcome was known. */
  readonly endedAt: string;
  /** Absent for calls that nobody tracks. */
  readonly call?: LiveCall;
  readonly digest: Digest;
}

export interface ReadStepsParts {
  readonly makeDigest: () => Digester;
  readonly onStep: (step: Step) => void | Promise<void>;
}

/** Rejects when the file cannot be read. */
export async function readSteps({ agent, path }: Pick<ScanFile, 'agent' | 'path'>, parts: ReadStepsParts) {
  const history = findHistory(agent);
  if (history === undefined) throw new Error(`the agent ${agent} is unknown`);
  const digest = parts.makeDigest();
  await readTranscriptFile({ path, history }, async (events) => {
    for (const told of events) {
      // As the store would have it: what is judged and learned compares times as text.
      const event = { ...told, at: toTime(told.at) };
      await parts.onStep(toStep(event, await digest([event])));
    }
  });
}

function toStep(event: AgentEvent, digest: Digest): Step {
  if (event.kind !== 'call-ended') return { event, beganAt: event.at, endedAt: event.at, digest };
  const { result, kind: _, ...call } = event;
  const [observed] = digest.calls.observed;
  return {
    asked: { ...call, kind: 'call-started' },
    event,
    beganAt: event.at,
    endedAt: toEnd(event.at, result.pairedMs ?? result.durationMs ?? 0),
    ...(observed === undefined ? {} : { call: observed }),
    digest,
  };
}

/** A transcript tells a call at the time it began. */
function toEnd(at: string, durationMs: number): string {
  const began = Date.parse(at);
  return Number.isNaN(began) ? at : new Date(began + durationMs).toISOString();
}
