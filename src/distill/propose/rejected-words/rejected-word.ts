/**
 * A word that the program itself refuses (an option it does not know, a command it does not have, a program that is not
 * there), and nothing near that did without it. The gate decides whether the refusal alone is a lesson: the same was
 * refused before, too, or other calls of the program work, and none with this word ever did (`gate/gate-finding.ts`).
 */

import { findFacts, hasTrait } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { Detector } from '../../detector.ts';
import { type Culprit, toFailedName, toTriggers } from '../../episodes/find-culprit.ts';
import { type FailureWindow, type FoundFix, makePairDetector } from '../../episodes/make-finding.ts';
import { toComplaint, toTags, UNKNOWN_WORDS, UNMENDED } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { findLaterFix, findRejected, isRejectable, MAX_STEPS, SAFETY } from './corrected-command.ts';

export const REJECTED_WORD = 'distill/rejected-word@1';

const RULE = {
  name: REJECTED_WORD,
  // The same as of a word that was mended later: one failure is one or the other.
  kind: 'corrected-command',
  signals: ['retry-loop'],
  isCandidate: isRejectable,
} as const;

/** Tells it at once, because the same may have failed before. */
const atOnce = makePairDetector({ ...RULE, maxSteps: 0, findFix: findUnmended });

/** Tells it again when the next calls have come and none was the fix: then one failure may be enough. */
const afterwards = makePairDetector({
  ...RULE,
  maxSteps: MAX_STEPS,
  findFix(failure) {
    const provenAt = failure.index + MAX_STEPS;
    const found = failure.calls[provenAt] === undefined ? undefined : findUnmended(failure);
    const topics: readonly string[] = found?.text.tags ?? [];
    if (found === undefined || !UNKNOWN_WORDS.some((topic) => topics.includes(topic))) return undefined;
    return { ...found, provenAt, text: { ...found.text, tags: [...topics, UNMENDED] } };
  },
});

export const rejectedWord: Detector = {
  name: REJECTED_WORD,
  detect: (window) => [...atOnce.detect(window), ...afterwards.detect(window)],
};

function findUnmended({ calls, index, call, commands, commandsOf }: FailureWindow): FoundFix | undefined {
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
}

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
