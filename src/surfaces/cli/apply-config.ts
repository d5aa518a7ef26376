/** Lets changed settings count: a running daemon sees them by itself, hooks without one read them from the manifest. */
import { existsSync } from 'node:fs';
import { toReason } from '../../base/errors.ts';
import { redact } from '../../base/redact.ts';
import { findDaemon } from '../daemon/control-daemon.ts';
import { compileLessons } from '../loop/compile-lessons.ts';
import type { CommandInput } from './command.ts';
import { withHome } from './open-home.ts';

export interface AppliedConfig {
  /** Who has it: the daemon, the manifest that hooks read, or nobody yet. */
  readonly by: 'daemon' | 'manifest' | 'next start';
  /** For a person. */
  readonly text: string;
}

export async function applyConfig(input: CommandInput, changed: readonly string[]): Promise<AppliedConfig> {
  const daemon = await findDaemon(input.home);
  if (daemon !== undefined) {
    const restart = changed.some((name) => name.split('.')[0] === 'store');
    const text = restart
      ? 'The running daemon keeps the store it has open. Let it end: oncebitten daemon stop'
      : 'The running daemon takes it at once; no restart is needed.';
    return { by: restart ? 'next start' : 'daemon', text };
  }
  if (!existsSync(input.home.manifestFile)) return { by: 'next start', text: 'It counts from now on.' };
  try {
    await withHome(input, compileLessons);
    return { by: 'manifest', text: 'It counts from the next hook on.' };
  } catch (error) {
    const reason = redact(toReason(error));
    return { by: 'next start', text: `It counts once the daemon has started; not yet, because: ${reason}` };
  }
}
