/** Starts, finds and ends the daemon of a data directory. Nothing is ever killed: a daemon is asked to stop. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../base/errors.ts';
import { readSettings } from '../../keep/read-settings.ts';
import type { DataHome } from '../data-home.ts';
import { askDaemon } from './ask-daemon.ts';
import { deployApp } from './deploy-app.ts';
import { type Registration, readRegistration } from './registration.ts';

const START_MS = 10_000;
const STEP_MS = 50;

export function findDaemon(home: DataHome): Promise<Registration | undefined> {
  return askDaemon<Registration>(home, 'status');
}

/** The running daemon of this version: found, or started; one of another version is replaced. */
export async function ensureDaemon(
  home: DataHome,
): Promise<{ readonly daemon: Registration; readonly started: boolean }> {
  // Whoever starts it hears at once what the daemon could only log.
  readSettings(home.configFile, process.env);
  const app = deployApp(home);
  const found = await findDaemon(home);
  if (found?.version === app.version) return { daemon: found, started: false };
  if (found !== undefined) await stopDaemon(home);
  rmSync(home.startingFile, { force: true });
  spawn(process.execPath, [join(app.dir, 'daemon.mjs'), '--home', home.dir], {
    detached: true,
    stdio: 'ignore',
    cwd: home.dir,
  }).unref();
  const daemon = await waitFor(() => findDaemon(home));
  if (daemon !== undefined) return { daemon, started: true };
  throw new UserError({
    subject: 'the daemon',
    reason: `did not start within ${START_MS / 1000} s`,
    next: `read ${home.logFile}; hooks go on without it`,
  });
}

/** False when none was running. */
export async function stopDaemon(home: DataHome): Promise<boolean> {
  const stopped = await askDaemon<Registration>(home, 'stop');
  if (stopped === undefined) return false;
  const gone = await waitFor(async () =>
    readRegistration(home.registrationFile)?.id === stopped.id ? undefined : true,
  );
  if (gone) return true;
  throw new UserError({
    subject: `the daemon (process ${stopped.pid})`,
    reason: 'was asked to stop and is still there',
    next: `wait a moment and try again, or end process ${stopped.pid}; nothing is lost, events wait in ${home.spoolDir}`,
  });
}

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let waited = 0; waited < START_MS; waited += STEP_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(STEP_MS);
  }
  return undefined;
}
