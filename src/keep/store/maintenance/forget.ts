/**
 * Forgets a project, a session, a lesson or everything in one transaction, and remembers the forgotten ids, so that
 * their data does not come back. A dry run does the same and rolls back, so it counts exactly the rows that the real
 * run removes.
 */

import type { DropEvidence, ForgetReport, ForgetRequest, Forgotten } from '../../../base/storage/forgotten.ts';
import type { Database, DatabaseSchema, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../project-aliases.ts';
import type { IdSequence } from '../row-values.ts';
import { toChunks } from '../statements.ts';
import { forgetNamedLessons } from './forget-lessons.ts';
import { forgetProjectOrSession } from './forget-project-or-session.ts';

interface ForgetHow {
  /** Everything up to this time is forgotten. */
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
  given: ForgetRequest,
  { at, dryRun, dropEvidence }: ForgetHow,
): Promise<ForgetReport> {
  try {
    const done = await engine.db.transaction().execute(async (trx) => {
      const request = await withJoinedProjects(trx, given);
      const report =
        request.kind === 'all'
          ? await forgetAll(trx)
          : request.kind === 'lesson'
            ? await forgetNamedLessons(engine, trx, request.ids)
            : await forgetProjectOrSession(engine, trx, { request, at, ids, dropEvidence });
      if (dryRun) throw new DryRun(report);
      await remember(trx, toForgotten(request, report, at));
      return report;
    });
    await engine.scrub();
    return done;
  } catch (thrown) {
    if (thrown instanceof DryRun) return thrown.report;
    throw thrown;
  }
}

/** Expands project ids to all ids of their projects. */
async function withJoinedProjects(trx: StoreTransaction, request: ForgetRequest): Promise<ForgetRequest> {
  return request.kind === 'project' ? { ...request, ids: await listAllIds(trx, request.ids) } : request;
}

function toForgotten(request: ForgetRequest, { sessionKeys }: ForgetReport, at: string): readonly Forgotten[] {
  if (request.kind === 'all') return [{ kind: 'all', id: '', at }];
  if (request.kind === 'lesson') return request.ids.map((id) => ({ kind: 'lesson', id, at }));
  const sessions = sessionKeys.map(({ sessionId }) => sessionId);
  const named = request.kind === 'session' ? [request.id] : [];
  return [
    ...[...new Set([...named, ...sessions])].map((id) => ({ kind: 'session', id, at }) as const),
    ...(request.kind === 'project' ? request.ids.map((id) => ({ kind: 'project', id, at }) as const) : []),
  ];
}

async function remember(trx: StoreTransaction, list: readonly Forgotten[]): Promise<void> {
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

/** In an order that no foreign key forbids. A new table belongs here, or in KEPT of the contract suite. */
export const FORGETTABLE = [
  'feedback',
  'deliveries',
  'missed_opportunities',
  'added_texts',
  'promotions',
  'episodes',
  'findings',
  'cures',
  'remembered_calls',
  'self_reports',
  'lesson_history',
  'lessons',
  'tool_outcomes',
  'signatures',
  'sessions',
  'projects',
  'scan_state',
  'forgotten',
  'project_aliases',
  'project_links',
  'project_commits',
] as const satisfies readonly (keyof DatabaseSchema)[];

/** Empties every table with captured or learned data. */
async function forgetAll(trx: StoreTransaction): Promise<ForgetReport> {
  const counts = new Map<string, number>();
  for (const table of FORGETTABLE) {
    const { numDeletedRows } = await trx.deleteFrom(table).executeTakeFirstOrThrow();
    counts.set(table, Number(numDeletedRows));
  }
  const count = (table: (typeof FORGETTABLE)[number]): number => counts.get(table) ?? 0;
  return {
    projects: count('projects'),
    sessions: count('sessions'),
    calls: count('tool_outcomes'),
    signatures: count('signatures'),
    episodes: count('episodes'),
    deliveries: count('deliveries'),
    lessons: count('lessons'),
    lessonsChanged: 0,
    transcripts: count('scan_state'),
    // All files on disk are removed too, so the sessions need not be listed.
    sessionKeys: [],
    projectIds: [],
  };
}

/** The ids that must not come back. */
export async function listForgotten(db: Database): Promise<readonly Forgotten[]> {
  const rows = await db.selectFrom('forgotten').selectAll().orderBy('kind').orderBy('id').execute();
  return rows.map(({ kind, id, forgotten_at }) => ({ kind, id, at: forgotten_at }));
}
