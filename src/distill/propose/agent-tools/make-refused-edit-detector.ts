/**
 * A detector of refused edits from which no lesson comes: the change went through a little later, and it is known why it
 * had not. What would have to be said beforehand depends on the text of one file at one moment.
 */
import type { Detector } from '../../detector.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { type EditRefusal, findEditRefusal } from './find-edit-refusal.ts';
import { type EditedAgain, findEditedAgain } from './find-edited-again.ts';

const MAX_STEPS = 8;

interface RefusedEditRule {
  readonly name: string;
  readonly refusal: EditRefusal;
  /** What was wrong, and what helped. */
  readonly mistake: string;
  readonly remediation: string;
  /** Was it this that helped? */
  readonly isCure?: (again: EditedAgain) => boolean;
  readonly episodeOnly: string;
}

export function makeRefusedEditDetector(rule: RefusedEditRule): Detector {
  const { name, refusal, mistake, remediation, isCure = () => true, episodeOnly } = rule;
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
