/**
 * A golden file is a session in a terminal: lines that begin with `$ ` are commands, and below each stands everything it
 * printed (lines of standard error begin with `! `) and its exit code where that is not 0. `replay` runs the commands of
 * such a file again and gives the file as it would be today. Every file begins in the same small home: the sample
 * sessions were scanned, one lesson was written by hand, and two lessons were delivered.
 *
 *     $ oncebitten lessons add --summary 'two words'         words with spaces in single quotes
 *     $ oncebitten sessions signature <<< 'a line\nanother'  standard input
 *     $ oncebitten lessons mute --all > /dev/null             must succeed; its words belong into another file
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeDelivery } from '../contracts/store/make-samples.ts';
import { makeRandom } from '../make-random.ts';
import { type Output, runCli } from '../run-cli.ts';
import { stopDaemon } from '../stop-daemon.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/sessions');
const SESSIONS = '.claude/projects';
/** The day after the last sample session: ages and spans of time stay the same for ever. */
const NOW = '2026-11-07T12:00:00.000Z';
/** Daemons do not scan meanwhile, and answer in time on a busy machine. */
const CALM = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0', ONCEBITTEN_REPLY_DEADLINE_MS: '5000' };
const STAT = ['--program', 'gh pr view', '--with', '--stat', '--fix', 'gh pr view --json files'];
const BY_HAND = ['lessons', 'add', '--summary', '`gh pr view` has no `--stat`', ...STAT];

export interface GoldenHome {
  replay(golden: string): Promise<string>;
  close(): Promise<void>;
}

export async function openGoldenHome(): Promise<GoldenHome> {
  mock.timers.enable({ apis: ['Date'], now: new Date(NOW) });
  // Lessons of the same moment are ordered by the random part of their ids.
  const random = mock.method(Math, 'random', makeRandom(1));
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-golden-'));
  const home = join(root, 'home');
  const kept = join(root, 'kept');
  const dataDir = join(home, '.oncebitten');
  const project = join(home, 'shop');
  const storeFile = join(dataDir, 'oncebitten.db');
  // As the README says: the installed command is on the PATH.
  const PATH = [makePrograms(join(root, 'bin')), join(dataDir, 'bin')].join(delimiter);
  const env = { HOME: home, PATH, LANG: 'C.UTF-8', USER: 'dev', ...CALM };
  const run = ({ words, stdin = '' }: Typed) => runCli({ words, stdin, cwd: project, env });

  makeFiles(home);
  for (const words of [['scan'], BY_HAND]) {
    const { code, stderr } = await run({ words });
    assert.equal(code, 0, stderr);
    mock.timers.tick(1000);
  }
  await deliver(storeFile);
  copy(home, kept);
  rmSync(join(kept, SESSIONS), { recursive: true });

  return {
    async replay(golden) {
      // The same files, not copies: a scan reads a file that was replaced from its beginning.
      const aside = join(root, 'sessions');
      renameSync(join(home, SESSIONS), aside);
      rmSync(home, { recursive: true });
      copy(kept, home);
      renameSync(aside, join(home, SESSIONS));
      random.mock.mockImplementation(makeRandom(2));
      const names = new Set(readNames(storeFile));
      const steps: string[] = [];
      for (const line of golden.split('\n').filter((one) => one.startsWith(PROMPT))) {
        const typed = parseLine(line);
        const output = await run(typed);
        if (typed.isQuiet) assert.equal(output.code, 0, `${line}\n${output.stderr}`);
        for (const name of readNames(storeFile)) names.add(name);
        steps.push(typed.isQuiet ? `${line}\n` : `${line}\n${normalise(render(output), root, names)}`);
      }
      await stopDaemon(dataDir);
      return steps.join('\n');
    },
    async close() {
      await stopDaemon(dataDir);
      rmSync(root, { recursive: true, force: true });
      mock.reset();
    },
  };
}

