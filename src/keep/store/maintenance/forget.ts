/**
 * Forgets a project, a session, a lesson or everything in one transaction, and remembers the forgotten ids, so that
 * their data does not come back. A dry run does the same and rolls back, so it counts exactly the rows that the real
 * run removes.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { ForgetReport, ForgetRequest, Forgotten } from '../../../base/storage/forgotten.ts';
import type { DatabaseSchema, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../projects.ts';
import type { IdSequence } from '../row-values.ts';
import { toChunks } from '../statements.ts';
import { forgetNamedLessons } from './forget-lessons.ts';
import { forgetProjectOrSession } from './forget-project-or-session.ts';

/** Thrown to roll a dry run back. */
class DryRun {
  readonly report: ForgetReport;
  constructor(report: ForgetReport) {
    this.report = report;
  }
}

export function makeForgetStore(engine: Engine, ids: IdSequence) {
  return {
    async forget(given, { at, dryRun, dropEvidence }) {
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
    },
    async listForgotten() {
      const rows = await engine.db.selectFrom('forgotten').selectAll().orderBy('kind').orderBy('id').execute();
      return rows.map(({ kind, id, forgotten_at }) => ({ kind, id, at: forgotten_at }));
    },
  } satisfies Partial<Store>;
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
  'learn_packs',
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
  const counts: Partial<Record<keyof DatabaseSchema, number>> = {};
  for (const table of FORGETTABLE) {
    const { numDeletedRows } = await trx.deleteFrom(table).executeTakeFirstOrThrow();
    counts[table] = Number(numDeletedRows);
  }
  return {
    projects: counts.projects ?? 0,
    sessions: counts.sessions ?? 0,
    calls: counts.tool_outcomes ?? 0,
    signatures: counts.signatures ?? 0,
    episodes: counts.episodes ?? 0,
    deliveries: counts.deliveries ?? 0,
    lessons: counts.lessons ?? 0,
    lessonsChanged: 0,
    transcripts: counts.scan_state ?? 0,
    // All files on disk are removed too, so the sessions need not be listed.
    sessionKeys: [],
    projectIds: [],
  };
}
