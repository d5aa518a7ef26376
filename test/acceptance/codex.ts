/**
 * Codex with our own hooks: `install` puts them into its hooks file, a lesson is in the model request after the call that it
 * is about, a lesson that pauses holds the call back once, every call is recorded once with its outcome, and `uninstall`
 * leaves nothing behind.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { openRig, type RunContext, type Turn } from './rig.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
/** A program of our own: what it knows is what the lessons are about. */
const SHIPIT = `#!/bin/sh
[ "$1" = deploy ] || exit 0
for word; do [ "$word" = --fast ] && { echo 'unknown flag: --fast' >&2; exit 1; }; done
echo deployed
`;
const NOTED = './shipit deploy --fast staging';
const PAUSED = './shipit drop --now prod';
const NOTE = 'shipit deploy has no --fast: use --quick';
const PAUSE = 'shipit drop deletes the data: ask the user first';

const shell = (cmd: string): Turn => ({ text: 'I go.', tools: [{ name: 'exec_command', input: { cmd } }] });

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('codex');
  let context: RunContext | undefined;
  const cli = (...args: readonly string[]) => runCli(context?.home ?? '', args);
  const prepare = (run: RunContext): void => {
    context = run;
    writeFileSync(join(run.project, 'shipit'), SHIPIT, { mode: 0o755 });
    cli('install', 'codex', '--force', '--max-mode', 'pause');
    addLesson(cli, { summary: NOTE, command: 'shipit deploy', option: '--fast', mode: 'note' });
    addLesson(cli, { summary: PAUSE, command: 'shipit drop', option: '--now', mode: 'pause' });
  };
  try {
    const run = await rig.run('oncebitten-hooks', {
      model: 'gpt-5.5',
      script: (made) => {
        prepare(made);
        const turns = [shell(NOTED), shell(PAUSED), shell(PAUSED), { text: 'all finished' }];
        return { routes: [{ name: 'main', match: 'RIG-MAIN', turns }] };
      },
    });
    const [result] = run.results;
    checks.check('codex ends cleanly', result?.code === 0 && !result.timedOut, `exit ${result?.code}`);
    const mine = run.requests.filter(({ route }) => route === 'main');
    const heardAt = (text: string) => mine.findIndex(({ n }) => rig.findInRequests(run.requests, text)[0]?.n === n);
    checks.check('the note is in the request after its call', heardAt(NOTE) === 1, `request ${heardAt(NOTE)}`);
    checks.check('the call of the note ran', rig.findInRequests(run.requests, 'unknown flag: --fast').length > 0);
    checks.check('the paused call is refused with its lesson', heardAt(PAUSE) === 2, `request ${heardAt(PAUSE)}`);
    await recorded(checks, toDataHome(join(run.home, '.oncebitten')));
    const hooksFile = join(run.home, 'hooks.json');
    checks.check(
      'the hooks are in the hooks file of Codex',
      readFileSync(hooksFile, 'utf8').includes(' codex PreToolUse '),
    );
    const off = cli('uninstall', 'codex') as { readonly restored: string };
    checks.check(
      'uninstall removes the file again',
      off.restored === 'deleted' && !existsSync(hooksFile),
      off.restored,
    );
  } finally {
    if (context !== undefined) cli('daemon', 'stop');
  }
}

function runCli(home: string, args: readonly string[]): unknown {
  const env = { HOME: home, CODEX_HOME: home, PATH: process.env.PATH ?? '' };
  return JSON.parse(execFileSync(process.execPath, [CLI, ...args, '--json'], { env, encoding: 'utf8' }));
}

interface Wanted {
  readonly summary: string;
  readonly command: string;
  readonly option: string;
  readonly mode: string;
}

function addLesson(cli: (...args: readonly string[]) => unknown, { summary, command, option, mode }: Wanted): void {
  const words = ['--summary', summary, '--fix', summary, '--program', command, '--with', option];
  const { slug } = cli('lessons', 'add', ...words) as { readonly slug: string };
  cli('lessons', 'edit', slug, '--mode', mode);
}

/** Hooks do not tell how a command ended; the daemon reads it from the rollout as it grows. */
async function recorded(checks: Checks, home: ReturnType<typeof toDataHome>): Promise<void> {
  await sleep(500);
  await askDaemon(home, 'flush');
  const outcomes = async () => {
    const store = await openSqliteStore(home.storeFile);
    try {
      const calls = await store.listCalls({ agent: 'codex' });
      return calls
        .filter(({ tool }) => tool === 'shell')
        .map(({ outcome }) => outcome)
        .join(' ');
    } finally {
      await store.close();
    }
  };
  let told = await outcomes();
  for (let tries = 0; told !== 'failure denied success' && tries < 20; tries++) {
    await sleep(500);
    told = await outcomes();
  }
  checks.check('every call is recorded once, with its outcome', told === 'failure denied success', told);
}
