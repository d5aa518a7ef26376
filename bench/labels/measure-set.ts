/** What the product learns from a label set and says in a replay of it, beside the baselines. Totals only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { takeAnswerFiles } from '../../src/loop/language-models/ask-model.ts';
import { type AnswerFile, readAnswers } from '../../src/loop/language-models/pack-files.ts';
import { readConversations } from '../../src/loop/language-models/read-conversations.ts';
import { toSessionAnswers } from '../../src/loop/language-models/replay-answers.ts';
import { type ReplayStep, readSessions } from '../../src/loop/replay/read-sessions.ts';
import { type Replay, replaySessions } from '../../src/loop/replay/replay-sessions.ts';
import type { ScanFile } from '../../src/loop/scan/scan-files.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { cureBook, exactRepeat } from './baselines.ts';
import { judgeClasses } from './judge-classes.ts';
import { type Help, judgeHelp } from './judge-help.ts';
import type { LabelSet } from './label-set.ts';
import { type PastCall, type PastCalls, toPastCalls } from './past-calls.ts';
import { replayCures, sampleCures, toCureHelp } from './replay-cures.ts';
import { toMemories } from './replay-memory.ts';
import { firesAt, listPlaces, scoreLessons } from './score-lessons.ts';

/** `answers`: a folder with answers of a model. */
export async function measureSet(set: LabelSet, answers?: string) {
  const steps = await readSessions(set.files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {} });
  const past = toPastCalls(steps);
  const lessons = toHelp(await replaySessions(steps, DEFAULT_SETTINGS), past);
  const memories = toMemories(steps, past, lessons);
  return {
    sessions: set.files.length,
    calls: past.all.length,
    failures: past.all.filter(({ hasFailed }) => hasFailed).length,
    classes: await judgeClasses(set, past),
    lessons: scoreLessons(set, await learn(set.files), past),
    help: judgeHelp(set, past, [...lessons, ...memories, ...toCureHelp(replayCures(steps, past), past)]),
    /** Of the warnings, those of exact memory. */
    memory: judgeHelp(set, past, memories),
    ...(answers === undefined ? {} : { withAnswers: await measureAnswers(set, steps, past, answers) }),
    baselines: { exactRepeat: judgeHelp(set, past, exactRepeat(past)), cureBook: judgeHelp(set, past, cureBook(past)) },
  };
}

/** The same with the answers of a model: what is found, and what is reached when each session is answered at its end. */
async function measureAnswers(set: LabelSet, steps: readonly ReplayStep[], past: PastCalls, dir: string) {
  const files = readAnswers(dir);
  const ofSessions = files.filter(({ index }) => index.by === 'session');
  const conversations = await readConversations(set.files, {
    ...{ trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {}, readRules: async () => () => true },
  });
  const replayed = await replaySessions(steps, DEFAULT_SETTINGS, {
    answers: toSessionAnswers(ofSessions, conversations),
  });
  const lessons = toHelp(replayed, past);
  const memories = toMemories(steps, past, lessons);
  const cures = [...toCureHelp(replayCures(steps, past), past), ...toAnsweredCures(replayed.lessons, past)];
  return {
    answers: { projects: files.length - ofSessions.length, sessions: ofSessions.length },
    lessons: scoreLessons(set, await learn(set.files, files), past),
    help: judgeHelp(set, past, [...lessons, ...memories, ...cures]),
  };
}

/** Proposals that are shown with the same error, from the session after the one that taught them on. */
function toAnsweredCures(lessons: readonly Lesson[], past: PastCalls): readonly Help[] {
  const shown = lessons.filter(
    ({ origin, status, triggers }) => origin.kind === 'model' && status === 'active' && triggers.failure === true,
  );
  return shown.flatMap((lesson): readonly Help[] => {
    const places = listPlaces(lesson);
    const taught = past.all.findLastIndex(({ session }) => session === places[0]?.file);
    const met = past.all.slice(taught + 1).filter((call) => call.hasFailed && firesAt(lesson, call));
    const firsts = [...new Map(met.toReversed().map((call) => [call.session, call])).values()];
    return firsts.map((call) => ({ kind: 'cure', call, places, references: [] }));
  });
}

/** Random cures that were made from the set, for a reader. */
export async function sampleSet(set: LabelSet, how: Parameters<typeof sampleCures>[2]) {
  const steps = await readSessions(set.files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {} });
  return sampleCures(steps, toPastCalls(steps), how);
}

export type SetFigures = Awaited<ReturnType<typeof measureSet>>;

/** As `scan` learns, in a data directory of its own; then from the answers of a model. */
async function learn(files: readonly ScanFile[], answers: readonly AnswerFile[] = []): Promise<readonly Lesson[]> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-labels-'));
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  try {
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, log: () => {} };
    await scanSessions({ ...parts, files, onProgress: () => {} });
    if (answers.length > 0) await takeAnswerFiles({ ...parts, files }, answers, Date.now());
    return await store.listLessons();
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The deliveries of a replay. */
function toHelp({ calls, lessons }: Replay, past: PastCalls): readonly Help[] {
  const known = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const byKey = new Map(past.all.map((call) => [toKey(call), call]));
  return calls.flatMap(({ agent, sessionId, callId, deliveries }) => {
    const call = byKey.get(`${agent}\n${sessionId}\n${callId}`);
    if (call === undefined) return [];
    return deliveries.flatMap(({ lessonId, references }): readonly Help[] => {
      const lesson = known.get(lessonId);
      if (lesson === undefined) return [];
      return [{ kind: 'warning', call, places: listPlaces(lesson), references, fires: (one) => firesAt(lesson, one) }];
    });
  });
}

function toKey({ step }: PastCall): string {
  return `${step.call?.agent}\n${step.call?.sessionId}\n${step.call?.callId}`;
}
