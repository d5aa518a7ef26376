/**
 * A word that the program itself refuses (an option it does not know, a command it does not have, a program that is not
 * there), and nothing near that did without it. The gate decides whether the refusal alone is a lesson: the same was refused
 * before, too, or other calls of the program work, and none with this word ever did (`gate/gate-finding.ts`).
 */

import { findFacts, hasTrait } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { makePairDetector } from '../../episodes/make-finding.ts';
import { toComplaint, toTags } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { findLaterFix, findRejected, isRejectable, SAFETY } from './corrected-command.ts';
import { type Culprit, toFailedName, toTriggers } from './find-culprit.ts';

export const REJECTED_WORD = 'distill/rejected-word@1';

export const rejectedWord = makePairDetector({
  name: REJECTED_WORD,
  // The same as of a word that was mended later: one failure is one or the other.
  kind: 'corrected-command',
  maxSteps: 0,
  signals: ['retry-loop'],
  isCandidate: isRejectable,
  findFix({ calls, index, call, commands, commandsOf }) {
    const culprit = findRejected(call, commands);
    if (culprit === undefined || !isOfProgram(culprit) || isNeeded(culprit)) return undefined;
    if (findLaterFix(culprit, calls, index, commandsOf) !== undefined) return undefined;
    return {
      index,
      text: {
        summary: toComplaint(culprit),
        mistake: `\`${toShortCommand(culprit.command, 200)}\` failed: ${culprit.message}`,
        remediation: toRemedy(culprit),
        tags: toTags(culprit),
      },
      triggers: toTriggers(culprit),
      intentKey: toFailedName(culprit),
    };
  },
});

/** What comes and goes, and what is being built, may be there the next time. */
function isOfProgram({ role, absent, command }: Culprit): boolean {
  if (absent === true || /^[.~]?\//.test(command.text)) return false;
  return role === 'program' || role === 'word' || !runsOthers(command);
}

/** An option of such a command may be one of the program that it runs. */
function runsOthers(command: SimpleCommand): boolean {
  return (
    hasTrait(command, 'runner', 'hands-on', 'interpreter', 'shell', 'elsewhere') ||
    findFacts(command.program)?.wraps !== undefined
  );
}

/** Without it the command does more than was meant: then nobody should be told to leave it out. */
function isNeeded({ role, word }: Culprit): boolean {
  return role === 'option' && SAFETY.test(word);
}

function toRemedy(culprit: Culprit): string {
  const { role, word, option, embedded } = culprit;
  const name = toFailedName(culprit);
  if (role === 'option') return `Leave out \`${word}\`, or look up the options of \`${name}\``;
  if (role === 'value' && embedded) return `Leave out \`${word}\`: \`${name} ${option}\` has failed with it each time`;
  if (role === 'value') return `Look up what \`${name} ${option}\` takes`;
  if (role === 'program') return `Do it without \`${word}\`, or find out first where it is`;
  return `Look up what \`${name}\` has instead of \`${word}\``;
}
