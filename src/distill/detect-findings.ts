/**
 * What all detectors see in a window, in the order of the list, each finding with all the signals that speak for it.
 * Nothing that can become a lesson leaves unguarded.
 */

import type { Finding } from '../base/model/finding.ts';
import type { Detector, SessionWindow } from './detector.ts';
import { DETECTORS } from './detectors.ts';
import { findSignals } from './episodes/find-signals.ts';
import { guardFinding } from './gate/guard-finding.ts';
import type { GuardWindow } from './gate/outside-text/to-sources.ts';

export function detectFindings(
  window: SessionWindow,
  detectors: readonly Detector[] = DETECTORS,
  shown?: GuardWindow['shown'],
): readonly Finding[] {
  const guarded = { calls: window.calls, spoken: window.spoken, shown };
  return detectors
    .flatMap((detector) => detector.detect(window))
    .map((finding) => (mayBeLesson(finding) ? guardFinding(withSignals(finding, window), guarded) : finding));
}

/** Of what is only an episode no word is kept, and there are many of them: guarding words is what costs. */
function mayBeLesson({ kind, episodeOnly }: Finding): boolean {
  return kind !== 'code-edit' && episodeOnly === undefined;
}

function withSignals(finding: Finding, window: SessionWindow): Finding {
  const signals = [...new Set([...finding.signals, ...findSignals(finding, window)])];
  return signals.length === finding.signals.length ? finding : { ...finding, signals };
}
