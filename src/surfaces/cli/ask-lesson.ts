/** A lesson by questions, for a person at a terminal who gave no flags. An empty answer leaves a part out. */
import { UserError } from '../../base/errors.ts';
import type { CommandInput } from './command.ts';

type Ask = NonNullable<CommandInput['ask']>;

/** The same options as if they had been given as flags. */
export async function askLesson(ask: Ask): Promise<CommandInput['options']> {
  const summary = await ask('The lesson in one line: ');
  if (summary.trim() === '')
    throw new UserError({
      subject: 'the lesson',
      reason: 'has no words',
      next: 'try again, or use flags: --summary …',
    });
  const mistake = await ask('What goes wrong, and why (may be empty): ');
  const fix = await ask('What to do instead, to copy and paste: ');
  const program = await ask('At which command does it speak, e.g. gh pr diff (empty: at a file): ');
  const file = program.trim() === '' ? await ask('At files like, e.g. **/migrations/*.sql: ') : '';
  const words = program.trim() === '' ? '' : await ask('Only with this option or word, e.g. --stat (may be empty): ');
  return {
    summary,
    ...(mistake.trim() === '' ? {} : { mistake }),
    ...(fix.trim() === '' ? {} : { fix }),
    ...(program.trim() === '' ? {} : { program: [program] }),
    ...(file.trim() === '' ? {} : { file: [file.trim()] }),
    ...(words.trim() === '' ? {} : { with: words.trim().split(/\s+/) }),
  };
}
