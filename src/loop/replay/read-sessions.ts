/**
 * Reads past sessions into memory as replay steps, from transcripts or, for sessions without a transcript, from stored
 * calls. A step is as small as a replay allows: it keeps the judgement of an output, not the output. Events reach the
 * digester one by one in their order, so learning from an event cannot use a later one.
 */

import { findHistory } from '../../agents/histories.ts';
import { toReason } from '../../base/errors.ts';
import type { LiveCall, StoredCall } from '../../base/model/call.ts';
import type { AgentEvent, EventOf } from '../../base/model/event.ts';
import { type Session, toCallKey } from '../../base/model/session.ts';
import { DEFAULT_SETTINGS, type DetectionSettings, type DetectorSettings } from '../../base/model/settings.ts';
import { isHookRun } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { isHang } from '../../capture/outcomes/is-hang.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import { readTranscriptFile } from '../../capture/transcripts/read-transcript.ts';
import { detectFindings } from '../../distill/detect-findings.ts';
import type { Detector } from '../../distill/detector.ts';
import { classifyFailure } from '../../distill/episodes/classify-failure.ts';
import { toTime } from '../../keep/store/row-values.ts';
import { toReferenceProgram, toReferenceSignature } from '../../measure/frozen-measures.ts';
import type { ReplayedFailure } from '../../measure/judge-replay.ts';
import { type Digest, type Digester, makeCallWindows, makeDigester, mapCalls } from '../digest-events.ts';
import { loadDetectors } from '../learning/load-detectors.ts';
import type { ReadRules } from '../privacy/capture-filter.ts';
import type { ScanFile } from '../scan/scan-files.ts';

export interface ReplayStep extends Step {
  /** Number of the file; steps of one file stay in order. */
  readonly file: number;
  readonly agent: string;
  readonly program?: string;
  readonly failure?: ReplayedFailure;
  readonly masked?: ReplayedFailure;
  readonly refusal?: string;
  /** For a background call, its final outcome. It is counted, but was not known when the call was matched. */
  readonly endedAs?: Pick<LiveCall, 'outcome' | 'masked' | 'signature' | 'evidence'>;
}

interface ReadSessionsParts extends Partial<DetectorSettings> {
  readonly trackedTools: readonly string[];
  readonly log: (line: string) => void;
  /** Excludes private, paused and forgotten data. */
  readonly readRules?: ReadRules;
  readonly onProgress?: (done: number, all: number) => void;
}

/** Logs and skips files that cannot be read. */
export async function readSessions(
  files: readonly ScanFile[],
  { trackedTools, log, readRules, onProgress = () => {}, ...parts }: ReadSessionsParts,
): Promise<readonly ReplayStep[]> {
  const scan = makeSecretScan({ log });
  const { detectorPlugins = [], detectorsOff = [], detection = DEFAULT_SETTINGS.detection } = parts;
  const detectors = loadDetectors({ detectorPlugins, detectorsOff }, log);
  const makeDigest = () =>
    makeDigester({ trackedTools: () => trackedTools, detection: () => detection, scan, detectors });
  const steps: ReplayStep[] = [];
  const stepOf = new Map<string, number>();
  for (const [number, file] of files.entries()) {
    const onStep = async (step: Step): Promise<void> => {
      if (readRules !== undefined && !(await readRules([step.event]))(step.event)) return;
      // A resumed or forked session may be in several files.
      if (step.call !== undefined && stepOf.has(toCallKey(step.call))) return;
      if (step.call !== undefined) stepOf.set(toCallKey(step.call), steps.length);
      if (step.event.kind === 'background-ended') noteEnds(steps, stepOf, step.digest.calls.storedOnly);
      steps.push({ ...toSmall(step), file: number, agent: file.agent, ...(step.call && toFacts(step.call)) });
    };
    await readSteps(file, { makeDigest, onStep }).catch((error) => log(`${file.path}: ${toReason(error)}`));
    onProgress(number + 1, files.length);
  }
  return steps;
}

function noteEnds(steps: ReplayStep[], stepOf: ReadonlyMap<string, number>, ends: readonly LiveCall[]): void {
  for (const call of ends) {
    const n = stepOf.get(toCallKey(call)) ?? -1;
    const begun = steps[n];
    if (begun === undefined) continue;
    const { outcome, masked, signature, evidence } = call;
    const endedAs = { outcome, masked, ...dropAbsent({ signature, evidence }) };
    steps[n] = { ...begun, endedAs, ...toFacts(call) };
  }
}

/** The back-test's own facts about a call. */
function toFacts(call: LiveCall): Pick<ReplayStep, 'program' | 'failure' | 'masked' | 'refusal'> {
  const { tool, command, output } = call;
  const program = toReferenceProgram({ tool, command });
  if (call.outcomeType === 'own-refusal') return { program };
  if (call.outcome === 'denied') return { program, refusal: `refused: ${program}` };
  if (call.outcome !== 'failure') return { program };
  const failure = { class: classifyFailure(call), reference: toReferenceSignature({ tool, command, output }) };
  return call.masked ? { program, masked: failure } : { program, failure };
}

