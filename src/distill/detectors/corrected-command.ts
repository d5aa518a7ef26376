/**
 * A shell command that failed because of one of its words, and the command that then did the same without it. The
 * program's own error names the word, the parsed command gives its role: both together make the trigger.
 */
import type { LiveCall } from '../../base/call.ts';
import { isPreparing } from '../../base/is-looking.ts';
import type { Culprit } from '../culprit/culprit.ts';
import { findCulprit } from '../culprit/find-culprit.ts';
import { findFix, MAX_STEPS } from '../culprit/find-fix.ts';
import { toIntentName, toLessonText } from '../culprit/to-lesson-text.ts';
import { isCulpritIn, toTriggers } from '../culprit/to-triggers.ts';
import { isVerdict, isWorld } from '../is-verdict.ts';
import { isFailedCommand, makePairDetector } from '../make-pair-detector.ts';

const BASIC = new Set(
  'ls cat head tail grep egrep find sort uniq wc cut tr sed awk tee diff basename dirname date rm mv cp mkdir touch'.split(
    ' ',
  ),
);
/** Programs built for a test of this very session. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/folders)\//;

export const correctedCommand = makePairDetector({
  name: 'distill/corrected-command@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  isTrouble: isLearnable,
  findCure({ calls, index, call, commands, commandsOf }) {
    const culprit = findCulprit(commands, call.output ?? '');
    if (culprit === undefined || TEMPORARY.test(culprit.command.text)) return undefined;
    if (!isCulpritIn(culprit, culprit.command) || isLostPath(culprit)) return undefined;
    const fix = findFix(culprit, calls, index, commandsOf);
    if (fix === undefined) return undefined;
    return {
      index: fix.index,
      text: toLessonText(culprit, fix.command),
      triggers: toTriggers(culprit),
      intentKey: toIntentName(culprit),
      signals: fix.confirmed ? ['fix-confirmed'] : [],
    };
  },
});

/** Every machine has `grep` and `head`: without them it is the PATH that was lost, in this very line. */
function isLostPath({ role, command }: Culprit): boolean {
  return role === 'program' && (isPreparing(command) || BASIC.has(command.program));
}

function isLearnable(call: LiveCall): boolean {
  if (!isFailedCommand(call)) return false;
  // A pipe may hide the rejected word behind the output of programs that worked.
  return call.masked || (!isVerdict(call.output ?? '') && !isWorld(call.output ?? ''));
}
