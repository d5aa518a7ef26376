/**
 * One throw-away home with the product in it, for stories about what reaches a model. Its tool, `./shipit`, writes down
 * every run; each story has an option of its own to be warned of, so that no story changes what another hears.
 */
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import type { Registration } from '../../src/surfaces/daemon/ask-daemon.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { SKIP } from './claude-story.ts';
import { makeProductCli, type ProductCli } from './make-product-cli.ts';
import type { Rig, RunContext, RunResult, Script, Step, Turn } from './rig.ts';

/** `--old` is what it does not know; `break` fails at length, about what it is given. */
const SHIPIT = `#!/bin/sh
[ "$1" = break ] && { printf 'error: no %s here: %0300d\\n' "$2" 0 | tr 0 x >&2; exit 4; }
for word; do [ "$word" = --old ] && { echo 'unknown option: --old (did you mean --new?)' >&2; exit 1; }; done
echo "shipit $*" >>ran.log
echo "shipped $*"
`;

export interface Kept {
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly Delivery[];
}

export interface SessionOptions {
  readonly turns: readonly Turn[];
  /** Further conversations: sub-agents. */
  readonly others?: Script['routes'];
  readonly args?: readonly string[];
  /** Instead of one prompt. */
  readonly steps?: readonly Step[];
}

export interface Stage {
  readonly checks: Checks;
  readonly cli: ProductCli;
  readonly home: () => DataHome;
  readonly context: () => RunContext;
  /** A conversation that begins with `STORY-<name>`. */
  session(name: string, options: SessionOptions): Promise<RunResult>;
  /** A lesson about `./shipit send <option>`. */
  teach(option: string, more?: readonly string[]): Promise<Lesson>;
  /** What is kept once everything that was told has arrived. */
  read(): Promise<Kept>;
  /** How `./shipit` was run since the last time this was asked. */
  takeRuns(): readonly string[];
  findDaemon(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly isInstalled?: boolean;
}

export async function openStage(
  rig: Rig,
  checks: Checks,
  name: string,
  { isInstalled = true }: StageOptions = {},
): Promise<Stage> {
  let context: RunContext | undefined;
  const cli = makeProductCli(() => context?.home ?? '');
  const home = () => toDataHome(join(context?.home ?? '', '.oncebitten'));
  const prepare = async (run: RunContext): Promise<void> => {
    context = run;
    chmodSync(join(run.project, 'shipit'), 0o755);
    if (isInstalled && !existsSync(home().dir)) await cli('install', 'claude-code', '--force');
  };
  const run = (script: Script, steps: readonly Step[]): Promise<RunResult> =>
    rig.runClaude(`oncebitten-${name}`, {
      keep: context !== undefined,
      files: { shipit: SHIPIT },
      prepare,
      script,
      steps,
    });
  // The rig makes the home when a run begins: one without a step.
  await run({ routes: [] }, []);
  return {
    ...{ checks, cli, home, context: () => context ?? { home: '', project: '' } },
    session: (story, { turns, others = [], args = SKIP, steps }) => {
      const routes = [...others, { name: story, match: `STORY-${story}\\b`, turns }];
      return run({ routes }, steps ?? [{ prompt: `STORY-${story} ship it`, args }]);
    },
    teach: async (option, more = []) => {
      const words = ['--summary', `shipit send has no ${option}`, '--fix', `./shipit send --instead-of${option}`];
      const where = ['--program', 'shipit send', '--with', option];
      return (await cli('lessons', 'add', ...words, ...where, ...more)) as Lesson;
    },
    read: () => read(home()),
    takeRuns() {
      const file = join(context?.project ?? '', 'ran.log');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      rmSync(file, { force: true });
      return lines;
    },
    findDaemon: async () => (await askDaemon<Registration>(home(), 'status'))?.pid,
    async close() {
      if (isInstalled) await cli('daemon', 'stop');
    },
  };
}

/** Hooks that answer nothing run in the background: give the last of them a moment to arrive. */
async function read(home: DataHome): Promise<Kept> {
  await sleep(500);
  await askDaemon(home, 'flush');
  const store = await openSqliteStore(home.storeFile);
  try {
    return { calls: await store.listCalls({}), deliveries: await store.listDeliveries({}) };
  } finally {
    await store.close();
  }
}
