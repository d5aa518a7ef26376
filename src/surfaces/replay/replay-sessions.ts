/**
 * The past once more, call by call in the order of time: each call is first asked about, with the lessons learned before
 * it began, then learned from, when it has ended. Everything is the real thing (detectors, gate, merging, store, manifest,
 * matcher, claims, budget) in a data directory of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiveCall } from '../../base/call.ts';
import type { Delivery } from '../../base/delivery.ts';
import { type JudgedFailure, makeFailureJudge } from '../../base/failure-ledger.ts';
import { isHookRun } from '../../base/is-hook-run.ts';
import type { ToProjectId } from '../../base/project-alias.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { type Manifest, openManifest } from '../../match/open-manifest.ts';
import { toAbsolute } from '../../match/session-past.ts';
import type { ReplayedCall, ReplayedDelivery } from '../../measure/replayed-call.ts';
import { makeSessionMemory } from '../daemon/make-session-memory.ts';
import { type DataHome, toDataHome } from '../data-home.ts';
import { decideReply } from '../hook/decide-reply.ts';
import type { SessionMemory } from '../hook/note-past.ts';
import { compileLessons } from '../loop/compile-lessons.ts';
import type { Digest } from '../loop/digest-events.ts';
import { makeLoop } from '../loop/loop.ts';
import { mergeDigests } from '../loop/merge-digests.ts';
import { makeLessonOrigins } from './lesson-origins.ts';
import { type LessonNames, makeLessonNames } from './make-lesson-names.ts';
import { makePeekGuard } from './make-peek-guard.ts';
import type { ReplayStep } from './read-sessions.ts';
import { toReplayOrder } from './to-replay-order.ts';

export interface Replay {
  readonly calls: readonly ReplayedCall[];
  /** What was learned in the end. */
  readonly lessons: Awaited<ReturnType<Store['listLessons']>>;
  readonly findings: Awaited<ReturnType<Store['listFindings']>>;
}

export interface ReplayOptions {
  /** Joined projects are one. */
  readonly toProjectId?: ToProjectId;
  readonly onProgress?: (done: number, all: number) => void;
}

/** Rejects with a `PeekError` when anything that was shown could not be known yet. */
export async function replaySessions(
  steps: readonly ReplayStep[],
  settings: Settings,
  { onProgress = () => {}, toProjectId = (id) => id }: ReplayOptions = {},
): Promise<Replay> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-replay-'));
  const home = toDataHome(dir);
  const store = await openStore({ url: '', file: home.storeFile });
  try {
    return await replay(steps, {
      store,
      settings: { ...settings, store: { url: '' }, holdout: { ...settings.holdout, share: 0 } },
      home,
      onProgress,
      toProjectId,
    });
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  readonly home: DataHome;
  readonly onProgress: (done: number, all: number) => void;
  readonly toProjectId: ToProjectId;
}

/** A person who waits need not see every call. */
const TELL_EVERY = 100;

async function replay(steps: readonly ReplayStep[], parts: Parts): Promise<Replay> {
  const { settings, home, onProgress } = parts;
  const names = makeLessonNames();
  const store = withNames(parts.store, names);
  let nowMs = Date.parse(steps[0]?.beganAt ?? '') || 0;
  const now = (): number => nowMs;
  const { manifestFile, switchesFile } = home;
  const loop = makeLoop({ store, settings, manifestFile, switchesFile, now });
  const memory = makeSessionMemory();
  const guard = makePeekGuard(steps);
  const toProject = makeToProject(steps);
  const shown = new Map<ReplayStep, readonly ReplayedDelivery[]>();
  await compileLessons({ store, settings, manifestFile, now });
  let manifest = readManifest(home.manifestFile);
  let waiting: Digest[] = [];
  let learning: ReplayStep | undefined;
  const origins = makeLessonOrigins(steps, (lessonId, finding) => {
    if (learning !== undefined) guard.take(lessonId, finding, learning);
  });
  const learn = async (step: ReplayStep): Promise<void> => {
    learning = step;
    nowMs = Date.parse(step.endedAt) || nowMs;
    remember(memory, step);
    waiting.push(step.digest);
    // A call that a lesson spoke at may refute it.
    if (step.digest.findings.length === 0 && (shown.get(step) ?? []).length === 0) return;
    const all = waiting;
    waiting = [];
    await loop.takeDigest(mergeDigests(all));
    await origins.take(store, step.digest);
    manifest = readManifest(home.manifestFile);
  };
  const order = toReplayOrder(steps);
  for (const [n, { kind, step }] of order.entries()) {
    if (n % TELL_EVERY === 0) onProgress(n, order.length);
    if (kind === 'learn') await learn(step);
    else {
      const deliveries = ask(step, manifest, { home, memory });
      for (const { lessonId } of deliveries) guard.check(lessonId, step);
      shown.set(
        step,
        deliveries.map(({ lessonId }) => ({ lessonId, slug: names.find(lessonId), ...origins.find(lessonId) })),
      );
    }
  }
  const judge = makeFailureJudge();
  return {
    calls: order
      .filter(({ kind }) => kind === 'ask')
      .flatMap(({ step }) =>
        toReplayed(step, toProject(step), shown.get(step) ?? [], (call) => judgeCall(judge, call, parts)),
      ),
    lessons: await store.listLessons(),
    findings: await store.listFindings(),
  };
}

