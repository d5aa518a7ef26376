/** Says that one project is another from now on and was before, or takes that back. */
import { sql, type Transaction } from 'kysely';
import { type JoinReport, makeToProjectId, toAllIds } from '../../base/project-alias.ts';
import { BY_AGENT } from './by-agent.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { listAliases } from './list-aliases.ts';

export interface JoinHow {
  readonly at: string;
  readonly dryRun: boolean;
}

/** One name for all: two joins at once must not make a circle of three. */
const LOCK = ['aliases'];

export function joinProjects(
  engine: Engine,
  fromId: string,
  intoId: string,
  { at, dryRun }: JoinHow,
): Promise<JoinReport | undefined> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', LOCK);
    const aliases = await listAliases(trx);
    const end = makeToProjectId(aliases)(intoId);
    if (end === fromId || aliases.some((alias) => alias.fromId === fromId)) return undefined;
    const moved = toAllIds(aliases, [fromId]);
    const report = await countMoved(trx, moved);
    if (dryRun) return report;
    // What was joined into it before goes with it.
    await trx.updateTable('project_aliases').set({ into_id: end }).where('into_id', '=', fromId).execute();
    await trx.insertInto('project_aliases').values({ from_id: fromId, into_id: end, created_at: at }).execute();
    return report;
  });
}

export function splitProject(engine: Engine, fromId: string): Promise<boolean> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', LOCK);
    const removed = await trx.deleteFrom('project_aliases').where('from_id', '=', fromId).executeTakeFirst();
    return removed.numDeletedRows > 0n;
  });
}

async function countMoved(trx: Transaction<DatabaseSchema>, ids: readonly string[]): Promise<JoinReport> {
  const list = sql.join(ids);
  const { rows } = await sql<JoinReport>`
    select (select count(*) from sessions where project_id in (${list})) as "sessions",
      (select count(*) from tool_outcomes where project_id in (${list}) and ${BY_AGENT}) as "calls",
      (select count(*) from lessons where scope_kind = 'project' and scope_id in (${list})) as "lessons"
  `.execute(trx);
  return { ...(rows[0] as JoinReport) };
}
