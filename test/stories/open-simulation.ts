/**
 * A long history in a data directory of its own, with the real loop, store, manifest, matcher and claims, and an agent whose
 * habits are known: how often it makes a mistake again with a lesson and without. Time is simulated, chance is seeded.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/base/contracts/store.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import type { Fact } from '../../src/base/model/fact.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { decideReply } from '../../src/loop/deliver.ts';
import { type Decision, toDecisionFacts } from '../../src/loop/delivery/decision.ts';
import { makeSessionMemory } from '../../src/loop/delivery/session-past.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeLoop } from '../../src/loop/learn.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeRandom } from '../make-random.ts';

/** What the agent does after its first mistake of a session. */
export interface Habit {
  /** How likely the next call of the same intent fails, with the lesson said and without. */
  readonly with: number;
  readonly without: number;
  /** With a pause instead of a note. */
  readonly withPause?: number;
  /** The mistake itself again; what the lesson says, failing the same way; or that, failing in a way of its own. */
  readonly fails?: 'ignoring' | 'heeding' | 'otherwise';
  /** How likely the mistake is made again later in the session, after the tool has worked. */
  readonly relapses?: number;
}

export type Habits = Readonly<Record<string, Habit>>;

export interface Simulation {
  readonly store: Store;
  /** A step later, one session in which every tool is used; `habits` by the name of the tool. */
  playSession(habits: Habits, model?: string): Promise<void>;
  /** A step later, one session that makes these calls, all of which work. Resolves to the ids of the lessons that it was shown. */
  playCalls(calls: readonly SimulatedCall[]): Promise<readonly string[]>;
  getLesson(tool: string): Promise<Lesson>;
  close(): Promise<void>;
}

export type SimulatedCall = { readonly run: string } | { readonly edit: string } | { readonly read: string };

const START_MS = Date.parse('2030-01-01T00:00:00.000Z');
/** A lesson that is followed may be quiet for a day: by then it is over. */
export const DAILY_MS = 25 * 60 * 60_000;

interface Options extends Partial<Settings> {
  readonly lessons?: readonly Lesson[];
  /** From one session to the next. */
  readonly stepMs?: number;
}

/** What a session teaches about each tool, with ids that are the same each time: chance is drawn from them. */
export async function learnLessons(tools: readonly string[]): Promise<readonly Lesson[]> {
  const simulation = await openSimulation(0);
  const at = new Date(START_MS).toISOString();
  try {
    await simulation.playSession(Object.fromEntries(tools.map((tool) => [tool, { with: 0, without: 0 }])));
    const learned = await Promise.all(tools.map(simulation.getLesson));
    return learned.map((lesson, n) => ({
      ...lesson,
      ...{ id: `les_${tools[n]}`, slug: `about-${tools[n]}`, createdAt: at, updatedAt: at },
      evidence: lesson.evidence.map((one) => ({ ...one, at })),
    }));
  } finally {
    await simulation.close();
  }
}

