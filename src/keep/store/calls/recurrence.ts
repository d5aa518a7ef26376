/**
 * Counts failures by session, signature and place (intent, file, folder, check after an edit), and all calls at these
 * places. The result has one row per distinct failure, and never more rows than the caller asked for.
 */

import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { HOOK_TOOL_PREFIX } from '../../../base/model/tool.ts';
import { SEVERAL_PREFIX } from '../../../base/shell/intent.ts';
import {
  type FailureCell,
  type FailureCells,
  type FailureFilter,
  MIN_PLACE_FAILURES,
  type PlaceCount,
  type PlaceKind,
  type SettledIntent,
  type SignatureForm,
} from '../../../base/statistics/failures.ts';
import { toCategory } from '../../../base/text/failure-category.ts';
import { toCondition } from '../conditions.ts';
import type { Database } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { omitNull } from '../row-values.ts';
import { BY_AGENT, toChunks } from '../statements.ts';
import { HISTORY_COLUMNS } from './call-counts.ts';
import { selectFailures, selectSettledBySeveral } from './failures.ts';

export function makeRecurrenceStore({ db }: Engine) {
  return {
    listFailureCells: (filter) => listFailureCells(db, filter),
    async countPlaces(filter) {
      const isAsked = await toCondition(db, filter, HISTORY_COLUMNS, BY_AGENT);
      const places = await listPlaces(db, sql`(select * from tool_outcomes where ${isAsked})`);
      return { places, settled: await listSettled(db, places) };
    },
  } satisfies Partial<Store>;
}

async function listFailureCells(db: Database, filter: FailureFilter): Promise<FailureCells> {
  const { limit } = filter;
  const failures = (await selectFailures(db, filter)).selectAll();
  const { rows } = await sql<CellRow>`
    select t.agent, t.session_id as "sessionId", t.context_id as "contextId",
      coalesce(a.into_id, t.project_id) as "projectId", t.tool_name as tool, ${IS_HOOK} as "isHook",
      t.signature_id as "signatureId", min(t.program) as program, min(t.message) as message, min(x.model) as model,
      t.intent_key as "intentKey", t.target_path as "targetPath", ${EDITED_PATH.path} as "editedPath",
      count(*) as count, sum(t.masked) as masked, count(distinct ${OBJECT}) as objects, min(${OBJECT}) as object,
      min(t.occurred_at) as first, max(t.occurred_at) as last
    from (${failures}) as t
    left join project_aliases as a on a.from_id = t.project_id
    left join sessions as x on x.agent = t.agent and x.session_id = t.session_id
    ${EDITED_PATH.join}
    group by t.agent, t.session_id, t.context_id, coalesce(a.into_id, t.project_id), t.tool_name, ${IS_HOOK},
      t.signature_id, t.intent_key, t.target_path, ${EDITED_PATH.path},
      case when t.signature_id is null then t.program end
    order by max(t.occurred_at) desc, t.agent, t.session_id, t.context_id, t.signature_id, t.intent_key,
      t.target_path, ${EDITED_PATH.path}
    limit ${limit + 1}
  `.execute(db);
  const cells = rows.slice(0, limit).map((row): FailureCell => omitNull({ ...row, isHook: row.isHook === 1 }));
  return { cells, isCut: rows.length > limit, signatures: await listForms(db, cells) };
}

type Nullable = 'signatureId' | 'program' | 'message' | 'model' | 'intentKey' | 'targetPath' | 'editedPath';
type CellRow = Omit<FailureCell, Nullable | 'isHook'> & Record<Nullable, string | null> & { readonly isHook: number };

const IS_HOOK = sql<number>`case when t.raw_tool_name like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)} then 1 else 0 end`;
/** The file or the message; a failure whose text was removed counts as one about another object. */
const OBJECT = sql`coalesce(t.target_path, t.message, t.id)`;

async function listForms(db: Database, cells: readonly FailureCell[]): Promise<readonly SignatureForm[]> {
  const ids = [...new Set(cells.map(({ signatureId }) => signatureId).filter((id) => id !== undefined))].sort();
  const forms: SignatureForm[] = [];
  for (const chunk of toChunks(ids)) {
    const rows = await db
      .selectFrom('signatures')
      .select(['id', 'version', 'template', 'program', 'category'])
      .where('id', 'in', chunk)
      .orderBy('id')
      .execute();
    // Stores of older versions have no categories.
    forms.push(...rows.map((row) => ({ ...row, category: row.category ?? toCategory(row) })));
  }
  return forms;
}

/** Everything up to the last slash: trims all other characters from the end. Works in both engines. */
const FOLDER = sql`rtrim(t.target_path, replace(t.target_path, '/', ''))`;
const IS_CHECK = sql`t.intent_key like 'check %'`;
/** Right after a successful edit. */
const AFTER_EDIT = sql`join tool_outcomes as p on p.id = t.preceding_tool_id
  and p.tool_name in ('edit', 'write') and p.outcome in ('success', 'partial') and p.target_path is not null`;

/**
 * The number of calls at places where calls failed: the same intent, file or folder, or a check after an edit. For a
 * list of failures `t`: the file that was edited before a check.
 */
const EDITED_PATH = {
  join: sql`left ${AFTER_EDIT} and ${IS_CHECK}`,
  path: sql`p.target_path`,
};

/** `calls`: a sub-query with the calls of the filter. */
async function listPlaces(db: Database, calls: RawBuilder<unknown>): Promise<readonly PlaceCount[]> {
  const { rows } = await sql<PlaceCount>`${sql.join(
    [
      selectPlaces('intent', sql`t.intent_key`, {
        calls,
        where: sql`t.target_path is null and t.intent_key is not null and t.intent_key not like ${sql.lit(`${SEVERAL_PREFIX}%`)}`,
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

/** Lines of several commands have their own key; this finds which of these intents they settled. */
async function listSettled(db: Database, places: readonly PlaceCount[]): Promise<readonly SettledIntent[]> {
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
