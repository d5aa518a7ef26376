/**
 * Reads from the store what the daemon's main thread needs to answer calls: the failures of each project that sessions got
 * past, without those whose cure did not help, and the calls that failed and have not worked since.
 */

import type { Store } from '../../base/contracts/store.ts';
import { type Cure, type CuredFailure, isCureId, toCureId } from '../../base/model/cure.ts';
import type { Knowledge, KnownCall } from '../../base/model/knowledge.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { isArchivedForGood } from '../../promote/lesson-states.ts';

/** Bounds the message between the threads to a few megabytes. */
const MAX_CURES = 5_000;

export async function readKnowledge(store: Store, settings: Settings): Promise<Knowledge> {
  const { knownFixes, memory } = settings.delivery;
  const background = await readBackground(store);
  const failures = knownFixes ? await listCuredFailures(store, settings, background) : [];
  return {
    cures: failures.filter(({ silence }) => silence === undefined).map(({ silence: _, ...failure }) => failure),
    remembered: memory ? await listKnownCalls(store, settings, background) : [],
  };
}

export interface JudgedFailure extends CuredFailure {
  /** Why its cures are not shown. */
  readonly silence?: 'did not help' | 'not helpful' | 'archived';
}

/** Every failure with a cure. */
export async function listCuredFailures(
  store: Store,
  { holdout }: Settings,
  given?: Background,
): Promise<readonly JudgedFailure[]> {
  const cures = await store.listCures({ limit: MAX_CURES });
  if (cures.length === 0) return [];
  const background = given ?? (await readBackground(store));
  const { toProjectId, findFixes } = background;
  const uses = Map.groupBy(await store.countDeliveries({ kind: 'failure', arm: 'shown' }, 'project'), (cell) =>
    toKey(cell.key, cell.lessonId),
  );
  const judge = (projectId: string, own: readonly Cure[]): JudgedFailure => {
    const signatureId = own[0]?.signatureId ?? '';
    return judgeFailure({ projectId, signatureId, cures: own }, { ...background, uses, holdout });
  };
  const groups = Map.groupBy(cures, ({ projectId, signatureId }) => toKey(toProjectId(projectId), signatureId));
  const ofProjects = [...groups.values()].map((own) => judge(toProjectId(own[0]?.projectId ?? ''), own));
  const silent = new Set(ofProjects.filter(({ silence }) => silence).map(({ signatureId }) => signatureId));
  // Two repositories have met the failure: it is known in every project.
  const everywhere = [...Map.groupBy(cures, ({ signatureId }) => signatureId)]
    .filter(([signatureId]) => !silent.has(signatureId))
    .filter(([signatureId]) => findFixes('', signatureId).some(({ status }) => status === 'active'))
    .map(([, own]) => judge('', own));
  return [...ofProjects, ...everywhere];
}

type Use = Awaited<ReturnType<Store['countDeliveries']>>[number];

interface Judging extends Background, Pick<Settings, 'holdout'> {
  /** How its cures were shown, and what came of it. */
  readonly uses: ReadonlyMap<string, readonly Use[]>;
}

function judgeFailure(failure: Omit<CuredFailure, 'lessons'>, judging: Judging): JudgedFailure {
  const { projectId, signatureId } = failure;
  const key = toKey(projectId, toCureId(signatureId));
  const cells = judging.uses.get(key) ?? [];
  const count = (...outcomes: readonly (string | undefined)[]): number =>
    cells.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, cell) => sum + cell.count, 0);
  const failed = count('ignored', 'failed_anyway');
  const isUseless = failed >= MAX_FAILED && failed >= count('clean');
  const fixes = judging.findFixes(projectId, signatureId);
  const isArchived = fixes.some((one) => isArchivedForGood(one) && one.archival?.cause !== 'superseded');
  const isDisliked = judging.disliked.has(key);
  const shown = cells.reduce((sum, cell) => sum + cell.count, 0);
  return {
    ...failure,
    lessons: judging.findLessons(signatureId),
    ...dropAbsent({
      advice: fixes.find(({ reviewedBy, status }) => reviewedBy !== undefined && status === 'active')?.remediation,
      withheld: toWithheld(judging.holdout, shown),
      silence: isArchived ? 'archived' : isDisliked ? 'not helpful' : isUseless ? 'did not help' : undefined,
    } as const),
  };
}

const MAX_REMEMBERED = 2_000;

/** The calls that an agent may be warned of, oldest first. */
async function listKnownCalls(
  store: Store,
  { holdout }: Settings,
  { toProjectId, findLessons, disliked }: Background,
): Promise<readonly KnownCall[]> {
  const calls = await store.listRemembered({ limit: MAX_REMEMBERED });
  const uses = Map.groupBy(await store.countDeliveries({ kind: 'memory', arm: 'shown' }, 'project'), (cell) =>
    toKey(cell.key, cell.lessonId),
  );
  return calls.toReversed().flatMap((call) => {
    const { signatureId, cause } = call;
    const projectId = toProjectId(call.projectId);
    const key = toKey(projectId, toCureId(signatureId ?? ''));
    // Without its own words, the warning could not say what went wrong.
    if (signatureId === undefined || cause === undefined || disliked.has(key)) return [];
    const shown = (uses.get(key) ?? []).reduce((sum, { count }) => sum + count, 0);
    const withheld = toWithheld(holdout, shown);
    return [{ ...call, projectId, signatureId, cause, lessons: findLessons(signatureId), ...dropAbsent({ withheld }) }];
  });
}

interface Background {
  readonly toProjectId: ToProjectId;
  /** The lessons about a failure: an agent is told of it once. */
  readonly findLessons: (signatureId: string) => CuredFailure['lessons'];
  /** The lessons that are the known fix of a failure, in a project or (with an empty id) in every one. */
  readonly findFixes: (projectId: string, signatureId: string) => readonly Lesson[];
  /** The failures whose texts a person called not helpful, each in its project. */
  readonly disliked: ReadonlySet<string>;
}

async function readBackground(store: Store): Promise<Background> {
  const all = await store.listLessons();
  const lessons = Map.groupBy(
    all.filter(({ status }) => status !== 'archived'),
    ({ signatureId = '' }) => signatureId,
  );
  const fixes = Map.groupBy(
    all.filter(({ triggers }) => triggers.failure === true),
    ({ signatureId = '' }) => signatureId,
  );
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  return {
    toProjectId,
    findFixes: (projectId, signatureId) =>
      (fixes.get(signatureId) ?? []).filter(
        ({ scope }) => scope.kind === 'user' || (projectId !== '' && toProjectId(scope.id ?? '') === projectId),
      ),
    findLessons: (signatureId) => (lessons.get(signatureId) ?? []).map(({ id, priority }) => ({ id, priority })),
    disliked: await listDisliked(store),
  };
}

function toWithheld({ share, after }: Settings['holdout'], shown: number): number | undefined {
  return share > 0 && shown >= after ? share : undefined;
}

async function listDisliked(store: Store): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { lessonId, deliveryId, from, verdict } of await store.listFeedback()) {
    if (!isCureId(lessonId) || deliveryId === undefined || from !== 'user' || verdict !== 'not-helpful') continue;
    const [delivery] = await store.listPlacedDeliveries({ idPrefix: deliveryId, limit: 1 });
    if (delivery?.projectId !== undefined) keys.add(toKey(delivery.projectId, lessonId));
  }
  return keys;
}

/** A cure is no longer shown after this many uses that did not help, unless more uses did. */
const MAX_FAILED = 2;

function toKey(projectId: string, cureId: string): string {
  return `${projectId}\n${cureId}`;
}
