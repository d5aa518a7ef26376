/**
 * Edits that the agent's tool refused, of which no lesson comes: the change went through a little later, and it is known
 * why it had not. A warning beforehand would depend on the text of one file at one moment, so only the episode is kept.
 */
import type { Detector } from '../../detector.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { type EditRefusal, findEditRefusal } from './find-edit-refusal.ts';
import { type EditedAgain, findEditedAgain } from './find-edited-again.ts';

const MAX_STEPS = 8;

/** A file that a person, a formatter or a command changed after it was read. It was read again, then the edit worked. */
export const outdatedEdit = makeRefusedEditDetector({
  name: 'distill/outdated-edit@1',
  refusal: 'outdated',
  mistake: 'An edit was refused: the file had changed since it was read',
  remediation: 'The file was read again',
  isCure: ({ readAt }) => readAt !== undefined,
  episodeOnly: 'nobody can tell beforehand whether a file has changed since it was read',
});

/** An edit or a patch whose old text does not stand in the file. With the text as it stands there, it worked. */
export const unmatchedEdit = makeRefusedEditDetector({
  name: 'distill/unmatched-edit@1',
  refusal: 'unmatched',
  mistake: 'An edit was refused: its old text does not stand in the file',
  remediation: 'It was given the text as it stands there',
  isCure: ({ isSame }) => !isSame,
  episodeOnly: 'the text to replace was not in the file, which the call alone does not show',
});

/** An edit whose old text stands in the file more than once. More of the lines around it, or all places at once, worked. */
export const ambiguousEdit = makeRefusedEditDetector({
  name: 'distill/ambiguous-edit@1',
  refusal: 'ambiguous',
  mistake: 'An edit was refused: its old text stands in the file more than once',
  remediation: 'It was given more of the lines around it, or meant for all places',
  // The very same edit works only after the file was changed: that is other work.
  isCure: ({ isSame }) => !isSame,
  episodeOnly: 'the text to replace was in the file more than once, which the call alone does not show',
});

interface RefusedEditRule {
  readonly name: string;
  readonly refusal: EditRefusal;
  /** What was wrong, and what helped. */
  readonly mistake: string;
  readonly remediation: string;
  /** Was it this that helped? */
  readonly isCure: (again: EditedAgain) => boolean;
  readonly episodeOnly: string;
}

function makeRefusedEditDetector(rule: RefusedEditRule): Detector {
  const { name, refusal, mistake, remediation, isCure, episodeOnly } = rule;
  return makePairDetector({
    name,
    kind: 'wrong-tool-use',
    maxSteps: MAX_STEPS,
    isTrouble: (call) => findEditRefusal(call)?.refusal === refusal,
    findCure(trouble) {
      const again = findEditedAgain(trouble, MAX_STEPS);
      if (again === undefined || !isCure(again)) return undefined;
      return {
        index: again.index,
        text: { summary: remediation, mistake, remediation, tags: ['topic:edit'] },
        triggers: { tools: ['edit', 'write'] },
        intentKey: `${refusal} edit`,
        episodeOnly,
      };
    },
  });
}
