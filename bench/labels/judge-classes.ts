/**
 * How often the class of a failure is the one that its label asks for. FROZEN like `reference.ts`, so that a convenient
 * mapping cannot improve the figure.
 */
import type { LiveCall } from '../../src/base/model/call.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { classifyFailure } from '../../src/distill/episodes/classify-failure.ts';
import { makeDigester } from '../../src/loop/digest-events.ts';
import { readSteps } from '../../src/loop/replay/read-sessions.ts';
import type { ScanFile } from '../../src/loop/scan/scan-files.ts';
import type { LabelSet } from './label-set.ts';
import type { PastCall, PastCalls } from './past-calls.ts';

/** The product takes the exit code of the call for an answer, or it did not see that the call failed. */
const NO_FAILURE = 'no failure';

/**
 * The classes that are right at a label. The labeller's reason is the class itself. A failure of a labelled lesson was a
 * mistake in the call, or the agent refused it. `one-off` and `unclear` say nothing about the class and are left out.
 */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  lesson: ['command', 'harness'],
  verdict: ['verdict'],
  world: ['world'],
  'edit-text': ['edit-text'],
  // The labellers gave a search that found nothing either of these reasons. To the product it is no failure.
  exploration: ['exploration', NO_FAILURE],
  status: ['status', NO_FAILURE],
};
/** Calls after the failure that its class may depend on. */
const MAX_NEXT = 20;

export async function judgeClasses(set: LabelSet, past: PastCalls) {
  const classes = await readClasses(set.files);
  const places = [
    ...set.lessons.flatMap(({ evidence }) => evidence.map((place) => ({ place, reason: 'lesson' }))),
    ...set.others.map((place) => ({ place, reason: place.reason })),
  ].filter(({ reason }) => RIGHT[reason] !== undefined);
  const judged = places.flatMap(({ place, reason }) => {
    const call = past.find(place);
    return call === undefined ? [] : [{ reason, given: classes.get(toKey(call)) ?? NO_FAILURE }];
  });
  const isLearned = (of: string): boolean => of === 'lesson' || RIGHT.lesson?.includes(of) === true;
  const others = judged.filter(({ reason }) => reason !== 'lesson');
  return {
    failures: judged.length,
    right: judged.filter(isRight).length,
    /** Those that teach nothing. The label of a lesson does not say whether the call or a check failed, theirs does. */
    others: others.length,
    othersRight: others.filter(isRight).length,
    /** Labelled failures at which the product saw no call. */
    unseen: places.length - judged.length,
    /** Those of them that the product takes for an answer. */
    answers: judged.filter((one) => isRight(one) && one.given === NO_FAILURE).length,
    /** A mistake in the call is told from everything else. */
    told: judged.filter(({ reason, given }) => isLearned(reason) === isLearned(given)).length,
    rightByReason: countRight(judged),
    /** Of a set whose single labels nobody looks at, not even the kind of mistake is told. */
    ...(set.name === 'learn' ? { byReason: countByReason(judged) } : {}),
  };
}

interface Judged {
  readonly reason: string;
  readonly given: string;
}

function isRight({ reason, given }: Judged): boolean {
  return RIGHT[reason]?.includes(given) === true;
}

function countRight(judged: readonly Judged[]): Readonly<Record<string, string>> {
  const rows = [...Map.groupBy(judged, ({ reason }) => reason)].map(([reason, some]) => [
    reason,
    `${some.filter(isRight).length}/${some.length}`,
  ]);
  return Object.fromEntries(rows);
}

/** For each reason of the labels, how often we give each class. */
function countByReason(judged: readonly Judged[]): Readonly<Record<string, string>> {
  const rows = [...Map.groupBy(judged, ({ reason }) => reason)].map(([reason, some]) => {
    const counts = [...Map.groupBy(some, ({ given }) => given)].sort(([, a], [, b]) => b.length - a.length);
    return [reason, counts.map(([given, all]) => `${given} ${all.length}`).join(', ')];
  });
  return Object.fromEntries(rows);
}

/** The class of every failed call. A replay keeps no outputs, so the sessions are read again. */
async function readClasses(files: readonly ScanFile[]): Promise<ReadonlyMap<string, string>> {
  const classes = new Map<string, string>();
  const scan = makeSecretScan({ log: () => {} });
  for (const file of files) {
    const calls = await readCalls(file, scan);
    for (const some of Map.groupBy(calls.values(), ({ contextId }) => contextId).values())
      for (const [at, call] of some.entries())
        if ((call.outcome === 'failure' || call.outcome === 'denied') && !classes.has(toCallKey(call)))
          classes.set(toCallKey(call), classifyFailure(call, some.slice(at + 1, at + 1 + MAX_NEXT)));
  }
  return classes;
}

async function readCalls(
  file: ScanFile,
  scan: ReturnType<typeof makeSecretScan>,
): Promise<ReadonlyMap<string, LiveCall>> {
  const calls = new Map<string, LiveCall>();
  const makeDigest = () =>
    makeDigester({ trackedTools: () => DEFAULT_SETTINGS.trackedTools, scan, detectors: Promise.resolve([]) });
  await readSteps(file, {
    makeDigest,
    // The end of a call in the background comes later, and replaces what was known of it.
    onStep: ({ digest }) => {
      for (const call of [...digest.calls.observed, ...digest.calls.storedOnly]) calls.set(toCallKey(call), call);
    },
  });
  return calls;
}

function toCallKey({ agent, sessionId, callId }: LiveCall): string {
  return `${agent}\n${sessionId}\n${callId}`;
}

function toKey({ step }: PastCall): string {
  return step.call === undefined ? '' : toCallKey(step.call);
}