export async function openSimulation(
  seed: number,
  { lessons = [], stepMs = DAILY_MS, ...changed }: Options = {},
): Promise<Simulation> {
  const home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-simulation-')));
  const { dir, manifestFile, switchesFile } = home;
  const settings = { ...DEFAULT_SETTINGS, ...changed };
  const store = await openStore({ url: '', file: home.storeFile });
  writeFileSync(join(dir, 'holdout-seed'), `simulated${seed}\n`);
  const random = makeRandom(seed);
  const projectId = identifyProject(dir).id;
  let nowMs = START_MS;
  let sessions = 0;
  const now = (): number => nowMs;
  const loop = makeLoop({ store, settings, manifestFile, switchesFile, now });
  for (const lesson of lessons) {
    const scope = { kind: 'project', id: projectId } as const;
    await store.saveLesson({ ...lesson, scope }, { by: 'test', reason: 'learned', at: lesson.createdAt });
  }
  await compileLessons({ store, settings, manifestFile, now });
  const tick = (): string => {
    nowMs += 1_000;
    return new Date(nowMs).toISOString();
  };

  return {
    store,
    async playSession(habits, model = 'model-1') {
      nowMs += stepMs;
      const sessionId = `seed${seed}-s${++sessions}`;
      const agent = openAgent({ home, projectId, sessionId, model, tick });
      for (const [tool, habit] of Object.entries(habits)) useTool(agent.call, tool, habit, random);
      const { events, facts } = agent.end();
      await loop.takeEvents(events, facts);
    },
    async playCalls(calls) {
      nowMs += stepMs;
      const sessionId = `seed${seed}-s${++sessions}`;
      const agent = openAgent({ home, projectId, sessionId, model: 'model-1', tick });
      const decisions = calls.map((call) => agent.make(toToolCall(call, dir), ''));
      const { events, facts } = agent.end();
      await loop.takeEvents(events, facts);
      return decisions.flatMap(({ deliveries }) =>
        deliveries.flatMap(({ arm, lessonId }) => (arm === 'shown' ? [lessonId] : [])),
      );
    },
    async getLesson(tool) {
      const found = (await store.listLessons()).filter(({ triggers }) => triggers.programs?.[0]?.name === tool);
      if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} lessons about ${tool}`);
      return found[0];
    },
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

type MakeCall = (command: string, error: string) => Decision;
type ToolCall = Pick<EventOf<'call-started'>, 'tool' | 'rawTool' | 'input'>;

function toToolCall(call: SimulatedCall, dir: string): ToolCall {
  if ('run' in call) {
    const input = { command: call.run, json: JSON.stringify({ command: call.run }) };
    return { tool: 'shell', rawTool: 'Bash', input };
  }
  const path = join(dir, 'edit' in call ? call.edit : call.read);
  const input = { path, json: JSON.stringify({ file_path: path }) };
  return 'edit' in call ? { tool: 'edit', rawTool: 'Edit', input } : { tool: 'read', rawTool: 'Read', input };
}

/** The mistake, then what the agent makes of it. */
function useTool(call: MakeCall, tool: string, habit: Habit, random: () => number): void {
  const error = `unknown flag: --bad-${tool}`;
  const isAgain = random() < toChance(call(`${tool} show --bad-${tool}`, error), habit);
  const isMistake = isAgain && (habit.fails ?? 'ignoring') === 'ignoring';
  const told = habit.fails === 'otherwise' ? 'cannot connect to the server' : error;
  call(`${tool} show --${isMistake ? 'bad' : 'good'}-${tool}`, isAgain ? told : '');
  // In the end it finds out.
  if (isMistake) call(`${tool} show --good-${tool}`, '');
  if (habit.relapses !== undefined && random() < habit.relapses) call(`${tool} show --bad-${tool}`, error);
}

function toChance({ deliveries, reply }: Decision, habit: Habit): number {
  if (!deliveries.some(({ arm }) => arm === 'shown')) return habit.without;
  return reply?.kind === 'refusal' ? (habit.withPause ?? habit.with) : habit.with;
}

interface Play {
  readonly home: ReturnType<typeof toDataHome>;
  readonly projectId: string;
  readonly sessionId: string;
  readonly model: string;
  readonly tick: () => string;
}

/** Asks as a hook does, and tells what came of it. */
function openAgent({ home, projectId, sessionId, model, tick }: Play) {
  const manifest = openManifest(readFileSync(home.manifestFile));
  if (manifest === undefined) throw new Error('no manifest');
  const memory = makeSessionMemory();
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  const events: AgentEvent[] = [];
  const facts: Fact[] = [];
  const origin = () => {
    const at = tick();
    return { agent: 'claude-code', sessionId, contextId: '', at, source: 'hook' as const, cwd: home.dir };
  };
  // Hooks tell the model here and nowhere else.
  events.push({ ...origin(), kind: 'session-started', start: 'startup', model });
  let calls = 0;
  const make = (given: ToolCall, error: string): Decision => {
    const own = { callId: `${sessionId}-${++calls}`, ...given };
    const started: EventOf<'call-started'> = { ...origin(), kind: 'call-started', ...own };
    const decision = decideReply(started, {
      ...{ manifest, claimsDir, pastDir, memory, briefsDir, troubleFile, projectId, probe: false },
      ...{ switches: { pauses: [], mutes: [] }, modes: ['note', 'pause'], elapsedUs: () => 0 },
    });
    facts.push(...toDecisionFacts(started, decision));
    const result =
      decision.reply?.kind === 'refusal'
        ? { isError: true, text: 'held back', denied: { by: 'oncebitten' as const } }
        : { isError: error !== '', exitCode: error === '' ? 0 : 1, text: error };
    events.push(started, { ...origin(), kind: 'call-ended', ...own, result });
    return decision;
  };
  return {
    make,
    call: (command: string, error: string) => make(toToolCall({ run: command }, home.dir), error),
    end() {
      events.push({ ...origin(), kind: 'session-ended', reason: 'exit' });
      return { events, facts };
    },
  };
}
