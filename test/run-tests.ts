/**
 * `npm test`: every test file, as `node --test` runs them, with the compiler and the check of generated files beside them.
 * Arguments are the files or patterns to run instead; with `--quick` only the files that start no process, and the
 * boundaries. Most of the time would go into starting, so what can be had once is had once:
 * - Files share a process with others: all that only call functions, and some of the slow ones of a folder.
 * - What Node strips and compiles is kept: of tests and sources for later runs, of the commands under test for this one.
 * - The tests of stores on a server share one. Those that begin before it is ready start their own.
 * - Temporary folders are in memory where there is room: many tests wait for a disk, and none is about it.
 */
import { spawn, spawnSync } from 'node:child_process';
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
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { COMMAND_CACHE_VARIABLE } from './compile-cache.ts';
import { QUICK_VARIABLE } from './to-runs.ts';

const ROOT = join(import.meta.dirname, '..');
const PRELOAD = join(import.meta.dirname, 'skip-promise-hooks.ts');
const QUICK_PROPERTIES = join(import.meta.dirname, 'quick-properties.ts');
/** Node finds an entry by the path of the file and checks its content, so only the entries of removed files pile up. */
const COMPILED = join(ROOT, 'node_modules/.cache/oncebitten-compiled');
const COMPILED_DAYS = 7;
/** V8 begins with room for 1 MB of new objects, and copies what lives on each time it is full. */
const ROOMY = ['--min-semi-space-size=16'];
/** Two more than cores on small machines: some tests mostly wait, for a daemon or until a patience is over. */
const LANES = 4;
/** The ones that take longest, so that none of them is the last to begin. */
const FIRST = [
  'daemon/auto-scan',
  'stories/scan-killed',
  'cli/doctor',
  'contracts/store',
  // The first run on a machine gets other versions of Node for it.
  'stories/moved-folder',
  'stories/restore-killed',
  'contracts/backup',
  'stories/measured-together',
  'stories/measured-life',
  'stories/lossless-home',
  'stories/secret-lists',
  'stories/secrets',
  'golden/golden',
  'stories/switches',
  'stories/wrong-clock',
  'stories/environment',
  'stories/crash',
  'install/global-install',
  'stories/opening',
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
/** Signs of a file that others would disturb, or be disturbed by: what a process has one of, and times that are measured. */
const ALONE = [
  /^(?:before|after)Each\(/m,
  // What `t.mock` replaces is back at the end of its test.
  /\bprocess\.(?:chdir|on|once|umask|exit|memoryUsage|cpuUsage|env =)|\bglobalThis\b|(?<!\bt\.)\bmock\b|configureGlobal/,
  /\bperformance\b/,
];
/** Signs of a file that takes longer than to call functions, because it starts processes, prepares files or measures. */
const SLOW = [
  ...ALONE,
  /^(?:before|after)\(/m,
  /\bprocess\.env\b/,
  /child_process|worker_threads|open-shell|open-story|open-dashboard|start-postgres|measure-cpu|fake-agents/,
];
/** How many files share a process at most: few enough that all lanes have work until the end. */
const SHARED = { quick: 20, slow: 8 } as const;
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
  const hasSign = (file: string, signs: readonly RegExp[]): boolean => {
    const text = readFileSync(toPath(file), 'utf8');
    return signs.some((sign) => sign.test(text));
  };
  const kinds = Map.groupBy(others, (file) =>
    hasSign(file, ALONE) ? 'alone' : hasSign(file, SLOW) ? 'slow' : 'quick',
  );
  const share = (kind: keyof typeof SHARED, name: string, some: readonly string[]): readonly string[] =>
    cut(some, SHARED[kind]).map((part, n) => writeTogether(join(folder, `${name}-${kind}-${n}.test.mjs`), part));
  // The slow ones of a folder use the same modules. The quick ones use most modules anyway.
  const slow = [...Map.groupBy(kinds.get('slow') ?? [], dirname)];
  const quick = share('quick', 'all', kinds.get('quick') ?? []);
  const boundaries = globSync('test/boundary/*.test.ts', { cwd: ROOT }).map(toPath);
  if (isQuick) return [...boundaries, ...quick];
  const alone = (kinds.get('alone') ?? []).map(toPath);
  const shared = slow.flatMap(([dir, some]) => share('slow', basename(dir), some));
  return [...boundaries, ...FIRST.map(toPath), ...shared, ...alone, ...quick];
}

function cut<T>(items: readonly T[], length: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, n) => items.slice(n * length, (n + 1) * length));
}

