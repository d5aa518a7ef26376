/**
 * A shell command that failed because of one of its words, and the command that then did the same without it. The
 * program's own error names the word, the parsed command gives its role: both together make the trigger.
 */

import { toTypedProgram } from '../../../base/shell/command-words.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toLessonText } from '../../text/to-lesson-text.ts';
import { toFailedName, toTriggers } from './find-culprit.ts';
import { findFix, MAX_STEPS } from './find-fix.ts';
import { findRejected, isRejectable } from './find-rejected.ts';

export const correctedCommand = makePairDetector({
  name: 'distill/corrected-command@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  isTrouble: isRejectable,
  findCure({ calls, index, call, commands, commandsOf }) {
    const culprit = findRejected(call, commands);
    const fix = culprit === undefined ? undefined : findFix(culprit, calls, index, commandsOf);
    if (culprit === undefined || fix === undefined) return undefined;
    // The shell takes no program from the folder that it is in, whatever its name: that is a repair of any such name.
    if (culprit.role === 'program' && toTypedProgram(fix.command) === `./${culprit.word}`) return undefined;
    const text = toLessonText(culprit, fix.command, fix.setUp);
    if (text === undefined) return undefined;
    return {
      ...{ index: fix.index, text },
      triggers: toTriggers(culprit),
      intentKey: toFailedName(culprit),
      signals: fix.confirmed ? ['fix-confirmed'] : [],
    };
  },
});
