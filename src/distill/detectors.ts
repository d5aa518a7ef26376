/** Every detector that runs. To add one: a file in a folder of `propose/` and a row here. */
import type { Detector } from './detector.ts';
import { codeEdit } from './propose/commands/code-edit.ts';
import { hang } from './propose/commands/hang.ts';
import { knownFix } from './propose/known-fix.ts';
import { doubledFolder } from './propose/paths/doubled-folder.ts';
import { ignoredPath } from './propose/paths/ignored-path.ts';
import { wrongDirectory } from './propose/paths/wrong-directory.ts';
import { correctedCommand } from './propose/rejected-words/corrected-command.ts';
import { rejectedWord } from './propose/rejected-words/rejected-word.ts';
import { repair } from './propose/repair/repair.ts';
import { selfReport } from './propose/self-reports/detect-reports.ts';
import { refusedCall } from './propose/user-words/refused-call.ts';
import { userCorrection } from './propose/user-words/user-correction.ts';

export const DETECTORS: readonly Detector[] = [
  correctedCommand,
  rejectedWord,
  ignoredPath,
  wrongDirectory,
  doubledFolder,
  refusedCall,
  codeEdit,
  userCorrection,
  hang,
  selfReport,
  repair,
  knownFix,
];
