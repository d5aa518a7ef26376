/** A text in the person's own editor, from a file that only they can read. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../base/errors.ts';

export interface EditedText {
  readonly text: string;
  /** Stays until it is removed: what a person typed is not thrown away because of a missing comma. */
  readonly file: string;
  remove(): void;
}

export function editInEditor(text: string, name: string, env: NodeJS.ProcessEnv): EditedText {
  const file = join(mkdtempSync(join(tmpdir(), 'oncebitten-edit-')), name);
  const remove = (): void => rmSync(dirname(file), { recursive: true, force: true });
  writeFileSync(file, text, { mode: 0o600 });
  const editor = env.VISUAL || env.EDITOR || 'vi';
  // An editor may be given with options: `code --wait`.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
  if (status !== 0) {
    remove();
    const next = 'set EDITOR to one that is there, or use flags or --stdin: oncebitten lessons edit --help';
    throw new UserError({ subject: `editor ${editor}`, reason: 'did not end well; nothing was changed', next });
  }
  return { text: readFileSync(file, 'utf8'), file, remove };
}
