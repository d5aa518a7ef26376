/** Starts the daemon from a hook: detached, at most one attempt per 30 s. A second daemon would find the lock held. */
import { closeSync, mkdirSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { DataHome } from '../data-home.ts';

const PAUSE_MS = 30_000;

export function startDaemon(home: DataHome): void {
  if (process.env.ONCEBITTEN_NO_DAEMON === '1' || !mayStart(home)) return;
  // Beside hook.cjs. Not a static import: node:child_process costs 3 ms that most calls need not pay.
  const { spawn } = (process.getBuiltinModule ?? require)('node:child_process');
  const script = join(__dirname, 'daemon.cjs');
  // The real folder of the session: a project may set PWD to a name that means another folder in another process.
  const env = { ...process.env, PWD: process.cwd() };
  spawn(process.execPath, [script, '--home', home.dir], { detached: true, stdio: 'ignore', cwd: home.dir, env })
    // Told later, when nobody could catch it: the next hook tries again.
    .on('error', () => {})
    .unref();
}

function mayStart(home: DataHome): boolean {
  mkdirSync(home.runDir, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(home.startingFile, 'wx', 0o600));
    return true;
  } catch {
    // A time in the future is of a clock that went back: it must not keep the daemon away until then.
    if (Math.abs(Date.now() - statSync(home.startingFile).mtimeMs) < PAUSE_MS) return false;
    utimesSync(home.startingFile, new Date(), new Date());
    return true;
  }
}
