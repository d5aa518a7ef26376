/** Carries out what was planned: all of it or nothing, and only if the lessons are still those that were planned with. */
import { UserError } from '../../base/errors.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';
import { type ImportPlan, type PlannedSave, planImport } from './plan-import.ts';
import type { Prepared } from './prepare-import.ts';

export interface SaveWish {
  readonly by: string;
  readonly at: string;
  readonly command?: string;
  /** Where it came from, for the history. */
  readonly from: string;
}

const MAX_TRIES = 5;
const MAX_REASON = 500;

class Stale extends Error {}

export async function saveImport(store: Store, prepared: Prepared, wish: SaveWish): Promise<ImportPlan> {
  for (let n = 0; n < MAX_TRIES; n++) {
    const plan = planImport(prepared, await store.listLessons());
    if (await trySave(store, plan, wish)) return plan;
  }
  throw new UserError({
    subject: 'the lessons',
    reason: 'are being changed by others at the moment; nothing was imported',
    next: 'try again',
  });
}

async function trySave(store: Store, { saves }: ImportPlan, wish: SaveWish): Promise<boolean> {
  // A new id of our own making is nobody else's.
  const asked = saves.filter(({ before, hasOwnId }) => before !== undefined || hasOwnId);
  if (saves.length === 0) return true;
  try {
    await store.updateLessons(
      asked.map(({ lesson }) => lesson.id),
      (found) => {
        if (asked.some(({ before }, n) => !isAsPlanned(before, found[n]))) throw new Stale();
        return saves.map((save) => toUpdate(save, wish));
      },
    );
    return true;
  } catch (error) {
    if (error instanceof Stale || (error instanceof Error && error.cause instanceof Stale)) return false;
    throw error;
  }
}

function isAsPlanned(before: Lesson | undefined, now: Lesson | undefined): boolean {
  return (
    before?.updatedAt === now?.updatedAt && before?.status === now?.status && before?.contentHash === now?.contentHash
  );
}

function toUpdate({ lesson, reasons }: PlannedSave, { from, ...act }: SaveWish) {
  const why = [`imported from ${from}`, ...reasons].join('; ');
  return { lesson, change: { ...act, reason: why.length <= MAX_REASON ? why : `${why.slice(0, MAX_REASON - 1)}…` } };
}
