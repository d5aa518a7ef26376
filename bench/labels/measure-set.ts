/** What the product learns from a label set and says in a replay of it, beside the baselines. Totals only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readSessions } from '../../src/loop/replay/read-sessions.ts';
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

export async function measureSet(set: LabelSet) {
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
    baselines: { exactRepeat: judgeHelp(set, past, exactRepeat(past)), cureBook: judgeHelp(set, past, cureBook(past)) },
  };
}

/** Random cures that were made from the set, for a reader. */
export async function sampleSet(set: LabelSet, how: Parameters<typeof sampleCures>[2]) {
  const steps = await readSessions(set.files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {} });
  return sampleCures(steps, toPastCalls(steps), how);
}

export type SetFigures = Awaited<ReturnType<typeof measureSet>>;

/** As `scan` learns, in a data directory of its own. */
async function learn(files: readonly ScanFile[]): Promise<readonly Lesson[]> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-labels-'));
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  try {
    await scanSessions({ store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, files, onProgress: () => {} });
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
