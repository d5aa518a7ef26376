/**
 * `npm test`: every test file but those of `npm run check`, as `node --test` runs them. Arguments are the files or patterns
 * to run instead; with `--quick` only the files that start no process. Most of the time would go into starting, so what can be had once is had once:
 * - Files that only call functions share a process with the others of their folder.
 * - What Node compiles is kept for the other processes of this run, the commands under test among them.
 * - Temporary folders are in memory where there is room: many tests wait for a disk, and none is about it.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { QUICK_VARIABLE } from './to-runs.ts';

const ROOT = join(import.meta.dirname, '..');
/** One more than cores on small machines: some tests mostly wait for a daemon. */
const LANES = 3;
/** The ones that take longest, so that none of them is the last to begin. */
const FIRST = [
  'contracts/store',
  'stories/restore-killed',
  'contracts/backup',
  'stories/scan-killed',
  'daemon/auto-scan',
  'stories/measured-together',
  'cli/doctor',
  'stories/secret-lists',
  'stories/measured-life',
  'stories/secrets',
  'golden/golden',
  'stories/lossless-home',
  'stories/switches',
  'stories/wrong-clock',
  'stories/crash',
  'install/global-install',
  'stories/environment',
  'stories/opening',
  'stories/moved-folder',
  'stories/forget-killed',
  'cli/lessons-undo',
  'cli/backtest-history',
  'stories/lossless-store',
  'cli/terminal',
  'cli/forget',
  'stories/faults',
  'cli/promote',
  'install/install-command',
  'install/uninstall-command',
  'stories/repository-lessons',
  'stories/lesson-life',
].map((name) => join('test', `${name}.test.ts`));
/**
 * Signs of a file that others would disturb, or be disturbed by: hooks around all tests of a process, what a process has
 * one of, times that are measured, and processes of its own, which take long enough anyway.
 */
const ALONE = [
  /^(?:before|after)(?:Each)?\(/m,
  /\bprocess\.(?:env|chdir|on|once|umask|exit|argv|memoryUsage|cpuUsage)\b|\bglobalThis\b|\bmock\b|configureGlobal/,
  /\bperformance\b|measure-cpu/,
  /child_process|worker_threads|open-shell|open-story|start-postgres/,
];
const QUICK = '--quick';
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** The files to give to the runner, in the order in which they begin. */
function listFiles(patterns: readonly string[], folder: string): readonly string[] {
  const isQuick = patterns.includes(QUICK);
  if (patterns.length > 0 && !isQuick) {
    const found = globSync(patterns, { cwd: ROOT }).map(toPath);
    if (found.length === 0) throw new Error(`no file is like ${patterns.join(' or ')}`);
    return found;
  }
  const files = globSync('test/!(boundary)/**/*.test.ts', { cwd: ROOT }).sort();
  const lost = FIRST.filter((file) => !files.includes(file));
  if (lost.length > 0) throw new Error(`the list of long files names some that are not there: ${lost}`);
  const others = files.filter((file) => !FIRST.includes(file));
  const isAlone = (file: string): boolean => ALONE.some((sign) => sign.test(readFileSync(toPath(file), 'utf8')));
  const shared = Map.groupBy(others, (file) => (isAlone(file) ? '' : dirname(file)));
  const alone = shared.get('') ?? [];
  shared.delete('');
  const together = [...shared].map(([dir, some]) => writeTogether(join(folder, `${basename(dir)}.test.mjs`), some));
  return isQuick ? together : [...FIRST.map(toPath), ...together, ...alone.map(toPath)];
}

function toPath(file: string): string {
  return join(ROOT, file);
}

/** One file that is all of these. */
function writeTogether(file: string, files: readonly string[]): string {
  const lines = files.map((one) => `import ${JSON.stringify(pathToFileURL(toPath(one)).href)};\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

function makeFolder(): string {
  if (existsSync(MEMORY)) removeLeft(MEMORY);
  const inMemory = hasRoom(MEMORY) ? makeIn(MEMORY) : undefined;
  if (inMemory !== undefined && mayExecute(inMemory)) return inMemory;
  if (inMemory !== undefined) rmSync(inMemory, { recursive: true });
  return makeIn(tmpdir());
}

function makeIn(parent: string): string {
  const folder = mkdtempSync(join(parent, `ob-tests-${process.pid}-`));
  // As the system's own: a PostgreSQL that may not run as root has its files here, and removes them.
  chmodSync(folder, 0o1777);
  return folder;
}

/** Memory is too dear for what a run that was killed has left. */
function removeLeft(parent: string): void {
  for (const name of globSync('ob-tests-*', { cwd: parent })) {
    const pid = /^ob-tests-(\d+)-/.exec(name)?.[1];
    const isOurs = statSync(join(parent, name)).uid === process.getuid?.();
    if (isOurs && pid !== undefined && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasRoom(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Hooks are programs, and some systems run none from there. */
function mayExecute(dir: string): boolean {
  const file = join(dir, 'program');
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(file).status === 0;
}

const folder = makeFolder();
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
process.env.TMPDIR = folder;
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
if (process.argv.includes(QUICK)) process.env[QUICK_VARIABLE] = '1';
run({ files: [...listFiles(process.argv.slice(2), folder)], concurrency: LANES, cwd: ROOT })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