function toPath(file: string): string {
  return join(ROOT, file);
}

/** One file that is all of these. */
function writeTogether(file: string, files: readonly string[]): string {
  const all = [...(process.argv.includes(QUICK) ? [QUICK_PROPERTIES] : []), ...files.map(toPath)];
  const lines = all.map((one) => `import ${JSON.stringify(pathToFileURL(one).href)};\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

/**
 * What is checked beside the tests, because by itself it would leave a core idle. A failure is printed at once, and is what
 * the promise resolves to, because by the end of the tests nobody sees it any more.
 */
function startChecks(): readonly Promise<string>[] {
  return [
    runCheck(join(ROOT, 'node_modules/.bin/tsc'), '--noEmit'),
    runCheck(join(ROOT, 'node_modules/.bin/tsc'), '--noEmit', '-p', 'src/surfaces/dashboard'),
    runCheck(process.execPath, join(ROOT, 'scripts/generate.ts'), '--check'),
  ];
}

async function runCheck(program: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd: ROOT });
  const closed = new Promise<number | null>((done) => child.on('close', done).on('error', () => done(null)));
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await closed) === 0) return '';
  process.exitCode = 1;
  const failure = `${[program, ...args].join(' ')} failed:\n${printed.join('')}\n`;
  process.stderr.write(failure);
  return failure;
}

/** One for all tests of this run: those that begin before it is ready, or where it does not start, start their own. */
async function startPostgres() {
  const { POSTGRES_VARIABLE, startServer } = await import('./postgres/start-postgres.ts');
  if (process.env[POSTGRES_VARIABLE] !== undefined) return undefined;
  const started = startServer().catch(() => undefined);
  void started.then((one) => Object.assign(process.env, one && { [POSTGRES_VARIABLE]: one.url }));
  return { started };
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
    if (isOurs && pid !== undefined && !isRunning(Number(pid))) removeAsFarAsPossible(join(parent, name));
  }
}

/** A killed run may have left a small disk mounted: the next one does without that room. */
function removeAsFarAsPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(`${folder} cannot be removed: ${error instanceof Error ? error.message : error}`);
  }
}

function removeOldCompiled(): void {
  const before = Date.now() - COMPILED_DAYS * 24 * 60 * 60 * 1000;
  for (const name of globSync('*/*', { cwd: COMPILED })) {
    const file = join(COMPILED, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before) rmSync(file, { force: true });
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
removeOldCompiled();
process.env.NODE_COMPILE_CACHE = COMPILED;
process.env[COMMAND_CACHE_VARIABLE] = join(folder, 'compiled');
const isWhole = process.argv.length === 2;
if (process.argv.includes(QUICK)) process.env[QUICK_VARIABLE] = '1';
const checks = isWhole || process.argv.includes(QUICK) ? startChecks() : [];
const server = isWhole ? await startPostgres() : undefined;
run({
  files: [...listFiles(process.argv.slice(2), folder)],
  concurrency: LANES,
  cwd: ROOT,
  execArgv: ['--import', PRELOAD, ...ROOMY],
})
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .on('end', async () => (await server?.started)?.stop())
  .compose(spec)
  .on('end', async () => process.stderr.write((await Promise.all(checks)).join('')))
  .pipe(process.stdout);