interface Asking {
  readonly home: DataHome;
  readonly memory: SessionMemory;
}

/** Every session is replayed from its beginning: what it did is known. */
function remember(memory: SessionMemory, { call }: ReplayStep): void {
  if (call?.outcome !== 'success' && call?.outcome !== 'partial') return;
  const { command, targetPath } = call;
  memory.note(call, { command, path: targetPath === undefined ? undefined : toAbsolute(targetPath, call.cwd) });
}

/** As the hook does, with all the time there is. */
function ask(step: ReplayStep, manifest: Manifest, { home, memory }: Asking): readonly Delivery[] {
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  if (step.call !== undefined) memory.begin(step.call);
  const projectId = step.call?.projectId ?? '';
  const switches = { pauses: [], mutes: [] };
  const context = { manifest, claimsDir, pastDir, memory, briefsDir, troubleFile, projectId, switches };
  const { event, asked } = step;
  // A transcript tells a compaction where a hook is told that the session starts again.
  const told = event.kind === 'compacted' ? ({ ...event, kind: 'session-started', start: 'compact' } as const) : event;
  // What has happened can only be spoken beside.
  return decideReply(asked ?? told, { ...context, modes: ['note'], probe: false, elapsedUs: () => 0 }).deliveries;
}

/** Lessons of the same rank come by their slugs: so these are no matter of chance. */
function withNames(store: Store, names: LessonNames): Store {
  return {
    ...store,
    saveLearned: (learned) => {
      const { lesson } = learned;
      return store.saveLearned({ ...learned, lesson: { ...lesson, slug: names.take(lesson) } });
    },
  };
}

function judgeCall(
  judge: ReturnType<typeof makeFailureJudge>,
  call: LiveCall,
  { toProjectId }: Parts,
): JudgedFailure | undefined {
  return judge({ ...call, projectId: toProjectId(call.projectId), signatureId: call.signature?.id });
}

const WHAT_CHARS = 160;

function toReplayed(
  { call, program = '', failure, masked, refusal, beganAt, endedAt, endedAs }: ReplayStep,
  projectId: string,
  deliveries: readonly ReplayedDelivery[],
  judge: (call: LiveCall) => JudgedFailure | undefined,
): readonly ReplayedCall[] {
  if (call === undefined) return [];
  const ended = { ...call, ...endedAs };
  const judged = judge(ended);
  // What an agent records about somebody's hooks is no call of the agent.
  if (isHookRun(call)) return [];
  const { agent, sessionId, callId, outcome } = ended;
  return [
    {
      ...{ agent, sessionId, projectId, callId, at: beganAt, endedAt, program, deliveries },
      worked: outcome === 'success' || outcome === 'partial',
      what: (call.command ?? call.targetPath ?? call.rawTool).slice(0, WHAT_CHARS),
      ...(failure === undefined ? {} : { failure }),
      ...(judged === undefined ? {} : { judged }),
      ...(masked === undefined ? {} : { masked }),
      ...(refusal === undefined ? {} : { refusal }),
    },
  ];
}

/** A session belongs to the project it began in, wherever it went. */
function makeToProject(steps: readonly ReplayStep[]): (step: ReplayStep) => string {
  const first = new Map<string, string>();
  for (const { call } of steps) {
    if (call === undefined) continue;
    const key = `${call.agent}\n${call.sessionId}`;
    if (!first.has(key)) first.set(key, call.projectId);
  }
  return ({ call }) => first.get(`${call?.agent}\n${call?.sessionId}`) ?? '';
}

function readManifest(file: string): Manifest {
  const manifest = openManifest(readFileSync(file));
  if (manifest === undefined) throw new Error(`${file} is no manifest of ours`);
  return manifest;
}
