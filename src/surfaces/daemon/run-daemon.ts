/** The daemon's life: hold the lock, open the door, register, answer, and leave nothing behind. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { toReason } from '../../base/errors.ts';
import { makeId } from '../../base/ids.ts';
import { DEFAULT_SETTINGS } from '../../base/settings.ts';
import { openJournal } from '../../capture/open-journal.ts';
import { readSettings } from '../../keep/read-settings.ts';
import type { DataHome } from '../data-home.ts';
import { CONTROL_AGENT, type Header } from '../hook/wire-protocol.ts';
import { readBuildVersion } from '../package-root.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { makeHookAnswerer } from './answer-hook.ts';
import { holdLock } from './hold-lock.ts';
import { type Log, openLog } from './open-log.ts';
import { openWorker } from './open-worker.ts';
import { pruneHome } from './prune-home.ts';
import type { Registration } from './registration.ts';
import { serveHooks } from './serve-hooks.ts';

/** How long a fact may be in the journal only, before its segment is closed and handed over. */
const SEGMENT_MS = 250;
const DRAIN_MS = 5_000;

export async function runDaemon(home: DataHome): Promise<void> {
  const lock = holdLock(home.lockFile);
  if (lock === undefined) return;
  const id = makeId('dmn', Date.now());
  const log = openLog(home.logFile);
  pruneHome(home);
  const journal = openJournal(home.spoolDir, id);
  const worker = openWorker(home, log);
  const secrets = { ask: randomBytes(16).toString('hex'), answer: randomBytes(16).toString('hex') };
  const answerer = makeHookAnswerer({ home, journal, handOn: worker.takeEvent, log });
  let lastUsedMs = Date.now();
  let stopping = false;

  const cut = (): void => {
    const segment = journal.cut();
    if (segment !== undefined) worker.takeSegment(segment);
  };
  const answer = async (header: Header, payload: unknown): Promise<string> => {
    if (header.agent === CONTROL_AGENT) return JSON.stringify(await control(header.event));
    lastUsedMs = Date.now();
    return answerer.answer(header, payload);
  };
  const control = async (request: string): Promise<unknown> => {
    if (request === 'flush') {
      cut();
      return { flushed: await worker.flush() };
    }
    if (request === 'stop') setImmediate(stop);
    return registration;
  };
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    for (const timer of timers) clearInterval(timer);
    rmSync(home.doorFile, { force: true });
    await door.close();
    cut();
    await worker.stop();
    rmSync(home.registrationFile, { force: true });
    log('stopped');
    lock.release();
  };

  const door = await serveHooks(secrets, answer);
  const registration: Registration = {
    id,
    pid: process.pid,
    port: door.port,
    version: readBuildVersion(import.meta.dirname),
    startedAt: new Date().toISOString(),
  };
  writeOwnFile(home.registrationFile, `${JSON.stringify(registration, null, 2)}\n`);
  writeOwnFile(home.doorFile, `${door.port} ${secrets.ask} ${secrets.answer}\n`);
  // It came up: should it die, the next hook may start another at once.
  rmSync(home.startingFile, { force: true });
  log(`started ${registration.version} on port ${door.port}`);

  const idleMs = readIdleMinutes(home, log) * 60_000;
  const timers = [
    setInterval(cut, SEGMENT_MS),
    setInterval(worker.drain, DRAIN_MS),
    setInterval(() => Date.now() - lastUsedMs > idleMs && void stop(), Math.min(60_000, Math.max(1_000, idleMs))),
  ];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

/** With settings that are broken it answers all the same, from the last manifest; the worker waits for them. */
function readIdleMinutes(home: DataHome, log: Log): number {
  try {
    return readSettings(home.configFile, process.env).idleExitMinutes;
  } catch (error) {
    log(toReason(error));
    return DEFAULT_SETTINGS.idleExitMinutes;
  }
}
