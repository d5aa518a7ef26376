/** Stores the packs that a model was asked about. The primary key is the claim: one process asks about a pack. */
import type { Store } from '../../../base/contracts/store.ts';
import type { AskedPack, PackIndex, PackOutcome } from '../../../base/model/pack.ts';
import { learnPackColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toTime } from '../row-values.ts';
import { upsertAll } from '../statements.ts';

const KEY = { table: 'learn_packs', key: ['pack', 'prompt_version'] } as const;

export function makeLearnPackStore(engine: Engine) {
  const { db } = engine;
  return {
    claimPack(pack, staleBefore) {
      const row = toRow(pack);
      return db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('learn_packs')
          .where('pack', '=', row.pack)
          .where('prompt_version', '=', row.prompt_version)
          .where(({ or, and, eb }) =>
            or([
              eb('state', '=', 'failed'),
              and([eb('state', '=', 'asked'), eb('asked_at', '<', toTime(staleBefore))]),
            ]),
          )
          .execute();
        const claimed = await trx
          .insertInto('learn_packs')
          .values(row)
          .onConflict((conflict) => conflict.columns(['pack', 'prompt_version']).doNothing())
          .returning('pack')
          .executeTakeFirst();
        return claimed !== undefined;
      });
    },
    async savePack(pack) {
      await db.transaction().execute((trx) => upsertAll(engine, trx, KEY, [toRow(pack)]));
    },
    async listPacks({ since, promptVersion } = {}) {
      let query = db.selectFrom('learn_packs').selectAll();
      if (since !== undefined) query = query.where('asked_at', '>=', toTime(since));
      if (promptVersion !== undefined) query = query.where('prompt_version', '=', promptVersion);
      const rows = await query.orderBy('asked_at', 'desc').orderBy('pack').execute();
      return rows.map(({ episodes, outcomes, pack_index, ...row }) => ({
        ...learnPackColumns.toFields(row),
        episodes: JSON.parse(episodes) as AskedPack['episodes'],
        ...(outcomes === null ? {} : { outcomes: JSON.parse(outcomes) as readonly PackOutcome[] }),
        ...(pack_index === null ? {} : { index: JSON.parse(pack_index) as PackIndex }),
      }));
    },
  } satisfies Partial<Store>;
}

function toRow(pack: AskedPack) {
  const { askedAt, answeredAt, episodes, outcomes, index } = pack;
  return {
    ...learnPackColumns.toRow({
      ...pack,
      askedAt: toTime(askedAt),
      ...(answeredAt === undefined ? {} : { answeredAt: toTime(answeredAt) }),
    }),
    episodes: JSON.stringify(episodes.map(({ agent, sessionId, callId }) => ({ agent, sessionId, callId }))),
    outcomes: outcomes === undefined ? null : JSON.stringify(outcomes),
    pack_index: index === undefined ? null : JSON.stringify(index),
  };
}