function toSmall(step: Step): Step {
  const { event, call, digest } = step;
  return {
    ...step,
    // The input is in `asked`, and the result has been judged, so both are dropped to save memory.
    event: event.kind === 'call-ended' ? { ...event, input: NO_INPUT, result: { isError: false, text: '' } } : event,
    ...(call === undefined ? {} : { call: withoutOutput(call) }),
    digest: { ...digest, calls: mapCalls(digest.calls, (calls) => calls.map(withoutOutput)) },
  };
}

const NO_INPUT = { json: '' };

function withoutOutput({ output: _, ...call }: LiveCall): LiveCall {
  return call;
}

/** One step of a past session: the call and its time, and what could be learned when it had ended. */
interface Step {
  /** The call as a hook would see it; absent for other events. */
  readonly asked?: EventOf<'call-started'>;
  /** The event itself, because compactions and the like matter to a replay. */
  readonly event: AgentEvent;
  readonly beganAt: string;
  /** The time when its outcome was known. */
  readonly endedAt: string;
  /** Absent for calls of untracked tools. */
  readonly call?: LiveCall;
  readonly digest: Digest;
}

interface ReadStepsParts {
  readonly makeDigest: () => Digester;
  readonly onStep: (step: Step) => void | Promise<void>;
}

/** Rejects when the file cannot be read. */
export async function readSteps({ agent, path }: Pick<ScanFile, 'agent' | 'path'>, parts: ReadStepsParts) {
  const history = findHistory(agent);
  if (history === undefined) throw new Error(`the agent ${agent} is unknown`);
  const digest = parts.makeDigest();
  await readTranscriptFile({ path, history }, async (events) => {
    for (const read of events) {
      // Normalize the time as the store does, because times are compared as text.
      const event = { ...read, at: toTime(read.at) };
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
    ...dropAbsent({ call: observed }),
    digest,
  };
}

/** A transcript records a call with the time it began. */
function toEnd(at: string, durationMs: number): string {
  const began = Date.parse(at);
  return Number.isNaN(began) ? at : new Date(began + durationMs).toISOString();
}

interface StoredSession {
  readonly session: Session;
  /** Oldest first. */
  readonly calls: readonly StoredCall[];
  /** A number unique among sessions and files. */
  readonly file: number;
}

interface StoredSteps {
  readonly steps: readonly ReplayStep[];
  /** Calls left out, because their text was removed. */
  readonly withoutText: number;
}

/**
 * Replay steps of a session that only the store has. The store keeps only the beginnings of commands and outputs, so less
 * is learned from it than from a transcript, and never more.
 */
export function toStoredSteps(
  { session, calls, file }: StoredSession,
  detectors: readonly Detector[],
  detection: DetectionSettings,
): StoredSteps {
  const own = calls.filter((call) => !isHookRun(call));
  const withText = own.filter(({ inputSummary }) => inputSummary !== undefined);
  const windows = makeCallWindows();
  const steps = withText.map((stored, n): ReplayStep => {
    const call = toLive(stored, session, detection);
    const findings = windows
      .add([call])
      .flatMap((window) =>
        detectFindings(window, detectors, detection).map((finding) => ({ finding, window: window.calls })),
      );
    const digest = { ...toDigest(call, session, n === 0), findings };
    return { ...toSmall(toStoredStep(stored, session, { call, digest })), file, agent: call.agent, ...toFacts(call) };
  });
  return { steps, withoutText: own.length - withText.length };
}

/** A call that only the store has, with the beginnings of its texts. */
export function toLive(
  { id: _, precedingId: __, ...stored }: StoredCall,
  { cwd }: Pick<Session, 'cwd'>,
  { hangSeconds }: DetectionSettings,
): LiveCall {
  const { tool, inputSummary, outputSummary, message } = stored;
  const output = outputSummary ?? message;
  return {
    ...stored,
    ...(tool === 'shell' && inputSummary !== undefined ? { command: inputSummary } : {}),
    ...dropAbsent({ output, cwd }),
    ...(isHang({ ...stored, ...dropAbsent({ output }) }, hangSeconds) ? { hung: true } : {}),
  };
}

function toStoredStep(
  stored: StoredCall,
  { cwd }: Session,
  known: { readonly call: LiveCall; readonly digest: Digest },
) {
  const { agent, sessionId, contextId, callId, tool, rawTool, occurredAt, targetPath, inputSummary = '' } = stored;
  const { command } = known.call;
  const place = { agent, sessionId, contextId, at: occurredAt, source: 'transcript' as const };
  const input = {
    ...dropAbsent({ command, path: targetPath }),
    json: inputSummary,
  };
  const call = { ...place, ...dropAbsent({ cwd }), callId, tool, rawTool, input };
  const asked: EventOf<'call-started'> = { ...call, kind: 'call-started' };
  const event: EventOf<'call-ended'> = { ...call, kind: 'call-ended', result: { isError: false, text: '' } };
  return { asked, event, beganAt: occurredAt, endedAt: toStoredEnd(stored), ...known };
}

/** Some calls are recorded at their end; then this time is too late, which can only hide a lesson. */
function toStoredEnd({ occurredAt, durationMs = 0, durationSource }: StoredCall): string {
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
  const sight = { agent, sessionId, at: call.occurredAt, source: from, ...dropAbsent({ cwd }) };
  return {
    sights: isFirst ? [sight] : [],
    calls: { observed: [call], hearsay: [], storedOnly: [], untracked: [] },
    reports: [],
    ends: [],
    contextEnds: [],
    places: [],
    cures: [],
    repeatable: [],
  };
}
