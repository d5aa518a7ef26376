/** All sessions of some files in memory, as small as a replay allows: of outputs only what they were. */
import type { LiveCall } from '../../base/call.ts';
import { toReason } from '../../base/errors.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { classifyFailure } from '../../measure/classify-failure.ts';
import { toReferenceProgram, toReferenceSignature } from '../../measure/reference-signature.ts';
import type { ReplayedFailure } from '../../measure/replayed-call.ts';
import { makeDigester } from '../loop/digest-events.ts';
import { loadDetectors } from '../loop/load-detectors.ts';
import type { OpenFilter } from '../loop/make-capture-filter.ts';
import type { ScanFile } from '../scan/list-scan-files.ts';
import { readSteps, type Step } from './read-steps.ts';

export interface ReplayStep extends Step {
  /** Names the file: steps of one stay in their order. */
  readonly file: number;
  readonly agent: string;
  readonly program?: string;
  readonly failure?: ReplayedFailure;
  readonly masked?: ReplayedFailure;
  readonly refusal?: string;
  /** Of a call that was left running: how it ended in the end. Counted, but nothing that was known when it began. */
  readonly endedAs?: Pick<LiveCall, 'outcome' | 'masked' | 'signature'>;
}

export interface ReadSessionsParts {
  readonly trackedTools: readonly string[];
  readonly detectorPlugins?: readonly string[];
  readonly log: (line: string) => void;
  /** What may be looked at: nothing private, paused or forgotten. */
  readonly openFilter?: OpenFilter;
  readonly onProgress?: (done: number, all: number) => void;
}

/** A file that cannot be read is left out, and logged. */
export async function readSessions(
  files: readonly ScanFile[],
  { trackedTools, detectorPlugins = [], log, openFilter, onProgress = () => {} }: ReadSessionsParts,
): Promise<readonly ReplayStep[]> {
  const scan = makeSecretScan({ log });
  const detectors = loadDetectors(detectorPlugins, log);
  const makeDigest = () => makeDigester({ trackedTools: () => trackedTools, scan, detectors });
  const steps: ReplayStep[] = [];
  const told = new Map<string, number>();
  for (const [number, file] of files.entries()) {
    const onStep = async (step: Step): Promise<void> => {
      if (openFilter !== undefined && !(await openFilter([step.event]))(step.event)) return;
      // A session that was resumed or forked may be told by several files.
      if (step.call !== undefined && told.has(toKey(step.call))) return;
      if (step.call !== undefined) told.set(toKey(step.call), steps.length);
      if (step.event.kind === 'background-ended') noteEnds(steps, told, step.digest.calls.beside);
      steps.push({ ...toSmall(step), file: number, agent: file.agent, ...(step.call && toFacts(step.call)) });
    };
    await readSteps(file, { makeDigest, onStep }).catch((error) => log(`${file.path}: ${toReason(error)}`));
    onProgress(number + 1, files.length);
  }
  return steps;
}

function toKey({ agent, sessionId, callId }: LiveCall): string {
  return `${agent}\n${sessionId}\n${callId}`;
}

function noteEnds(steps: ReplayStep[], told: ReadonlyMap<string, number>, ends: readonly LiveCall[]): void {
  for (const call of ends) {
    const n = told.get(toKey(call)) ?? -1;
    const begun = steps[n];
    if (begun === undefined) continue;
    const { outcome, masked, signature } = call;
    const endedAs = { outcome, masked, ...(signature === undefined ? {} : { signature }) };
    steps[n] = { ...begun, endedAs, ...toFacts(call) };
  }
}

/** What the bench itself makes of a call. */
export function toFacts(call: LiveCall): Pick<ReplayStep, 'program' | 'failure' | 'masked' | 'refusal'> {
  const { tool, command, output, exitCode } = call;
  const program = toReferenceProgram({ tool, command });
  if (call.outcomeType === 'own-refusal') return { program };
  if (call.outcome === 'denied') return { program, refusal: `refused: ${program}` };
  if (call.outcome !== 'failure') return { program };
  const found = classifyFailure({ tool, command, output, exitCode });
  const failure = { class: found, reference: toReferenceSignature({ tool, command, output }) };
  return call.masked ? { program, masked: failure } : { program, failure };
}

export function toSmall(step: Step): Step {
  const { event, call, digest } = step;
  return {
    ...step,
    // The input is in `asked`, and of the result everything that matters is judged.
    event: event.kind === 'call-ended' ? { ...event, input: NO_INPUT, result: { isError: false, text: '' } } : event,
    ...(call === undefined ? {} : { call: withoutOutput(call) }),
    digest: {
      ...digest,
      calls: {
        observed: digest.calls.observed.map(withoutOutput),
        hearsay: digest.calls.hearsay.map(withoutOutput),
        beside: digest.calls.beside.map(withoutOutput),
      },
    },
  };
}

const NO_INPUT = { json: '' };

function withoutOutput({ output: _, ...call }: LiveCall): LiveCall {
  return call;
}
