/**
 * `nofaq`: generalisation from pairs. Each group of the NoFAQ benchmark has examples of one repair: a failing command,
 * its error text, and the command that worked. The product learns from some of them, each in a session of its own, and
 * is asked about the others: does a lesson (drafts count) fire on the failing command, stay silent on the fixed one, and
 * does its edit make the fixed one of it, with the error at hand, as at a known fix? Odd groups are for building; of even groups only totals may be looked at.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { claudeCode } from '../src/agents/claude-code/hooks.ts';
import type { AgentEvent } from '../src/base/model/event.ts';
import type { Lesson } from '../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../src/base/model/settings.ts';
import { applyEdit } from '../src/base/shell/command-edit.ts';
import { toCallView } from '../src/base/triggers/call-view.ts';
import { judgeTriggers } from '../src/keep/manifest/compiled-triggers.ts';
import { openStore } from '../src/keep/store/open-store.ts';
import { toDataHome } from '../src/loop/home/data-home.ts';
import { makeLoop } from '../src/loop/learn.ts';
import { atLeast, type BenchReport } from './bench-report.ts';

type Example = readonly [failing: string, error: string, fixed: string];

interface Verdict {
  readonly fires: boolean;
  readonly silent: boolean;
  readonly cured: boolean;
}

const HALVES = ['odd', 'even'] as const;

export async function run(args: readonly string[] = []): Promise<BenchReport> {
  const file = process.env.ONCEBITTEN_NOFAQ || resolve(import.meta.dirname, '../../shared/corpora/nofaq-groups.json');
  if (!existsSync(file)) throw new Error('there are no NoFAQ groups: set ONCEBITTEN_NOFAQ to nofaq-groups.json');
  const groups = JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly Example[])[];
  const figures: Record<string, Awaited<ReturnType<typeof judgeHalf>>> = {};
  for (const half of HALVES) {
    const isOdd = half === 'odd';
    const own = groups
      .map((group, i) => ({ group, number: i + 1 }))
      .filter(({ number }) => (number % 2 === 1) === isOdd);
    figures[half] = await judgeHalf(own, isOdd && args.includes('--verbose'));
  }
  const { odd, even } = figures;
  return {
    odd,
    even,
    reference: { what: 'the synthesiser of NoFAQ (2016) solves all 81 groups from 2 to 5 examples' },
    checks: [
      atLeast('even groups, learned from all but one example', even?.allButOne.groupsPassed ?? 0, 30),
      atLeast('even groups, learned from one example', even?.one.groupsPassed ?? 0, 15),
    ],
  };
}

interface Numbered {
  readonly group: readonly Example[];
  readonly number: number;
}

async function judgeHalf(groups: readonly Numbered[], isVerbose: boolean) {
  const allButOne: Verdict[][] = [];
  const one: Verdict[][] = [];
  for (const { group, number } of groups) {
    const whole: Verdict[] = [];
    for (const [i, asked] of group.entries()) whole.push(judge(await learn(group.toSpliced(i, 1)), asked));
    const single: Verdict[] = [];
    for (const [i, given] of group.entries()) {
      const lessons = await learn([given]);
      for (const [k, asked] of group.entries()) if (k !== i) single.push(judge(lessons, asked));
    }
    allButOne.push(whole);
    one.push(single);
    if (isVerbose)
      console.log(isPassed(whole) ? 'ok    ' : 'MISSED', number, JSON.stringify(group[0]), JSON.stringify(whole));
  }
  return { groups: groups.length, allButOne: toFigures(allButOne), one: toFigures(one) };
}

function toFigures(groups: readonly (readonly Verdict[])[]) {
  const all = groups.flat();
  return {
    asked: all.length,
    fires: all.filter(({ fires }) => fires).length,
    firesAndSilentOnFix: all.filter(({ fires, silent }) => fires && silent).length,
    cured: all.filter(({ cured }) => cured).length,
    allThree: all.filter(isRight).length,
    groupsPassed: groups.filter(isPassed).length,
  };
}

function isRight({ fires, silent, cured }: Verdict): boolean {
  return fires && silent && cured;
}

function isPassed(verdicts: readonly Verdict[]): boolean {
  return verdicts.filter(isRight).length > verdicts.length / 2;
}

/** By the lesson that does best: a person or a delivery picks one of them. */
function judge(lessons: readonly Lesson[], [failing, error, fixed]: Example): Verdict {
  const verdicts = lessons.map(({ triggers, edit }) => {
    const fires = judgeTriggers(triggers, toView(failing)).holds;
    const silent = !judgeTriggers(triggers, toView(fixed)).holds;
    const applied = edit && applyEdit(edit, failing, false, error);
    return { fires, silent, cured: applied !== undefined && toPlain(applied) === toPlain(fixed) };
  });
  const toWorth = ({ fires, silent, cured }: Verdict): number => (fires ? 1 : 0) * (1 + Number(silent) + Number(cured));
  return verdicts.sort((a, b) => toWorth(b) - toWorth(a))[0] ?? { fires: false, silent: true, cured: false };
}

function toPlain(command: string): string {
  return command.trim().replaceAll(/\s+/g, ' ').replaceAll(/["']/g, '');
}

function toView(command: string) {
  const started = toEvent('PreToolUse', 'asked', 0, { tool_input: { command } });
  if (started?.kind !== 'call-started') throw new Error('a PreToolUse payload is not read as the start of a call');
  return toCallView(started, '');
}

/** What is learned from these examples, each in a session of its own. */
async function learn(examples: readonly Example[]): Promise<readonly Lesson[]> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-nofaq-'));
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  try {
    const loop = makeLoop({ store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile });
    for (const [i, example] of examples.entries()) await loop.takeEvents(toEvents(example, i), []);
    return await store.listLessons();
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toEvents([failing, error, fixed]: Example, session: number): readonly AgentEvent[] {
  const [id, result] = [`nofaq-${session}`, { stdout: '', stderr: '', interrupted: false }];
  return [
    toEvent('PostToolUseFailure', id, 1, { tool_input: { command: failing }, error: `Exit code 1\n${error}` }),
    toEvent('PostToolUse', id, 2, { tool_input: { command: fixed }, tool_response: result }),
  ].flatMap((event) => event ?? []);
}

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

function toEvent(name: string, session: string, n: number, more: object): AgentEvent | undefined {
  const number = Number(/\d+$/.exec(session)?.[0] ?? 0);
  const at = new Date(START_MS + number * HOUR_MS + n * SECOND_MS).toISOString();
  const common = { session_id: session, transcript_path: '', cwd: tmpdir(), hook_event_name: name, tool_name: 'Bash' };
  return claudeCode.readHook(name, { ...common, tool_use_id: `${session}-${n}`, ...more }, at);
}
