/** The file that `--out` names, as a whole path. One that is there is somebody's: it is replaced only with `--force`. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../errors.ts';
import { quoteWord } from '../text.ts';

export function getOutFile(out: string, { options, cwd }: Pick<CommandInput, 'options' | 'cwd'>): string {
  if (out === '') throw new UsageError({ subject: '--out', reason: 'is empty', next: 'give the name of a file' });
  const file = resolve(cwd, out);
  const refuse = (reason: string, next: string) => new UserError({ subject: file, reason, next });
  const folder = dirname(file);
  if (!existsSync(folder)) throw refuse('its folder does not exist', `create it: mkdir -p ${quoteWord(folder)}`);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw refuse('is a folder, but a file is needed', 'name a file: --out FILE');
  if (there !== undefined && options.force !== true)
    throw refuse('already exists', 'name another file, or replace it with --force');
  return file;
}
