/** Whatever becomes of our hook and our daemon, a run of Claude Code ends as it does without hooks. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bash, one } from './claude-story.ts';
import { countTold, listResults, toFinalText, toRequests } from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';
import type { RunResult, Turn } from './rig.ts';

export interface Trouble {
  readonly name: string;
  /** Gives what ends it. */
  begin(stage: Stage): Promise<() => Promise<string>>;
}

const TROUBLES: readonly Trouble[] = [
  withHook('the hook is killed while it runs', '(sleep 0.1; kill -9 $$) & exec sleep 3'),
  withHook('the hook hangs', 'exec sleep 5'),
  withHook('the hook prints garbage', `echo '%& {"hookSpecificOutput": ['; head -c 3000 /dev/urandom`),
  withHook('the hook fails with words', 'echo broken; echo broken >&2; exit 2'),
  withHook('the hook is missing'),
  { name: 'the daemon hangs', begin: beginStopped },
  { name: 'the daemon is killed in the middle of requests, again and again', begin: beginKilling },
];

/** Of the calls of the story, sorted. */
const OUTCOMES = 'failure,failure,success,success,success';

/** `bare` is a stage without the product. */
export async function acceptTrouble(bare: Stage, stage: Stage): Promise<void> {
  const { checks, teach } = stage;
  const without = toOutcome(bare, await runStory(bare));
  const { slug } = await teach('--troubled', ['--priority', '9']);
  await stage.cli('daemon', 'start');
  const well = await runStory(stage);
  const told = countTold(toRequests(well, 'TROUBLE').at(-1), slug);
  checks.check(
    'trouble: without hooks the run ends as scripted',
    /"code":0.*All done/.test(without),
    without.slice(0, 200),
  );
  checks.check('trouble: with hooks the run ends the same', toOutcome(stage, well) === without, toTime(well));
  checks.check('trouble: and hears the lesson', told === 1, `${told} times`);
  for (const { name, begin } of TROUBLES) {
    const end = await begin(stage);
    const run = await runStory(stage);
    const detail = await end();
    const outcome = toOutcome(stage, run);
    checks.check(
      `trouble, ${name}: the run ends the same`,
      outcome === without,
      outcome === without ? `${toTime(run)}${detail}` : `${outcome}\n  not ${without}`,
    );
  }
  const again = await runStory(stage);
  const heard = countTold(toRequests(again, 'TROUBLE').at(-1), slug);
  checks.check('trouble: when it is over the lesson is heard again', heard === 1, `${heard} times`);
  await checkKept(stage);
}

/** What no hook could tell is in the transcripts. */
async function checkKept({ checks, cli, context, read }: Stage): Promise<void> {
  await cli('scan', '--path', join(context().home, '.claude/projects'));
  const { calls } = await read();
  const runs = [...Map.groupBy(calls, ({ sessionId }) => sessionId).values()];
  const rows = runs.map((some) => some.map(({ outcome }) => outcome).toSorted());
  const isWhole = rows.every((some) => some.join() === OUTCOMES);
  const kept = `${rows.length} sessions, ${calls.length} calls`;
  checks.check('trouble: every call of every run is kept once', isWhole && rows.length === TROUBLES.length + 2, kept);
}

function runStory({ session, context }: Stage): Promise<RunResult> {
  const { project } = context();
  for (const name of readdirSync(project))
    if (name !== 'shipit' && name !== '.claude') rmSync(join(project, name), { recursive: true });
  const write = { name: 'Write', input: { file_path: join(project, 'written.txt'), content: 'by the tool\n' } };
  const turns: readonly Turn[] = [
    one(bash('./shipit send --troubled 1 && echo made >made.txt')),
    one(bash('cat made.txt'), bash('echo told; exit 3'), write),
    one({ name: 'Read', input: { file_path: join(project, 'missing.txt') } }),
    { text: 'All done.' },
  ];
  return session('TROUBLE', { turns });
}

/** Exit code, last words, every file that was made, what the tools told the model. */
function toOutcome({ context }: Stage, run: RunResult): string {
  const { project } = context();
  const files = readdirSync(project).filter((name) => name !== '.claude');
  const [result] = run.results;
  const outcome = {
    code: result?.code,
    text: toFinalText(result),
    files: files.toSorted().map((name) => [name, readFileSync(join(project, name), 'utf8')]),
    // Calls that run at once end in any order.
    results: listResults(toRequests(run, 'TROUBLE').at(-1))
      .map((one) => JSON.stringify(one))
      .toSorted(),
    requests: toRequests(run, 'TROUBLE').length,
  };
  return JSON.stringify(outcome).replaceAll(project, '<project>');
}

function toTime({ results }: RunResult): string {
  return `${results[0]?.ms} ms`;
}

/** Another script where the hook is; none without a body. */
export function withHook(name: string, body?: string): Trouble {
  const begin: Trouble['begin'] = async ({ home }) => {
    const { hookFile } = home();
    const own = readFileSync(hookFile, 'utf8');
    rmSync(hookFile);
    if (body !== undefined) writeHook(hookFile, `#!/bin/bash\n${body}\n`);
    return async () => {
      writeHook(hookFile, own);
      return '';
    };
  };
  return { name, begin };
}

function writeHook(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

async function beginStopped({ findDaemon }: Stage): Promise<() => Promise<string>> {
  const pid = await findDaemon();
  if (pid === undefined) throw new Error('no daemon to stop');
  process.kill(pid, 'SIGSTOP');
  return async () => {
    process.kill(pid, 'SIGCONT');
    return '';
  };
}

/** Stopped for a moment before it is killed: then whoever asks is in the middle of it. */
async function beginKilling({ findDaemon, home }: Stage): Promise<() => Promise<string>> {
  let [isOver, killed] = [false, 0];
  const killing = (async () => {
    while (!isOver) {
      // Else the next one would be started half a minute later.
      rmSync(home().startingFile, { force: true });
      const pid = await findDaemon();
      if (pid === undefined) {
        await sleep(20);
        continue;
      }
      process.kill(pid, 'SIGSTOP');
      await sleep(150);
      process.kill(pid, 'SIGKILL');
      killed++;
    }
  })();
  return async () => {
    isOver = true;
    await killing;
    rmSync(home().startingFile, { force: true });
    return `, ${killed} daemons killed`;
  };
}
