/**
 * Removes everything about a project, a session or all, in one transaction, and remembers by id that it must not come
 * back. A dry run does the same and rolls back: it counts exactly what the real one removes.
 */
import type { Transaction } from 'kysely';
import type { DropEvidence, ForgetReport, ForgetWish, Forgotten } from '../../base/forgotten.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { forgetAbout } from './forget-about.ts';
import { forgetAll } from './forget-all.ts';
import { forgetNamed } from './forget-lessons.ts';
import type { IdSequence } from './id-sequence.ts';
import { listAllIds } from './list-aliases.ts';
import { toChunks } from './to-chunks.ts';

export interface ForgetHow {
  /** What happened up to now. */
  readonly at: string;
  readonly dryRun: boolean;
  readonly dropEvidence: DropEvidence;
}

class DryRun {
  readonly report: ForgetReport;
  constructor(report: ForgetReport) {
    this.report = report;
  }
}

export async function forget(
  engine: Engine,
  ids: IdSequence,
  wished: ForgetWish,
  { at, dryRun, dropEvidence }: ForgetHow,
): Promise<ForgetReport> {
  try {
    const done = await engine.db.transaction().execute(async (trx) => {
      const wish = await toWholeWish(trx, wished);
      const report =
        wish.kind === 'all'
          ? await forgetAll(trx)
          : wish.kind === 'lesson'
            ? await forgetNamed(engine, trx, wish.ids)
            : await forgetAbout(engine, trx, { wish, at, ids, dropEvidence });
      if (dryRun) throw new DryRun(report);
      await remember(trx, toForgotten(wish, report, at));
      return report;
    });
    await engine.scrub();
    return done;
  } catch (thrown) {
    if (thrown instanceof DryRun) return thrown.report;
    throw thrown;
  }
}

/** A project is all its ids. */
async function toWholeWish(trx: Transaction<DatabaseSchema>, wish: ForgetWish): Promise<ForgetWish> {
  return wish.kind === 'project' ? { ...wish, ids: await listAllIds(trx, wish.ids) } : wish;
}

function toForgotten(wish: ForgetWish, { sessionKeys }: ForgetReport, at: string): readonly Forgotten[] {
  if (wish.kind === 'all') return [{ kind: 'all', id: '', at }];
  if (wish.kind === 'lesson') return wish.ids.map((id) => ({ kind: 'lesson', id, at }));
  const sessions = sessionKeys.map(({ sessionId }) => sessionId);
  const named = wish.kind === 'session' ? [wish.id] : [];
  return [
    ...[...new Set([...named, ...sessions])].map((id) => ({ kind: 'session', id, at }) as const),
    ...(wish.kind === 'project' ? wish.ids.map((id) => ({ kind: 'project', id, at }) as const) : []),
  ];
}

async function remember(trx: Transaction<DatabaseSchema>, list: readonly Forgotten[]): Promise<void> {
  for (const chunk of toChunks(list)) {
    await trx
      .insertInto('forgotten')
      .values(chunk.map(({ kind, id, at }) => ({ kind, id, forgotten_at: at })))
      .onConflict((oc) =>
        oc.columns(['kind', 'id']).doUpdateSet((eb) => ({ forgotten_at: eb.ref('excluded.forgotten_at') })),
      )
      .execute();
  }
}
