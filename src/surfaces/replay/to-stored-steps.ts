/**
 * A session of which only the store knows, as steps of a replay. It has the beginning of each command and of each output:
 * less than a transcript, so less is learned from it, and never more.
 */
import type { LiveCall, StoredCall } from '../../base/call.ts';
import type { Detector } from '../../base/detector.ts';
import type { EventOf } from '../../base/event.ts';
import { isHookRun } from '../../base/is-hook-run.ts';
import type { Session } from '../../base/session.ts';
import { detectFindings } from '../../distill/detect-findings.ts';
import { makeCallWindows } from '../loop/call-windows.ts';
import type { Digest } from '../loop/digest-events.ts';
import { type ReplayStep, toFacts, toSmall } from './read-sessions.ts';

export interface StoredSession {
  readonly session: Session;
  /** Oldest first. */
  readonly calls: readonly StoredCall[];
  /** A number that no other session or file has. */
  readonly file: number;
}

export interface StoredSteps {
  readonly steps: readonly ReplayStep[];
  /** Calls that are left out: nobody can tell what they were. */
  readonly withoutText: number;
}

export function toStoredSteps({ session, calls, file }: StoredSession, detectors?: readonly Detector[]): StoredSteps {
  const own = calls.filter((call) => !isHookRun(call));
  const told = own.filter(({ inputSummary }) => inputSummary !== undefined);
  const windows = makeCallWindows();
  const steps = told.map((stored, n): ReplayStep => {
    const call = toLive(stored, session);
    const findings = windows
      .add([call])
      .flatMap((window) => detectFindings(window, detectors).map((finding) => ({ finding, window: window.calls })));
    const digest = { ...toDigest(call, session, n === 0), findings };
    return { ...toSmall(toStep(stored, session, { call, digest })), file, agent: call.agent, ...toFacts(call) };
  });
  return { steps, withoutText: own.length - told.length };
}

function toLive({ id: _, precedingId: __, ...stored }: StoredCall, { cwd }: Session): LiveCall {
  const { tool, inputSummary, outputSummary, message } = stored;
  const output = outputSummary ?? message;
  return {
    ...stored,
    ...(tool === 'shell' && inputSummary !== undefined ? { command: inputSummary } : {}),
    ...(output === undefined ? {} : { output }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function toStep(stored: StoredCall, { cwd }: Session, known: { readonly call: LiveCall; readonly digest: Digest }) {
  const { agent, sessionId, contextId, callId, tool, rawTool, occurredAt, targetPath, inputSummary = '' } = stored;
  const { command } = known.call;
  const place = { agent, sessionId, contextId, at: occurredAt, source: 'transcript' as const };
  const input = {
    ...(command === undefined ? {} : { command }),
    ...(targetPath === undefined ? {} : { path: targetPath }),
    json: inputSummary,
  };
  const told = { ...place, ...(cwd === undefined ? {} : { cwd }), callId, tool, rawTool, input };
  const asked: EventOf<'call-started'> = { ...told, kind: 'call-started' };
  const event: EventOf<'call-ended'> = { ...told, kind: 'call-ended', result: { isError: false, text: '' } };
  return { asked, event, beganAt: occurredAt, endedAt: toEnd(stored), ...known };
}

/** Some are told at their end: then this is too late, which only hides something. */
function toEnd({ occurredAt, durationMs = 0, durationSource }: StoredCall): string {
  const began = Date.parse(occurredAt);
  if (Number.isNaN(began) || durationSource === 'gap') return occurredAt;
  return new Date(began + durationMs).toISOString();
}

function toDigest(
  call: LiveCall,
  { agent, sessionId, cwd, source }: Session,
  isFirst: boolean,
): Omit<Digest, 'findings'> {
  const from = source === 'hook' ? ('hook' as const) : ('transcript' as const);
  const sight = { agent, sessionId, at: call.occurredAt, source: from, ...(cwd === undefined ? {} : { cwd }) };
  return {
    sights: isFirst ? [sight] : [],
    calls: { observed: [call], hearsay: [], beside: [] },
    ...{ reports: [], ends: [], contextEnds: [], places: [] },
  };
}
