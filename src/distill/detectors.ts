/** Every detector that runs. To add one: a file in `detectors/` and a row here. */
import type { Detector } from '../base/detector.ts';
import { ambiguousEdit } from './detectors/ambiguous-edit.ts';
import { behindDashes } from './detectors/behind-dashes.ts';
import { brokenTool } from './detectors/broken-tool.ts';
import { changedForm } from './detectors/changed-form.ts';
import { changedParameter } from './detectors/changed-parameter.ts';
import { changedRunner } from './detectors/changed-runner.ts';
import { codeEdit } from './detectors/code-edit.ts';
import { correctedCommand } from './detectors/corrected-command.ts';
import { directoryAsFile } from './detectors/directory-as-file.ts';
import { directoryRead } from './detectors/directory-read.ts';
import { doubledFolder } from './detectors/doubled-folder.ts';
import { guessedPath } from './detectors/guessed-path.ts';
import { hang } from './detectors/hang.ts';
import { ignoredPath } from './detectors/ignored-path.ts';
import { largeFile } from './detectors/large-file.ts';
import { misnamedFile } from './detectors/misnamed-file.ts';
import { missingOption } from './detectors/missing-option.ts';
import { missingPath } from './detectors/missing-path.ts';
import { missingPrecondition } from './detectors/missing-precondition.ts';
import { missingVariable } from './detectors/missing-variable.ts';
import { missingWrapper } from './detectors/missing-wrapper.ts';
import { namedCommand } from './detectors/named-command.ts';
import { outdatedEdit } from './detectors/outdated-edit.ts';
import { refusedCall } from './detectors/refused-call.ts';
import { rejectedWord } from './detectors/rejected-word.ts';
import { scriptSyntax } from './detectors/script-syntax.ts';
import { sedInPlace } from './detectors/sed-in-place.ts';
import { selfReport } from './detectors/self-report.ts';
import { shellWord } from './detectors/shell-word.ts';
import { swappedOption } from './detectors/swapped-option.ts';
import { tooManyWords } from './detectors/too-many-words.ts';
import { unmatchedEdit } from './detectors/unmatched-edit.ts';
import { unquotedPattern } from './detectors/unquoted-pattern.ts';
import { unreadEdit } from './detectors/unread-edit.ts';
import { userCorrection } from './detectors/user-correction.ts';
import { wrongDirectory } from './detectors/wrong-directory.ts';
import { wrongEndpoint } from './detectors/wrong-endpoint.ts';
import { wrongFolder } from './detectors/wrong-folder.ts';

export const DETECTORS: readonly Detector[] = [
  correctedCommand,
  rejectedWord,
  behindDashes,
  unquotedPattern,
  shellWord,
  scriptSyntax,
  sedInPlace,
  tooManyWords,
  wrongEndpoint,
  swappedOption,
  changedForm,
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
  directoryAsFile,
  directoryRead,
  misnamedFile,
  missingPath,
  guessedPath,
  largeFile,
  brokenTool,
  unreadEdit,
  outdatedEdit,
  ambiguousEdit,
  unmatchedEdit,
  refusedCall,
  codeEdit,
  userCorrection,
  hang,
  selfReport,
];
