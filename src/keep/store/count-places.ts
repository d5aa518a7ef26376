/** How many calls there were where calls failed: the same wish, the same file, the same folder, checks after an edit. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { MIN_PLACE_FAILURES, type PlaceCount, type PlaceKind, type SettledIntent } from '../../base/recurrence.ts';
import { SEVERAL } from '../../base/to-intent-key.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { selectSettledBySeveral } from './settled-intents.ts';
import { toChunks } from './to-chunks.ts';

/** Everything before the last slash, with it: what is no slash is trimmed from the end. Alike on both engines. */
const FOLDER = sql`rtrim(t.target_path, replace(t.target_path, '/', ''))`;
const IS_CHECK = sql`t.intent_key like 'check %'`;
/** Right after a change that was made. */
const AFTER_EDIT = sql`join tool_outcomes as p on p.id = t.preceding_tool_id
  and p.tool_name in ('edit', 'write') and p.outcome in ('success', 'partial') and p.target_path is not null`;

/** For a list of failures `t`: the file that a check looked at first. */
export const EDITED_PATH = {
  join: sql`left ${AFTER_EDIT} and ${IS_CHECK}`,
  path: sql`p.target_path`,
};

/** `calls`: the calls of the filter, as something to select from. */
export async function countPlaces(
  db: Kysely<DatabaseSchema>,
  calls: RawBuilder<unknown>,
): Promise<readonly PlaceCount[]> {
  const { rows } = await sql<PlaceCount>`${sql.join(
    [
      selectPlaces('intent', sql`t.intent_key`, {
        calls,
        where: sql`t.target_path is null and t.intent_key is not null and t.intent_key not like ${sql.lit(`${SEVERAL}%`)}`,
      }),
      selectPlaces('path', sql`t.target_path`, { calls, where: sql`t.target_path is not null` }),
      selectPlaces('folder', FOLDER, { calls, where: sql`t.target_path like '%/%'` }),
      selectPlaces('edited', sql`p.target_path`, { calls, where: IS_CHECK, join: AFTER_EDIT }),
    ],
    sql` union all `,
  )}`.execute(db);
  return rows.map((row) => ({ ...row }));
}

function selectPlaces(
  kind: PlaceKind,
  key: RawBuilder<unknown>,
  of: {
    readonly calls: RawBuilder<unknown>;
    readonly where: RawBuilder<unknown>;
    readonly join?: RawBuilder<unknown>;
  },
): RawBuilder<unknown> {
  const failures = sql`sum(case when t.outcome = 'failure' then 1 else 0 end)`;
  return sql`
    select ${sql.lit(kind)} as kind, coalesce(a.into_id, t.project_id) as "projectId", ${key} as key,
      count(*) as calls, ${failures} as failures
    from ${of.calls} as t
    left join project_aliases as a on a.from_id = t.project_id
    ${of.join ?? sql``}
    where t.outcome not in ('denied', 'cancelled') and ${of.where}
    group by coalesce(a.into_id, t.project_id), ${key}
    having ${failures} >= ${sql.lit(MIN_PLACE_FAILURES)}`;
}

/** Lines that did several things have a key of their own: which of these wishes did they fulfil? */
export async function listSettled(
  db: Kysely<DatabaseSchema>,
  places: readonly PlaceCount[],
): Promise<readonly SettledIntent[]> {
  const keys = [...new Set(places.filter(({ kind }) => kind === 'intent').map(({ key }) => key))];
  const settled: SettledIntent[] = [];
  for (const chunk of toChunks(keys)) {
    const rows = await db
      .selectFrom(selectSettledBySeveral(db).as('settled'))
      .select(['settled.project as projectId', 'settled.key', 'settled.at'])
      .where('settled.key', 'in', chunk)
      .execute();
    settled.push(...rows.map((row) => ({ ...row })));
  }
  return settled;
}
