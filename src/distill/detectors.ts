/** Every detector that runs. To add one: a file in `detectors/` and a row here. */
import type { Detector } from '../base/detector.ts';
import { correctedCommand } from './detectors/corrected-command.ts';

export const DETECTORS: readonly Detector[] = [correctedCommand];
