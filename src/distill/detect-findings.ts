/**
 * What all detectors see in a window, in the order of the list, each finding with all its signals.
 * Nothing that can become a lesson leaves unguarded.
 */

import type { LiveCall } from '../base/model/call.ts';
import type { Finding, Signal } from '../base/model/finding.ts';
import { DEFAULT_SETTINGS, type DetectionSettings } from '../base/model/settings.ts';
import { isSameIntent } from '../base/shell/intent.ts';
import { parseCall } from '../base/shell/parse-command.ts';
import { toBaseName } from '../base/text/paths.ts';
import type { Detector, SessionMessage, SessionWindow } from './detector.ts';
import { guardFinding } from './gate/guard-finding.ts';
import type { GuardWindow } from './gate/outside-text/to-sources.ts';
import { bareWord } from './propose/commands/bare-word.ts';
import { codeEdit } from './propose/commands/code-edit.ts';
import { hang } from './propose/commands/hang.ts';
import { missingWrapper } from './propose/commands/missing-wrapper.ts';
import { knownFix } from './propose/known-fix.ts';
import { ignoredPath } from './propose/paths/ignored-path.ts';
import { doubledFolder, wrongDirectory } from './propose/paths/wrong-directory.ts';
import { correctedCommand } from './propose/rejected-words/corrected-command.ts';
import { rejectedWord } from './propose/rejected-words/rejected-word.ts';
import { repair } from './propose/repair/repair.ts';
import { selfReport } from './propose/self-reports/detect-reports.ts';
import { REPORT_MARKER } from './propose/self-reports/parse-reports.ts';
import { refusedCall } from './propose/user-words/refused-call.ts';
import { userCorrection } from './propose/user-words/user-correction.ts';

/**
 * Every detector that needs only a window; `recurrence` needs the store and runs in `loop/learn.ts`. To add one: a file
 * in a folder of `propose/`, a row here and its name in `DETECTOR_NAMES`.
 */
export const DETECTORS: readonly Detector[] = [
  correctedCommand,
  rejectedWord,
  missingWrapper,
  ignoredPath,
  wrongDirectory,
  doubledFolder,
  refusedCall,
  codeEdit,
  userCorrection,
  hang,
  selfReport,
  repair,
  bareWord,
  knownFix,
];

interface DetectOptions extends Partial<DetectionSettings> {
  readonly shown?: GuardWindow['shown'];
}

export function detectFindings(
  window: SessionWindow,
  detectors: readonly Detector[] = DETECTORS,
  { shown, retryLoopTries }: DetectOptions = {},
): readonly Finding[] {
  const guarded = { calls: window.calls, spoken: window.spoken, shown };
  return detectors
    .flatMap((detector) => detector.detect(window))
    .map((finding) =>
      mayBeLesson(finding) ? guardFinding(withSignals(finding, window, retryLoopTries), guarded) : finding,
    );
}

/** Episodes are not guarded: they are many, guarding is slow, and the store keeps none of their words. */
function mayBeLesson({ kind, episodeOnly }: Finding): boolean {
  return kind !== 'code-edit' && episodeOnly === undefined;
}

function withSignals(finding: Finding, window: SessionWindow, retryLoopTries: number | undefined): Finding {
  const signals = [...new Set([...finding.signals, ...findSignals(finding, window, retryLoopTries)])];
  return signals.length === finding.signals.length ? finding : { ...finding, signals };
}

/** Farther back, the same program was used for something else. */
const LOOP_STEPS = 12;
/** A lesson is stated when the fix has worked, within so many calls. */
const AFTER_STEPS = 2;
const DIAGNOSIS = /\broot cause\b|\b(?:issue|problem|culprit|reason) (?:is|was)\b/i;
const STATED = /\blessons? learned\b|\bfrom now on\b/i;
const SENTENCE_END = /(?<=[.!?:])\s+|\n+/;

