/** Edits one file as a user who is not root, and prints what went wrong: `node edit-once.ts <root> <file> [<text>]`. */
import { UserError } from '../../src/base/errors.ts';
import { openFileEdits } from '../../src/surfaces/cli/lessons/file-edits.ts';

const NOBODY = 65_534;
const [root = '', file = '', text = 'changed\n'] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
try {
  const edits = openFileEdits({ root, dryRun: false, force: false });
  edits.edit(file, () => Buffer.from(text));
  process.stdout.write('changed');
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stdout.write(`${error.reason} | ${error.next}`);
}
