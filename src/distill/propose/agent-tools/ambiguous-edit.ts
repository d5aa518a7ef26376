/** An edit whose old text stands in the file more than once. More of the lines around it, or all places at once, worked. */
import { makeRefusedEditDetector } from './make-refused-edit-detector.ts';

export const ambiguousEdit = makeRefusedEditDetector({
  name: 'distill/ambiguous-edit@1',
  refusal: 'ambiguous',
  mistake: 'An edit was refused: its old text stands in the file more than once',
  remediation: 'It was given more of the lines around it, or meant for all places',
  // The very same edit works only after the file was changed: that is other work.
  isCure: ({ isSame }) => !isSame,
  episodeOnly: 'it is about the text of one file at one moment: no call tells beforehand that it stands there twice',
});
