/**
 * Claude Code with our plugin: alone, beside the same hooks in its settings (the client runs both, it tells only
 * handlers of settings files apart), and installed for good. One answer, one row for each call, whoever asks.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { openRig, type Rig, type RunContext, type RunResult, type Turn } from './rig.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLUGIN = join(ROOT, 'plugin/claude-code');
const GH = `#!/bin/sh
for word; do [ "$word" = --stat ] && { echo 'unknown flag: --stat' >&2; exit 1; }; done
echo src/main.ts
`;
const MISTAKE = './gh pr diff 12 --stat';
const FIX = './gh pr diff 12 --name-only';
const LEFT_OPEN = './gh pr checks 12 --stat';
/** Without its first letter: the third time the lesson is CRITICAL, and framed so. */
const SHOWN = 'esson from earlier work';
const OPENING = 'UNRESOLVED TOOL FAILURES';

interface Stage {
  readonly rig: Rig;
  readonly checks: Checks;
  readonly context: () => RunContext;
  cli(...args: readonly string[]): Promise<unknown>;
  claude(...args: readonly string[]): Promise<string>;
  session(name: string, args: readonly string[], commands: readonly string[]): Promise<RunResult>;
}

export async function accept(checks: Checks): Promise<void> {
  const stage = makeStage(await openRig('claude'), checks);
  try {
    await tell(stage);
  } finally {
    await stage.cli('daemon', 'stop');
  }
}

async function tell(stage: Stage): Promise<void> {
  const { checks, cli, claude, session } = stage;
  const plugged = ['--plugin-dir', PLUGIN];
  const first = await session('ONE', plugged, [MISTAKE, FIX]);
  checks.check('the plugin alone: nothing is said while nothing is known', count(first, 1, SHOWN) === 0);
  const { items: lessons } = (await cli('lessons', 'list')) as { items: readonly Lesson[] };
  checks.check('the plugin alone: a lesson is learned', lessons.length === 1);
  for (const dir of [PLUGIN, join(ROOT, 'plugin')]) {
    const told = await claude('plugin', 'validate', dir);
    checks.check(`the client finds ${dir} valid`, /Validation passed/.test(told));
  }
  await once(stage, 'the plugin alone', plugged, 4);

  await cli('install', 'claude-code', '--force');
  await once(stage, 'plugin and settings', plugged, 6);
  await session('OPEN', plugged, [LEFT_OPEN]);
  const opened = await session('NEXT', plugged, []);
  checks.check('plugin and settings: a session hears what is unresolved once', count(opened, 0, OPENING) === 1);
  await cli('uninstall', 'claude-code');

  const { marketplaceDir } = (await cli('install', 'claude-code', '--plugin', '--force')) as { marketplaceDir: string };
  await claude('plugin', 'marketplace', 'add', marketplaceDir);
  await claude('plugin', 'install', 'oncebitten@oncebitten');
  await once(stage, 'the plugin, installed for good', [], 9);
  const doctor = (await cli('doctor')) as { checks: readonly { name: string; detail: string }[] };
  const hooks = doctor.checks.find(({ name }) => name === 'hooks of Claude Code')?.detail;
  checks.check('doctor sees the plugin', /plugin/.test(hooks ?? ''), hooks ?? 'no such check');
}

/** A session that makes the mistake again: told once, and both of its calls are kept once. */
async function once({ checks, context, session }: Stage, how: string, args: readonly string[], total: number) {
  const run = await session(how.replaceAll(/\W/g, '-').toUpperCase(), args, [MISTAKE, FIX]);
  checks.check(`${how}: the session ends cleanly`, run.results[0]?.code === 0);
  const shown = count(run, 1, SHOWN);
  checks.check(`${how}: the lesson is in the next model request exactly once`, shown === 1, `${shown} times`);
  const store = await openSqliteStore(toDataHome(join(context().home, '.oncebitten')).storeFile);
  try {
    const calls = await store.listCalls({});
    const last = calls.slice(-2).map((call) => `${call.agent} ${call.outcome}`);
    checks.check(`${how}: each call is kept once`, calls.length === total, `${calls.length} calls`);
    checks.check(
      `${how}: under its agent, with its outcome`,
      last.join() === 'claude-code failure,claude-code success',
      last.join(),
    );
    const [delivery] = (await store.listDeliveries({})).slice(-1);
    checks.check(`${how}: the delivery is judged`, delivery?.outcome === 'clean', delivery?.outcome ?? 'open');
  } finally {
    await store.close();
  }
}

function count(run: RunResult, n: number, needle: string): number {
  const mine = run.requests.filter((one) => one.route !== 'fallback');
  return JSON.stringify(mine[n]?.body ?? '').split(needle).length - 1;
}

function makeStage(rig: Rig, checks: Checks): Stage {
  let context: RunContext = { home: '', project: '' };
  const env = () => ({
    HOME: context.home,
    CLAUDE_CONFIG_DIR: join(context.home, '.claude'),
    PATH: process.env.PATH ?? '',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  });
  const run = async (program: string, args: readonly string[]) =>
    (await promisify(execFile)(program, args, { env: env(), cwd: context.project })).stdout;
  const cli = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await run(process.execPath, [join(ROOT, 'dist/cli.mjs'), ...args, '--json']));
  const prepare = async (given: RunContext): Promise<void> => {
    context = given;
    chmodSync(join(given.project, 'gh'), 0o755);
    // Whoever loads the plugin from a clone has the product, but no hooks in any settings.
    if (!existsSync(join(given.home, '.oncebitten'))) await cli('daemon', 'start');
  };
  return {
    rig,
    checks,
    context: () => context,
    cli,
    claude: (...args) => run(rig.bin, args),
    async session(name, args, commands) {
      const turns: readonly Turn[] = [...commands.map(bash), { text: 'Done.' }];
      const ran = await rig.runClaude('oncebitten-plugin', {
        keep: context.home !== '',
        files: { gh: GH },
        prepare,
        script: { routes: [{ name, match: `STORY-${name}`, turns }] },
        steps: [{ prompt: `STORY-${name} show me`, args: ['--dangerously-skip-permissions', ...args] }],
      });
      // Hooks that answer nothing run in the background: give the last of them a moment to arrive.
      await sleep(500);
      await askDaemon(toDataHome(join(context.home, '.oncebitten')), 'flush');
      return ran;
    },
  };
}

function bash(command: string): Turn {
  return { text: 'I look.', tools: [{ name: 'Bash', input: { command, description: 'look' } }] };
}
