/** What the product learns from a label set and says in a replay of it, beside the baselines. Totals only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cure as ProductCure } from '../../src/base/model/cure.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type ReplayStep, readSessions } from '../../src/loop/replay/read-sessions.ts';
import { type Replay, replaySessions } from '../../src/loop/replay/replay-sessions.ts';
import { toReplayOrder } from '../../src/loop/replay/time-order.ts';
import type { ScanFile } from '../../src/loop/scan/scan-files.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { openCureBook } from '../../src/match/cure-book.ts';
import { cureBook, exactRepeat } from './baselines.ts';
import { type Cure, type Help, judgeHelp } from './judge-help.ts';
import type { LabelSet } from './label-set.ts';
import { type PastCall, type PastCalls, toPastCalls } from './past-calls.ts';
import { toReferenceEdit } from './reference.ts';
import { firesAt, listPlaces, scoreLessons } from './score-lessons.ts';

export async function measureSet(set: LabelSet) {
  const steps = await readSessions(set.files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {} });
  const past = toPastCalls(steps);
  const replay = await replaySessions(steps, DEFAULT_SETTINGS);
  return {
    sessions: set.files.length,
    calls: past.all.length,
    failures: past.all.filter(({ hasFailed }) => hasFailed).length,
    lessons: scoreLessons(set, await learn(set.files), past),
    help: judgeHelp(set, past, [...toHelp(replay, past), ...toCures(steps, past)]),
    baselines: { exactRepeat: judgeHelp(set, past, exactRepeat(past)), cureBook: judgeHelp(set, past, cureBook(past)) },
  };
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

/** The cures that would have been shown with failures. */
function toCures(steps: readonly ReplayStep[], past: PastCalls): readonly Help[] {
  const byStep = new Map(past.all.map((call) => [call.step, call]));
  const byKey = new Map(past.all.map((call) => [toKey(call), call]));
  const book = openCureBook();
  const help: Help[] = [];
  const known = new Set<string>();
  for (const { kind, step } of toReplayOrder(steps)) {
    if (kind === 'ask') continue;
    const call = byStep.get(step);
    const signatureId = step.call?.signature?.id;
    const advice =
      call?.hasFailed && step.call && signatureId !== undefined ? book.find({ ...step.call, signatureId }) : undefined;
    const key = `${call?.context}\n${signatureId}`;
    if (call !== undefined && advice !== undefined && !known.has(key)) {
      known.add(key);
      const places = advice.cures.flatMap(
        (cure) => byKey.get(`${cure.agent}\n${cure.sessionId}\n${cure.failingCallId}`)?.place ?? [],
      );
      const references = places.flatMap((place) => past.find(place)?.reference ?? []);
      help.push({ kind: 'cure', call, places, references, cure: toReferenceCure(advice.cures[0], call) });
    }
    for (const cure of step.digest.cures) book.add(cure);
  }
  return help;
}

/** The words that the cure adds to this call and takes out of it. */
function toReferenceCure(cure: ProductCure | undefined, call: PastCall): Cure {
  if (cure?.kind === 'read-first') return { removed: [], added: [], first: 'read' };
  if (cure?.kind === 'first') return { removed: [], added: [], first: /`(\S+)/.exec(cure.text)?.[1] ?? '' };
  const applied = cure?.edit && applyEdit(cure.edit, call.command ?? '');
  if (applied !== undefined) return toReferenceEdit(call, { ...call, command: applied });
  const words = cure?.edit?.steps.flatMap((step) => ('from' in step ? [step] : [])) ?? [];
  const listWords = (side: 'from' | 'to'): readonly string[] =>
    words.flatMap((step) => step[side].filter((word) => typeof word === 'string'));
  return { removed: listWords('from'), added: listWords('to') };
}

function toKey({ step }: PastCall): string {
  return `${step.call?.agent}\n${step.call?.sessionId}\n${step.call?.callId}`;
}
