/** What all detectors see in a window, in the order of the list. */
import type { SessionWindow } from '../base/detector.ts';
import type { Finding } from '../base/finding.ts';
import { DETECTORS } from './detectors.ts';

export function detectFindings(window: SessionWindow): readonly Finding[] {
  return DETECTORS.flatMap((detector) => detector.detect(window));
}
