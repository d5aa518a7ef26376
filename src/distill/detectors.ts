/** Every detector that runs. To add one: a file in a folder of `propose/` and a row here. */
import type { Detector } from './detector.ts';
import { brokenTool } from './propose/agent-tools/broken-tool.ts';
import { changedParameter } from './propose/agent-tools/changed-parameter.ts';
import { changedRunner } from './propose/commands/changed-runner.ts';
import { codeEdit } from './propose/commands/code-edit.ts';
import { hang } from './propose/commands/hang.ts';
import { missingOption } from './propose/commands/missing-option.ts';
import { missingPrecondition } from './propose/commands/missing-precondition.ts';
import { missingVariable } from './propose/commands/missing-variable.ts';
import { missingWrapper } from './propose/commands/missing-wrapper.ts';
import { namedCommand } from './propose/commands/named-command.ts';
import { unquotedPattern } from './propose/commands/unquoted-pattern.ts';
import { knownFix } from './propose/known-fix.ts';
import { directoryRead } from './propose/paths/directory-read.ts';
import { doubledFolder } from './propose/paths/doubled-folder.ts';
import { guessedPath } from './propose/paths/guessed-path.ts';
import { ignoredPath } from './propose/paths/ignored-path.ts';
import { misnamedFile } from './propose/paths/misnamed-file.ts';
import { missingPath } from './propose/paths/missing-path.ts';
import { wrongDirectory } from './propose/paths/wrong-directory.ts';
import { wrongFolder } from './propose/paths/wrong-folder.ts';
import { correctedCommand } from './propose/rejected-words/corrected-command.ts';
import { rejectedWord } from './propose/rejected-words/rejected-word.ts';
import { repair } from './propose/repair/repair.ts';
import { selfReport } from './propose/self-reports/detect-reports.ts';
import { refusedCall } from './propose/user-words/refused-call.ts';
import { userCorrection } from './propose/user-words/user-correction.ts';

export const DETECTORS: readonly Detector[] = [
  correctedCommand,
  rejectedWord,
  unquotedPattern,
  changedRunner,
  changedParameter,
  missingOption,
  missingWrapper,
  ignoredPath,
  missingVariable,
  namedCommand,
  missingPrecondition,
  wrongDirectory,
  doubledFolder,
  wrongFolder,
  directoryRead,
  misnamedFile,
  missingPath,
  guessedPath,
  brokenTool,
  refusedCall,
  codeEdit,
  userCorrection,
  hang,
  selfReport,
  repair,
  knownFix,
];
