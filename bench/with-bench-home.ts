/** A data directory of its own, deployed and filled like a user's, gone afterwards, whatever happens. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../src/base/contracts/store.ts';
import type { Cure } from '../src/base/model/cure.ts';
import { readSettings } from '../src/keep/settings/read-settings.ts';
import { openStore } from '../src/keep/store/open-store.ts';
import { compileLessons } from '../src/loop/compile-lessons.ts';
import { type DataHome, toDataHome } from '../src/loop/home/data-home.ts';
import { stopDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { deployApp } from '../src/surfaces/daemon/deploy-app.ts';
import type { BenchLesson } from './make-bench-lessons.ts';

export interface BenchHome {
  readonly home: DataHome;
  /** Where the commands run: a project of the temporary home folder, with what an agent's environment would hold. */
  readonly place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  readonly transcriptsDir: string;
  readonly emptyScript: string;
  /** Aborted when somebody interrupts the bench. */
  readonly signal: AbortSignal;
}

/**
 * A bench that is killed outright cannot stop its daemon; the daemon then ends by itself. It reads no sessions by itself
 * either: it would find those of whoever runs the bench. Nothing is withheld by chance, because a bench knows what is due.
 */
const SETTINGS = { idleExitMinutes: 5, autoScanIntervalHours: 0, holdout: { share: 0 } };
const FOREIGN_NAMES = /^(ONCEBITTEN_|DISABLE_EXPERIENCE_|CLAUDE|NODE_|npm_)/;

export async function withBenchHome<T>(
  lessons: readonly BenchLesson[],
  use: (bench: BenchHome) => Promise<T>,
  toCures: (cwd: string) => readonly Cure[] = () => [],
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-bench-'));
  const home = toDataHome(join(root, '.oncebitten'));
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt);
  try {
    const bench = makeBenchHome(root, home, interruption.signal);
    await fillStore(home, lessons, toCures(bench.place.cwd));
    deployApp(home);
    return await use(bench);
  } finally {
    try {
      await stopDaemon(home);
    } finally {
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
    }
  }
}

/** Opened after the daemon has written, closed before anything else happens. */
export async function withStore<T>(home: DataHome, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ url: '', file: home.storeFile });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function makeBenchHome(root: string, home: DataHome, signal: AbortSignal): BenchHome {
  const projectDir = join(root, 'work', 'shop');
  const emptyScript = join(root, 'empty.cjs');
  mkdirSync(join(projectDir, '.git'), { recursive: true });
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(projectDir, '.git', 'config'), '[remote "origin"]\n\turl = https://example.test/shop/shop.git\n');
  writeFileSync(home.configFile, JSON.stringify(SETTINGS), { mode: 0o600 });
  writeFileSync(emptyScript, '');
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN_NAMES.test(name));
  // No hook may start a daemon of its own: where one should answer, the bench has started it.
  const env = { ...Object.fromEntries(inherited), HOME: root, ONCEBITTEN_NO_DAEMON: '1' };
  const transcriptsDir = join(root, '.claude', 'projects', 'shop');
  return { home, place: { cwd: projectDir, env }, transcriptsDir, emptyScript, signal };
}

async function fillStore(home: DataHome, lessons: readonly BenchLesson[], cures: readonly Cure[]): Promise<void> {
  const settings = readSettings(home.configFile, {});
  await withStore(home, async (store) => {
    const change = { by: 'bench', reason: 'made for the bench', at: new Date().toISOString() };
    for (const { lesson } of lessons) await store.saveLesson(lesson, change);
    await store.saveCures(cures);
    await compileLessons({ store, settings, manifestFile: home.manifestFile });
  });
}
