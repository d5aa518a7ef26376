/** An edit or a patch whose old text does not stand in the file. With the text as it stands there, it worked. */
import { makeRefusedEditDetector } from './make-refused-edit-detector.ts';

export const unmatchedEdit = makeRefusedEditDetector({
  name: 'distill/unmatched-edit@1',
  refusal: 'unmatched',
  mistake: 'An edit was refused: its old text does not stand in the file',
  remediation: 'It was given the text as it stands there',
  isCure: ({ isSame }) => !isSame,
  episodeOnly: 'it is about the text of one file at one moment: no call tells beforehand that it is not there',
});
