/** Finishes removals (`forget`, `lessons delete`) that were confirmed and then interrupted. */
import type { ForgetWish } from '../../base/forgotten.ts';
import { finishForgetting, listUnfinished } from '../daemon/forget-data.ts';
import { withoutDaemon } from '../daemon/without-daemon.ts';
import type { CommandInput, CommandResult } from './command.ts';
import { withHome } from './open-home.ts';
import { toCount } from './to-count.ts';

/** The removals that it finished. A dry run finishes none. */
export async function finishInterrupted(input: CommandInput): Promise<readonly ForgetWish[]> {
  const { home, options, progress } = input;
  const unfinished = listUnfinished(home);
  if (unfinished.length === 0 || options.dryRun === true) return [];
  progress('Finishing a removal that was interrupted …');
  await withoutDaemon(home, () => withHome(input, (open) => finishForgetting({ ...open, home, progress })));
  return unfinished;
}

/** For a command that then finds nothing left to remove. */
export function toFinished(finished: readonly ForgetWish[]): CommandResult {
  const ids = finished.flatMap((wish) => (wish.kind === 'all' ? [] : wish.kind === 'session' ? [wish.id] : wish.ids));
  return {
    json: { forgotten: true, finished },
    text: `Finished ${toCount(finished.length, 'removal')} that had been interrupted${ids.length === 0 ? '' : `: ${ids.join(', ')}`}. Nothing else was found to remove.`,
  };
}
