/** A file that a person, a formatter or a command changed after it was read. It was read again, then the edit worked. */
import { makeRefusedEditDetector } from './make-refused-edit-detector.ts';

export const outdatedEdit = makeRefusedEditDetector({
  name: 'distill/outdated-edit@1',
  refusal: 'outdated',
  mistake: 'An edit was refused: the file had changed since it was read',
  remediation: 'The file was read again',
  isCure: ({ readAt }) => readAt !== undefined,
  episodeOnly: 'nobody can tell beforehand whether a file has changed since it was read',
});
