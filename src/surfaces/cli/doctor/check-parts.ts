/** Settings, store, manifest, daemon and spool. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listSpool } from '../../../capture/journal/read-spool.ts';
import { readCheckedSettings } from '../../../keep/settings/read-settings.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { readTrouble } from '../../../loop/home/trouble.ts';
import { openManifest, readManifest } from '../../../match/manifest.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import type { CommandInput } from '../command.ts';
import { renderIgnored } from '../config/setting.ts';
import { describeUpkeep } from '../data/upkeep.ts';
import { userError } from '../errors.ts';
import { renderScanStatus } from '../scan/scan-report.ts';
import { toCount } from '../text.ts';
import { type Check, checkThat, type Finding } from './check.ts';
import { checkStore } from './check-store.ts';

/** A running daemon takes what waits every few seconds. */
const OLD_MS = 60_000;

/** `isHooked`: some agent has our hooks. */
export async function checkParts(input: CommandInput, isHooked: boolean): Promise<readonly Check[]> {
  const { home, env } = input;
  if (!statSync(home.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const settings = await checkThat('settings', () => {
    const ignored = readCheckedSettings(home.configFile, env).ignored.filter(({ line }) => line !== undefined);
    if (ignored[0] !== undefined) {
      const next = 'correct the line, remove it, or use the default data directory';
      return { state: 'advice', detail: `${home.configFile}: ${ignored.map(renderIgnored).join('; ')}`, next };
    }
    return existsSync(home.configFile) ? home.configFile : 'defaults';
  });
  await waitForStart(home);
  const store = settings.state !== 'bad' ? [await checkThat('store', () => checkStore(input))] : [];
  return [
    settings,
    ...store,
    await checkThat('manifest', () => checkManifest(home.manifestFile)),
    await checkThat('daemon', () => checkDaemon(home, isHooked)),
    await checkThat('spool', () => checkSpool(home)),
    ...describeUpkeep(home).map((one): Check => ({ state: 'advice', ...one })),
  ];
}

/** A daemon answers before it has opened its store: what it is about to make must not be reported as missing. */
async function waitForStart(home: DataHome): Promise<void> {
  if (!existsSync(home.manifestFile)) await askDaemon(home, 'flush');
}

function checkManifest(file: string): string | Finding {
  const next = 'run: oncebitten scan';
  if (!existsSync(file)) return { state: 'advice', detail: 'no lessons yet', next };
  const manifest = openManifest(readFileSync(file));
  if (manifest === undefined) {
    const reason = `is broken or from another version${readManifest(file) === undefined ? '' : '; hooks use its spare copy'}`;
    throw userError(file, reason, next);
  }
  return `${toCount(manifest.header.count, 'lesson')} can fire; this file, which hooks read, was written ${manifest.header.generatedAt}`;
}

async function checkDaemon(home: DataHome, isHooked: boolean): Promise<string | Finding> {
  const next = 'run: oncebitten daemon start';
  const daemon = await findDaemon(home);
  if (daemon === undefined)
    return isHooked
      ? { state: 'advice', detail: 'not running; the next call of an agent starts it', next }
      : { state: 'advice', detail: 'not running; it starts when you connect an agent' };
  const version = readBuildVersion();
  if (daemon.version !== version)
    return { state: 'bad', detail: `runs version ${daemon.version}, but this is version ${version}`, next };
  const [trouble] = readTrouble(home);
  if (trouble !== undefined) {
    const remedy = trouble.next ?? `read its log: ${home.logFile}`;
    return { state: 'bad', detail: `has had a fault since ${trouble.since}: ${trouble.text}`, next: remedy };
  }
  const scan = daemon.scan === undefined ? '' : `. ${renderScanStatus(daemon.scan)}`;
  const { variables = [] } = daemon;
  const set =
    variables.length === 0
      ? ''
      : `, with ${variables.join(', ')} from the shell that started it (they override your settings until it stops)`;
  const detail = `process ${daemon.pid}, version ${daemon.version}, since ${daemon.startedAt}${set}${scan}`;
  return { state: 'ok', detail, data: { variables } };
}

async function checkSpool(home: DataHome): Promise<string | Finding> {
  const names = listSpool(home.spoolDir);
  const times = names.flatMap((name) => statSync(join(home.spoolDir, name), { throwIfNoEntry: false })?.mtimeMs ?? []);
  if (times.length === 0) return 'no events from hooks wait to be stored';
  const ageMs = Date.now() - Math.min(...times);
  const data = { waiting: times.length, oldestMs: Math.round(ageMs) };
  const detail = `${toCount(times.length, 'event')} from hooks ${times.length === 1 ? 'waits' : 'wait'} to be stored, the oldest for ${Math.round(ageMs / 1000)} s`;
  if (ageMs < OLD_MS) return { state: 'ok', detail, data };
  if ((await findDaemon(home)) === undefined)
    return { state: 'advice', detail, next: 'run: oncebitten daemon start', data };
  return {
    state: 'bad',
    detail: `${detail}, and the daemon does not store them`,
    next: `read its log: ${home.logFile}`,
    data,
  };
}
