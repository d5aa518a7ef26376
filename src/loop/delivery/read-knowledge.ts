/**
 * Reads from the store what the daemon's main thread needs to answer the failure of a call: the failures of each project
 * that sessions got past, without those whose cure did not help.
 */

import type { Store } from '../../base/contracts/store.ts';
import { type CuredFailure, isCureId, toCureId } from '../../base/model/cure.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import { makeToProjectId } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';

/** Bounds the message between the threads to a few megabytes. */
const MAX_CURES = 5_000;

export async function readKnowledge(store: Store, settings: Settings): Promise<Knowledge> {
  const failures = settings.delivery.knownFixes ? await listCuredFailures(store, settings) : [];
  return {
    cures: failures.filter(({ silence }) => silence === undefined).map(({ silence: _, ...failure }) => failure),
  };
}

export interface JudgedFailure extends CuredFailure {
  /** Why its cures are not shown. */
  readonly silence?: 'did not help' | 'not helpful';
}

/** Every failure with a cure. */
export async function listCuredFailures(store: Store, { holdout }: Settings): Promise<readonly JudgedFailure[]> {
  const cures = await store.listCures({ limit: MAX_CURES });
  if (cures.length === 0) return [];
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const firing = (await store.listLessons()).filter(({ status }) => status !== 'archived');
  const lessons = Map.groupBy(firing, ({ signatureId = '' }) => signatureId);
  const uses = Map.groupBy(await store.countDeliveries({ kind: 'failure' }, 'project'), (cell) =>
    toKey(cell.key, cell.lessonId),
  );
  const disliked = await listDisliked(store);
  const groups = Map.groupBy(cures, ({ projectId, signatureId }) =>
    toKey(toProjectId(projectId), toCureId(signatureId)),
  );
  return [...groups].map(([key, own]) => {
    const { projectId, signatureId } = own[0] ?? { projectId: '', signatureId: '' };
    const cells = (uses.get(key) ?? []).filter(({ arm }) => arm === 'shown');
    const count = (...outcomes: readonly (string | undefined)[]): number =>
      cells.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, cell) => sum + cell.count, 0);
    const failed = count('ignored', 'failed_anyway');
    const isUseless = failed >= MAX_FAILED && failed >= count('clean');
    const shown = cells.reduce((sum, cell) => sum + cell.count, 0);
    return {
      ...{ projectId: toProjectId(projectId), signatureId, cures: own },
      lessons: (lessons.get(signatureId) ?? []).map(({ id, priority }) => ({ id, priority })),
      ...dropAbsent({
        withheld: holdout.share > 0 && shown >= holdout.after ? holdout.share : undefined,
        silence: disliked.has(key) ? 'not helpful' : isUseless ? 'did not help' : undefined,
      } as const),
    };
  });
}

/** The cures that a person called not helpful, each in its project. */
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
