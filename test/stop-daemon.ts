/** Ends the daemon of a data directory, if there is one. Only then is what talks to it loaded. */
import { existsSync } from 'node:fs';
import { toDataHome } from '../src/loop/home/data-home.ts';

export async function stopDaemon(dataDir: string): Promise<void> {
  const home = toDataHome(dataDir);
  if (!existsSync(home.doorFile)) return;
  const control = await import('../src/surfaces/daemon/control-daemon.ts');
  await control.stopDaemon(home);
}
