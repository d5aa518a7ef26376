/**
 * Replays past sessions call by call in time order: each call is first matched against the lessons learned before it
 * began, and learned from once it has ended. The replay uses the real detectors, gate, merging, store, manifest,
 * matcher, claims and budget, in a data directory of its own. Its lessons get the same names in every replay, because a
 * slug otherwise ends in random characters.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { toCallKey, toSessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import { isHookRun } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { type JudgedFailure, makeFailureJudge } from '../../base/statistics/failure-ledger.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { type Manifest, openManifest } from '../../match/manifest.ts';
import type { ReplayedCall, ReplayedDelivery, ReplayedFailure } from '../../measure/judge-replay.ts';
import { compileLessons } from '../compile-lessons.ts';
import { decideReply } from '../deliver.ts';
import { makeSessionMemory, type SessionMemory } from '../delivery/session-past.ts';
import { type Digest, type Found, mergeDigests } from '../digest-events.ts';
import { type DataHome, toDataHome } from '../home/data-home.ts';
import type { SessionAnswer } from '../language-models/replay-answers.ts';
import { makeLoop, type Taken } from '../learn.ts';
import type { ReplayStep } from './read-sessions.ts';
import { type Learned, makePeekGuard, toReplayOrder } from './time-order.ts';

export interface Replay {
  readonly calls: readonly ReplayedCall[];
  /** All lessons at the end of the replay. */
  readonly lessons: Awaited<ReturnType<Store['listLessons']>>;
  readonly findings: Awaited<ReturnType<Store['listFindings']>>;
}

interface ReplayOptions {
  /** Maps joined projects to one id. */
  readonly toProjectId?: ToProjectId;
  readonly onProgress?: (done: number, all: number) => void;
  /** Answers of a model, each learned from at the end of its session. */
  readonly answers?: readonly SessionAnswer[];
}

/** Rejects with a `PeekError` if a shown lesson could not have been known yet. */
export async function replaySessions(
  steps: readonly ReplayStep[],
  settings: Settings,
  { onProgress = () => {}, toProjectId = (id) => id, answers = [] }: ReplayOptions = {},
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
      answers,
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
  readonly answers: readonly SessionAnswer[];
}

/** Progress is reported once per this many calls. */
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
    // A call on which a lesson fired may refute it, so it is learned from, too.
    const { findings, repeatable } = step.digest;
    if (findings.length + repeatable.length === 0 && (shown.get(step) ?? []).length === 0) return;
    const all = waiting;
    waiting = [];
    const taken = await loop.takeDigest(mergeDigests(all));
    await origins.take(store, taken);
    manifest = readManifest(home.manifestFile);
  };
  const takeAnswer = async (step: ReplayStep, answer: SessionAnswer): Promise<void> => {
    guard.checkPack(answer.pack, answer.calls, step);
    learning = step;
    const all = waiting;
    waiting = [];
    await loop.takeDigest(mergeDigests(all));
    const findings = await toKnownProject(store, answer);
    await origins.take(store, await loop.takeDigest({ ...mergeDigests([]), findings }));
    manifest = readManifest(home.manifestFile);
  };
  const order = toReplayOrder(steps);
  const answersAt = toAnswersAt(order, parts.answers);
  for (const [n, { kind, step }] of order.entries()) {
    if (n % TELL_EVERY === 0) onProgress(n, order.length);
    if (kind === 'learn') {
      await learn(step);
      for (const answer of answersAt.get(n) ?? []) await takeAnswer(step, answer);
    } else {
      const deliveries = ask(step, manifest, { home, memory });
      for (const { lessonId } of deliveries) {
        await origins.takeParted(store, lessonId);
        guard.check(lessonId, step);
      }
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
      .flatMap(({ step }) => toReplayed(step, shown.get(step) ?? [], (call) => judgeCall(judge, call, parts), parts)),
    lessons: await store.listLessons(),
    findings: await store.listFindings(),
  };
}

/** The answers by the moment at which the last step of their session has been learned from. */
function toAnswersAt(
  order: ReturnType<typeof toReplayOrder>,
  answers: readonly SessionAnswer[],
): ReadonlyMap<number, readonly SessionAnswer[]> {
  const ends = new Map<string, number>();
  for (const [n, { kind, step }] of order.entries()) if (kind === 'learn') ends.set(toSessionKey(step.event), n);
  return Map.groupBy(answers, (answer) => ends.get(toSessionKey(answer)) ?? -1);
}

/** With the project that the store has for the session, where the folders of its calls are gone. */
async function toKnownProject(store: Store, { agent, sessionId, found }: SessionAnswer): Promise<readonly Found[]> {
  const projects = new Set((await store.listProjects()).map(({ id }) => id));
  const own = (await store.findSession(agent, sessionId))?.projectId;
  return found.map(({ finding, window }) => {
    const isKnown = own === undefined || projects.has(finding.projectId);
    return isKnown ? { finding, window } : { finding: { ...finding, projectId: own }, window };
  });
}

interface Asking {
  readonly home: DataHome;
  readonly memory: SessionMemory;
}

