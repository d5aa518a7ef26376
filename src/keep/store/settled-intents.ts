/** Which failures a later success settled, by the key of what was wanted: see `to-intent-key.ts`. */
import { type Kysely, sql } from 'kysely';
import { MAX_SLOTS, SEVERAL, SLOT_CHARS } from '../../base/to-intent-key.ts';
import type { DatabaseSchema } from './database-schema.ts';

const DONE = ['success', 'partial'] as const;

/** Of the failures `t`: no later success with the very same key in the project, whichever of its ids. By index. */
export const NOTHING_SAME_SUCCEEDED = sql<boolean>`not exists (
  select 1 from tool_outcomes as later
  where later.intent_key = t.intent_key and later.occurred_at > t.occurred_at
    and later.outcome in (${sql.join(DONE.map((outcome) => sql.lit(outcome)))})
    and later.project_id in (
      select t.project_id
      union select into_id from project_aliases where from_id = t.project_id
      union select from_id from project_aliases where into_id = coalesce(
        (select into_id from project_aliases where from_id = t.project_id), t.project_id)))`;

/** What lines that did several things settled, and when last: one row for each thing and project. */
export function selectSettledBySeveral(db: Kysely<DatabaseSchema>) {
  return db
    .selectFrom('tool_outcomes as several')
    .leftJoin('project_aliases as alias', 'alias.from_id', 'several.project_id')
    .innerJoin(SLOTS.as('slots'), (join) => join.onTrue())
    .select((eb) => [
      sql<string>`coalesce(alias.into_id, several.project_id)`.as('project'),
      SLOT.as('key'),
      eb.fn.max('several.occurred_at').as('at'),
    ])
    .where('several.intent_key', 'like', `${SEVERAL}%`)
    .where('several.outcome', 'in', DONE)
    .groupBy([sql`coalesce(alias.into_id, several.project_id)`, SLOT]);
}

const SLOTS = sql<{ slot: number }>`(${sql.join(
  Array.from({ length: MAX_SLOTS }, (_, n) => sql`select ${sql.lit(n)} as slot`),
  sql` union all `,
)})`;

const SLOT = sql<string>`rtrim(substr(several.intent_key,
  ${sql.lit(SEVERAL.length + 1)} + slots.slot * ${sql.lit(SLOT_CHARS)}, ${sql.lit(SLOT_CHARS)}))`;
