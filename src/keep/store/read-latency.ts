/** How long real hook calls took: exact quantiles, sorted by the engine, of which only those asked for are read. */
import { type Kysely, sql } from 'kysely';
import type { LatencyFigures } from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { toRank } from '../../base/to-rank.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { selectPlaced } from './select-placed.ts';

/** Undefined where there was no call. */
export async function readLatency(
  db: Kysely<DatabaseSchema>,
  query: DeliveryQuery,
): Promise<LatencyFigures | undefined> {
  // Several lessons at one call waited together.
  const calls = sql`(
    select max(d.latency_us) as us from ${await selectPlaced(db, query)} as d
    where d.kind = 'call' group by d.agent, d.session_id, d.context_id, d.call_id
  )`;
  const counted = await sql<{ n: number | string }>`select count(*) as n from ${calls} as c`.execute(db);
  const n = Number(counted.rows[0]?.n ?? 0);
  if (n === 0) return undefined;
  const ranks = [50, 95, 99, 100].map((percent) => toRank(percent, n));
  const { rows } = await sql<{ us: number; place: number | string }>`
    select us, place from (select c.us, row_number() over (order by c.us) as place from ${calls} as c) as p
    where place in (${sql.join([...new Set(ranks)].map((rank) => sql.lit(rank)))})
  `.execute(db);
  const byPlace = new Map(rows.map(({ us, place }) => [Number(place), Number(us)]));
  const [p50Us = 0, p95Us = 0, p99Us = 0, maxUs = 0] = ranks.map((rank) => byPlace.get(rank) ?? 0);
  return { calls: n, p50Us, p95Us, p99Us, maxUs };
}
