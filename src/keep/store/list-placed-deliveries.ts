/** The latest deliveries, newest first, with where they were made. */
import { type Kysely, sql } from 'kysely';
import type { DeliveryQuery, PlacedDelivery } from '../../base/delivery-query.ts';
import type { DatabaseSchema, DeliveryRow } from './database-schema.ts';
import { toDelivery } from './make-delivery-store.ts';
import { omitNull } from './omit-null.ts';
import { selectPlaced } from './select-placed.ts';

export async function listPlacedDeliveries(
  db: Kysely<DatabaseSchema>,
  { limit, ...query }: DeliveryQuery & { readonly limit: number },
): Promise<readonly PlacedDelivery[]> {
  const { rows } = await sql<DeliveryRow & { readonly project_id: string | null }>`
    select * from ${await selectPlaced(db, query)} as d order by d.delivered_at desc, d.id desc limit ${limit}
  `.execute(db);
  return rows.map((row) => omitNull({ ...toDelivery(row), projectId: row.project_id }));
}
