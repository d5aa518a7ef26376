/** Claude Code: fail, fix, next session; the lesson must be in the next model request. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { Registration } from '../../src/surfaces/daemon/ask-daemon.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { makeProductCli, type ProductCli } from './make-product-cli.ts';
import { openRig, type Rig, type RunContext, type RunResult, type Turn } from './rig.ts';

const SKIP = ['--dangerously-skip-permissions'];
/** A `gh` of our own: what it knows is what the lesson is about. */
const GH = `#!/bin/sh
for word; do [ "$word" = --stat ] && { echo 'unknown flag: --stat' >&2; echo 'Usage:  gh pr diff [<number> | <url> | <branch>] [flags]' >&2; exit 1; }; done
echo src/main.ts
`;
const MISTAKE = './gh pr diff 12 --stat';
const FIX = './gh pr diff 12 --name-only';
const LESSON = 'gh pr diff 12 --name-only';

const bash = (command: string): Turn => ({
  text: 'I look.',
  tools: [{ name: 'Bash', input: { command, description: 'look' } }],
});

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('claude');
  let context: RunContext | undefined;
  const cli = makeProductCli(() => context?.home ?? '');
  const prepare = async (run: RunContext): Promise<void> => {
    context = run;
    chmodSync(join(run.project, 'gh'), 0o755);
    if (!existsSync(join(run.home, '.oncebitten'))) await cli('install', 'claude-code', '--force');
  };
  const session = (name: string, keep: boolean, commands: readonly string[]): Promise<RunResult> =>
    rig.runClaude('oncebitten', {
      keep,
      files: { gh: GH },
      prepare,
      script: { routes: [{ name, match: `STORY-${name}`, turns: [...commands.map(bash), { text: 'Done.' }] }] },
      steps: [{ prompt: `STORY-${name} show me what changed`, args: SKIP }],
    });
  try {
    await tell(checks, rig, session, cli, () => toDataHome(join(context?.home ?? '', '.oncebitten')));
  } finally {
    if (context !== undefined) await cli('daemon', 'stop');
  }
}

type Session = (name: string, keep: boolean, commands: readonly string[]) => Promise<RunResult>;

async function tell(
  checks: Checks,
  rig: Rig,
  session: Session,
  cli: ProductCli,
  home: () => ReturnType<typeof toDataHome>,
): Promise<void> {
  const first = await session('ONE', false, [MISTAKE, FIX]);
  ends(checks, 'session one', first, 3);
  checks.check(
    'nothing is said while nothing is known',
    rig.findInRequests(first.requests, 'Lesson from earlier work').length === 0,
  );
  await settle(home());
  const { items: learned } = (await cli('lessons', 'list')) as { items: readonly Lesson[] };
  checks.check('one lesson is learned', learned.length === 1, learned.map((lesson) => lesson.summary).join(' | '));

  const second = await session('TWO', true, [MISTAKE, FIX]);
  ends(checks, 'session two', second, 3);
  delivered(checks, rig, 'the lesson', second);
  checks.check(
    'the call itself ran: no permission was touched',
    rig.findInRequests(second.requests, 'unknown flag: --stat').length > 0,
  );
  await settle(home());
  await recorded(checks, home().storeFile);

  const daemon = await askDaemon<Registration>(home(), 'status');
  if (daemon !== undefined) process.kill(daemon.pid, 'SIGKILL');
  checks.check('the daemon was running and is killed', daemon !== undefined);
  const third = await session('THREE', true, [MISTAKE]);
  ends(checks, 'session three, without a daemon at its start', third, 2);
  delivered(checks, rig, 'the lesson, all the same,', third);

  const off = (await cli('uninstall', 'claude-code')) as { restored: string };
  checks.check('uninstall leaves no settings behind', off.restored === 'deleted', off.restored);
}

function ends(checks: Checks, name: string, run: RunResult, turns: number): void {
  const [result] = run.results;
  checks.check(
    `${name} ends cleanly`,
    result?.code === 0 && !result.timedOut,
    `exit ${result?.code}, ${result?.ms} ms`,
  );
  checks.check(
    `${name} took ${turns} model turns`,
    run.requests.filter((one) => one.route !== 'fallback').length === turns,
  );
}

/** In the very next request after the call, not in the one that asked for it. */
function delivered(checks: Checks, rig: Rig, what: string, run: RunResult): void {
  const [first] = rig.findInRequests(run.requests, LESSON);
  const mine = run.requests.filter((one) => one.route !== 'fallback');
  checks.check(
    `${what} is in the next model request`,
    first !== undefined && first.n === mine[1]?.n,
    first?.where ?? 'not found',
  );
}

async function recorded(checks: Checks, storeFile: string): Promise<void> {
  const store = await openSqliteStore(storeFile);
  try {
    const calls = await store.listCalls({});
    const told = calls.map((call) => call.outcome).join(' ');
    checks.check('every call is captured once, with its outcome', told === 'failure success failure success', told);
    const [delivery, ...others] = await store.listDeliveries({});
    checks.check('the delivery is recorded once', delivery !== undefined && others.length === 0);
    checks.check('and judged by the call that followed', delivery?.outcome === 'clean', delivery?.outcome ?? 'open');
  } finally {
    await store.close();
  }
}

/** Hooks that answer nothing run in the background: give the last of them a moment to arrive. */
async function settle(home: ReturnType<typeof toDataHome>): Promise<void> {
  await sleep(500);
  await askDaemon(home, 'flush');
}