/** May an agent's message tell something to learn from? Most of its words do not, and are not even cleaned. */
export function isTelling(text: string): boolean {
  return REPORT_MARKER.test(text) || STATED.test(text) || DIAGNOSIS.test(text);
}

type Pair = Pick<Finding, 'failingCallId' | 'fixingCallId'>;

/**
 * Further signals for a finding: repeated tries, a hang, what the agent said. They never make a finding by themselves:
 * agents' own diagnoses are sometimes wrong, so the pair of calls counts.
 */
export function findSignals(
  { failingCallId, fixingCallId }: Pair,
  window: SessionWindow,
  retryLoopTries = DEFAULT_SETTINGS.detection.retryLoopTries,
): readonly Signal[] {
  const failed = window.calls.findIndex(({ callId }) => callId === failingCallId);
  const fixed = window.calls.findIndex(({ callId }) => callId === fixingCallId);
  const [failing, fixing] = [window.calls[failed], window.calls[fixed]];
  if (failing === undefined || fixing === undefined || fixed <= failed) return [];
  const said = toPlaced(window);
  const between = said.filter(({ after }) => after >= failed && after < fixed);
  const around = said.filter(({ after }) => after >= failed && after <= fixed + AFTER_STEPS);
  const isDiagnosed = between.some(({ text }) => isAbout(text, DIAGNOSIS, [failing]));
  return [
    ...(countTries(window.calls, failing, fixed) >= retryLoopTries ? (['retry-loop'] as const) : []),
    ...(failing.hung === true ? (['hang'] as const) : []),
    ...(isDiagnosed ? (['self-diagnosis', 'causal-words'] as const) : []),
    ...(around.some(({ text }) => isAbout(text, STATED, [failing, fixing])) ? (['stated-lesson'] as const) : []),
  ];
}

interface Placed {
  readonly text: string;
  /** Index of the call that it came after. */
  readonly after: number;
}

function toPlaced({ calls, spoken }: SessionWindow): readonly Placed[] {
  const said = spoken.filter(({ kind }: SessionMessage) => kind === 'said');
  if (said.length === 0) return [];
  const at = new Map(calls.map(({ callId }, index) => [callId, index]));
  return said.map(({ text, afterCallId }) => ({ text, after: at.get(afterCallId ?? '') ?? -1 }));
}

/** Counts the failed calls of the same intent before the fix; the same call made twice counts once. */
function countTries(calls: readonly LiveCall[], failing: LiveCall, fixed: number): number {
  const tries = calls
    .slice(Math.max(0, fixed - LOOP_STEPS), fixed)
    .filter((call) => call.outcome === 'failure' && isSameIntent(call, failing));
  return new Set(tries.map(({ command, inputHash, callId }) => command ?? inputHash ?? callId)).size;
}

/** Does a sentence of this kind, or the one after it, name a word of one of the calls? */
function isAbout(text: string, kind: RegExp, calls: readonly LiveCall[]): boolean {
  if (!kind.test(text)) return false;
  const sentences = text.split(SENTENCE_END);
  const telling = sentences.flatMap((one, i) => (kind.test(one) ? [one, sentences[i + 1] ?? ''] : [])).join(' ');
  const words = new Set(telling.split(/[\s`"'(),;]+/).map((word) => word.replace(/[.:!?]+$/, '')));
  return calls.flatMap(toTokens).some((token) => words.has(token));
}

/** Words that say nothing by themselves. */
const COMMON =
  /^(?:the|and|for|not|run|get|set|all|new|add|this|that|with|from|was|are|you|use|one|two|out|can|now|but|has|had)$/i;

function toTokens(call: LiveCall): readonly string[] {
  const { targetPath } = call;
  const words = parseCall(call).flatMap(({ program, args }) => [
    program,
    ...args.flatMap(({ value }) => [value, value.split('=', 1)[0] ?? '', toBaseName(value)]),
  ]);
  return [...words, targetPath ?? '', toBaseName(targetPath ?? '')].filter(
    (word) => (word.length > 2 || /^-\w$/.test(word)) && !COMMON.test(word),
  );
}