/** Every session is replayed from its beginning, so its past is known. */
function remember(memory: SessionMemory, { call }: ReplayStep): void {
  if (call !== undefined && hasWorked(call)) memory.note(call);
}

/** Decides like the hook, but without a deadline. */
function ask(step: ReplayStep, manifest: Manifest, { home, memory }: Asking): readonly Delivery[] {
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  if (step.call !== undefined) memory.begin(step.call);
  const projectId = step.call?.projectId ?? '';
  const switches = { pauses: [], mutes: [] };
  const context = { manifest, claimsDir, pastDir, memory, briefsDir, troubleFile, projectId, switches };
  const { event, asked } = step;
  // A transcript records a compaction; a hook gets a session start instead.
  const heard = event.kind === 'compacted' ? ({ ...event, kind: 'session-started', start: 'compact' } as const) : event;
  // A past call can only get a note.
  return decideReply(asked ?? heard, { ...context, modes: ['note'], probe: false, elapsedUs: () => 0 }).deliveries;
}

/** Makes slugs reproducible, because they order lessons of the same rank. */
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
  deliveries: readonly ReplayedDelivery[],
  judge: (call: LiveCall) => JudgedFailure | undefined,
  { toProjectId }: Parts,
): readonly ReplayedCall[] {
  if (call === undefined) return [];
  const ended = { ...call, ...endedAs };
  const judged = judge(ended);
  // Recorded hook runs are not calls of the agent.
  if (isHookRun(call)) return [];
  const { agent, sessionId, callId } = ended;
  return [
    {
      ...{
        agent,
        sessionId,
        projectId: toProjectId(ended.projectId),
        callId,
        at: beganAt,
        endedAt,
        program,
        deliveries,
      },
      worked: hasWorked(ended),
      what: (call.command ?? call.targetPath ?? call.rawTool).slice(0, WHAT_CHARS),
      ...dropAbsent({ failure, judged, masked, refusal }),
    },
  ];
}

function readManifest(file: string): Manifest {
  const manifest = openManifest(readFileSync(file));
  if (manifest === undefined) throw new Error(`${file} is no manifest of ours`);
  return manifest;
}

interface LessonNames {
  /** Lessons must come in replay order: the first of several equal slugs gets no suffix. */
  take(lesson: Pick<Lesson, 'id' | 'slug'>): string;
  find(lessonId: string): string;
}

function makeLessonNames(): LessonNames {
  const names = new Map<string, string>();
  const used = new Set<string>();
  return {
    take({ id, slug }) {
      const known = names.get(id);
      if (known !== undefined) return known;
      const words = slug.replace(/-[a-z0-9]{4}$/, '');
      let name = words;
      for (let n = 2; used.has(name); n++) name = `${words}-${n}`;
      used.add(name);
      names.set(id, name);
      return name;
    },
    find: (lessonId) => names.get(lessonId) ?? '',
  };
}

/** A refusal has no class. */
type Taught = Pick<ReplayedFailure, 'reference'> & Partial<ReplayedFailure>;
type Origin = Pick<ReplayedDelivery, 'class' | 'references'>;

/** Called for every lesson that a finding created or extended. */
type OnLearned = (lessonId: string, finding: Learned) => void;

/** Records from which failures each lesson was learned. */
function makeLessonOrigins(steps: readonly ReplayStep[], onLearned: OnLearned = () => {}) {
  const failures = new Map<string, Taught>();
  for (const { call, failure, masked, refusal } of steps) {
    const found = failure ?? masked ?? (refusal === undefined ? undefined : { reference: refusal });
    if (call !== undefined && found !== undefined) failures.set(toCallKey(call), found);
  }
  const origins = new Map<string, Origin>();
  const add = (lessonId: string, finding: Learned): void => {
    const failure = failures.get(toCallKey({ ...finding, callId: finding.failingCallId }));
    if (failure === undefined) return;
    const known = origins.get(lessonId);
    const references = [...new Set([...(known?.references ?? []), failure.reference])];
    const found = known?.class ?? failure.class;
    origins.set(lessonId, { ...dropAbsent({ class: found }), references });
  };
  return {
    /** After the findings of a digest were learned from. */
    async take(store: Store, { findings }: Pick<Taken, 'findings'>): Promise<void> {
      for (const { finding } of findings) {
        const { agent, sessionId, failingCallId } = finding;
        const kept = await store.listFindings({ agent, sessionId });
        const own = kept.filter((one) => one.failingCallId === failingCallId);
        for (const one of own) if (one.lessonId !== undefined) onLearned(one.lessonId, finding);
        const lessonId = own[0]?.lessonId;
        if (lessonId !== undefined) add(lessonId, finding);
      }
    },
    /** A lesson that was parted from one of another project has some of its findings. */
    async takeParted(store: Store, lessonId: string): Promise<void> {
      if (origins.has(lessonId)) return;
      const findings = (await store.listFindings()).filter((one) => one.lessonId === lessonId);
      for (const finding of findings) {
        onLearned(lessonId, finding);
        add(lessonId, finding);
      }
    },
    find: (lessonId: string): Origin => origins.get(lessonId) ?? { references: [] },
  };
}