function makeFiles(home: string): void {
  const sessions = join(home, SESSIONS);
  cpSync(SAMPLES, sessions, { recursive: true });
  for (const file of globSync('**/*.jsonl', { cwd: sessions }))
    utimesSync(join(sessions, file), new Date(), new Date());
  for (const dir of ['objects', 'refs']) mkdirSync(join(home, 'shop/.git', dir), { recursive: true });
  writeFileSync(join(home, 'shop/.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(home, 'shop/.git/config'), '[remote "origin"]\n\turl = git@github.com:northwind-lane/shop.git\n');
}

/** Two notes in the last session, about which nobody has judged yet whether they helped. */
async function deliver(storeFile: string): Promise<void> {
  const store = await openSqliteStore(storeFile);
  const lessons = await store.listLessons();
  const [stat, tsc] = ['gh-pr-diff-stat', 'tsc'].map((name) => lessons.find(({ slug }) => slug.startsWith(`${name}-`)));
  assert.ok(stat && tsc, 'the sample sessions teach these two');
  const sessionId = 'e90d5f83-b6a1-4c7e-a2f8-d41c70b95e36';
  const about = { sessionId, projectId: tsc.scope.kind === 'project' ? tsc.scope.id : '', callId: 'c1' };
  await store.saveDelivery(
    makeDelivery({ id: 'dlv_1', lessonId: stat.id, ...about, deliveredAt: '2026-11-06T16:31:00.000Z' }),
  );
  await store.saveDelivery(
    makeDelivery({ id: 'dlv_2', lessonId: tsc.id, ...about, deliveredAt: '2026-11-06T16:32:00.000Z' }),
  );
  await store.close();
}

const PROMPT = '$ ';
const PROGRAM = 'oncebitten';

interface Typed {
  readonly words: readonly string[];
  readonly stdin?: string;
  readonly isQuiet?: boolean;
}

function parseLine(line: string): Typed {
  const all = [...line.slice(PROMPT.length).matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  assert.equal(all[0], PROGRAM, line);
  const isQuiet = all.slice(-2).join(' ') === '> /dev/null';
  const words = all.slice(1, isQuiet ? -2 : undefined);
  const input = words.indexOf('<<<');
  if (input < 0) return { words, isQuiet };
  return { words: words.slice(0, input), stdin: `${words[input + 1]?.replaceAll('\\n', '\n')}\n`, isQuiet };
}

/** Commands that take seconds say how far they are; how many do depends on the machine. */
const PROGRESS = /^(?:Reading sessions|Replaying|Scanning|Starting the daemon)\b/;

function render({ code, stdout, stderr }: Output): string {
  const beside = stderr
    .split('\n')
    .slice(0, -1)
    .filter((line) => !PROGRESS.test(line))
    .map((line) => `! ${line}\n`);
  const end = code === 0 ? '' : `[exit code ${code}]\n`;
  return `${stdout}${beside.join('')}${end}`;
}

/** Without what differs from run to run or from machine to machine. Names of lessons end with four random characters. */
function normalise(text: string, root: string, names: Iterable<string>): string {
  let same = text.replaceAll(/^.*$/gm, (line) =>
    line.includes(root) ? line.replaceAll(/(?<=\S)(?<!^ok|^note|^BAD) {3,}/g, '  ') : line,
  );
  for (const name of names) same = same.replaceAll(name, `${name.slice(0, -4)}abcd`);
  return (
    same
      .replaceAll(join(root, 'home'), '/home/dev')
      .replaceAll(`user:${userInfo().username}`, 'user:dev')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '<time>')
      .replaceAll(/\b127\.0\.0\.1:\d+/g, '<loopback>:<port>')
      .replaceAll(`/run/${hostname()}/`, '/run/<host>/')
      .replaceAll(/\bv?\d+\.\d+\.\d+(?:\+[0-9a-f]{8})?/g, '<version>')
      .replaceAll(/\b\d+(?:\.\d+)? (ms|s|MB|KB)\b/g, '<n> $1')
      // With its year, where that is not this one.
      .replaceAll(/\blast on \d{1,2} [A-Z][a-z]{2}(?: \d{4})?/g, 'last on <day>')
      .replaceAll(/\b\d+ files and folders/g, '<n> files and folders')
      .replaceAll(/^note( +latency: .*)\n +next: .*$/gm, 'ok  $1')
      // A clone's Node is kept in the data directory where the file system can link it.
      .replaceAll(/^(?:ok|note) +(Node of the hook: version <version>, ).*(?:\n +next: .*)?$/gm, 'ok  $1<node>')
      // Whether these two are notes depends on the machine, so does the number of notes.
      .replaceAll(/^(No errors in \d+ checks)(?:, \d+ notes?)?\./gm, '$1, <n> notes.')
      .replaceAll(/\b(process|port) \d+/g, '$1 <n>')
      .replaceAll(/\b(cmd|fbk|prm|les|hst|fnd|epi)_[0-9A-Z]{26}\b/g, '$1_<id>')
  );
}

function readNames(storeFile: string): readonly string[] {
  if (!existsSync(storeFile)) return [];
  const store = new DatabaseSync(storeFile, { readOnly: true });
  const rows = store.prepare('SELECT slug FROM lessons').all() as unknown as readonly { readonly slug: string }[];
  store.close();
  return rows.map(({ slug }) => slug);
}

/** With everything that belongs to files: times, and who may read them. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** A PATH without agents. */
function makePrograms(bin: string): string {
  mkdirSync(bin);
  for (const name of ['sh', 'bash', 'git']) {
    const found = (process.env.PATH ?? '').split(delimiter).find((dir) => existsSync(join(dir, name)));
    if (found !== undefined) symlinkSync(join(found, name), join(bin, name));
  }
  return bin;
}
