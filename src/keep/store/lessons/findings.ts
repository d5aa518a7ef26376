/**
 * Stores findings and episodes, and saves a lesson together with both in one transaction. When the same failing call is
 * reported again, the id stays and the newer verdict wins. Several processes may learn from the same sessions, so a
 * process whose lessons have changed meanwhile must decide again.
 */

import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import {
  type Episode,
  type EpisodeStart,
  type KeptFinding,
  type ListedFinding,
  MAX_FINDINGS_PER_PROJECT,
} from '../../../base/model/finding.ts';
import { toTextRemoval } from '../calls/calls.ts';
import { toCondition } from '../conditions.ts';
import {
  type Database,
  episodeColumns,
  type FindingRow,
  findingColumns,
  type StoreTransaction,
} from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { type IdSequence, omitNull } from '../row-values.ts';
import { upsertAll } from '../statements.ts';
import { LEARNING_LOCK, writeLesson } from './lessons.ts';

export function makeFindingStore(engine: Engine, ids: IdSequence) {
  const { db } = engine;
  return {
    async saveFindings(findings, episodes = []) {
      if (findings.length === 0 && episodes.length === 0) return;
      await db.transaction().execute(async (trx) => {
        await writeEpisodes(engine, trx, episodes);
        await writeFindings(engine, trx, findings);
        for (const [projectId, { length }] of Map.groupBy(findings, (one) => one.projectId))
          await dropOldestFindings(trx, projectId, length);
      });
    },
    async listPastFindings(calls) {
      if (calls.length === 0) return [];
      const asked = calls.map(({ agent, sessionId, failingCallId }) => [agent, sessionId, failingCallId]);
      const { rows } = await sql<FindingRow>`
        select f.* from ${engine.toTable(asked)} as given cross join findings as f
        where f.agent = given.value ->> 0 and f.session_id = given.value ->> 1
          and f.failing_call_id = given.value ->> 2
      `.execute(db);
      return rows.map((row) => {
        const {
          agent,
          sessionId,
          failingCallId,
          kind,
          detector,
          verdict,
          lessonId = null,
        } = findingColumns.toFields(row);
        return omitNull({ agent, sessionId, failingCallId, kind, detector, verdict, lessonId });
      });
    },
    async listFindings(filter = {}) {
      const query = db
        .selectFrom('findings as f')
        .leftJoin('tool_outcomes as a', (join) =>
          join
            .onRef('a.agent', '=', 'f.agent')
            .onRef('a.session_id', '=', 'f.session_id')
            .onRef('a.call_id', '=', 'f.failing_call_id'),
        )
        .leftJoin('tool_outcomes as b', (join) =>
          join
            .onRef('b.agent', '=', 'f.agent')
            .onRef('b.session_id', '=', 'f.session_id')
            .onRef('b.call_id', '=', 'f.fixing_call_id'),
        )
        .leftJoin('lessons as l', 'l.id', 'f.lesson_id')
        .selectAll('f')
        .select(['a.input_summary as failed', 'a.message as message', 'b.input_summary as fixed', 'l.slug as lesson'])
        .select('a.text_removed as removed')
        .where(
          await toCondition(db, filter, {
            projectIds: 'f.project_id',
            agent: 'f.agent',
            sessionId: 'f.session_id',
            verdict: 'f.verdict',
          }),
        )
        .orderBy('f.found_at', 'desc')
        .orderBy('f.id', 'desc');
      const rows = await (filter.limit === undefined ? query : query.limit(filter.limit)).execute();
      return rows.map(toListed);
    },
    hasEpisodes: (episodes) => hasEpisodes(engine, db, episodes),
    readLessonStamp: () => readLessonStamp(db),
    saveLearned: ({ lesson, change, episode, finding, stamp, isAgain }) =>
      db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'lesson', [lesson.id, LEARNING_LOCK]);
        if (isAgain !== true && (await hasEpisodes(engine, trx, [episode]))[0]) return 'known';
        if ((await readLessonStamp(trx)) !== stamp) return 'stale';
        // The random end of a slug is short: two lessons about one thing may draw the same.
        const namesake = await trx
          .selectFrom('lessons')
          .select('id')
          .where('slug', '=', lesson.slug)
          .executeTakeFirst();
        if (namesake !== undefined && namesake.id !== lesson.id) return 'stale';
        if (change !== undefined) await writeLesson(engine, trx, ids, lesson, change);
        await writeEpisodes(engine, trx, [episode]);
        if (finding !== undefined) await writeFindings(engine, trx, [finding]);
        return 'saved';
      }),
  } satisfies Partial<Store>;
}

const FINDINGS = {
  table: 'findings',
  key: ['agent', 'session_id', 'failing_call_id', 'kind'],
  update: ['detector', 'project_id', 'fixing_call_id', 'signature_id', 'verdict', 'reason', 'lesson_id'],
} as const;

/** Does not drop old findings, because the few with lessons are not worth a pass over all others; see `dropOldestFindings`. */
async function writeFindings(engine: Engine, trx: StoreTransaction, findings: readonly KeptFinding[]): Promise<void> {
  const rows = findings.map((finding) => {
    const [from_line = null, to_line = null] = finding.lines ?? [];
    return { ...findingColumns.toRow(finding), from_line, to_line, created_at: new Date().toISOString() };
  });
  await upsertAll(engine, trx, FINDINGS, rows);
}

/**
 * Drops the oldest findings beyond the limit. `added`: how many may be over the limit, besides some that were saved
 * with their lessons.
 */
async function dropOldestFindings(trx: StoreTransaction, projectId: string, added: number): Promise<void> {
  const { rows } = await sql<Pick<FindingRow, 'id'>>`
    select id from findings where project_id = ${projectId} and lesson_id is null
    order by found_at desc, id desc limit ${added + 100} offset ${MAX_FINDINGS_PER_PROJECT}
  `.execute(trx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await trx.deleteFrom('findings').where('id', 'in', ids).execute();
}

type ListedRow = FindingRow & Record<'failed' | 'message' | 'fixed' | 'lesson' | 'removed', string | null>;

function toListed(row: ListedRow): ListedFinding {
  const { from_line: from, to_line: to, failed, message, fixed, lesson, removed } = row;
  const lines = from === null || to === null ? null : ([from, to] as const);
  const texts = { failed, message, fixed, lesson, textRemoved: toTextRemoval(removed) };
  return { ...findingColumns.toFields(row), ...omitNull({ lines, ...texts }) };
}

const EPISODES = {
  table: 'episodes',
  key: ['agent', 'session_id', 'failing_call_id', 'fixing_call_id'],
  update: ['kind', 'intent_key', 'steps', 'confidence'],
} as const;

async function writeEpisodes(engine: Engine, trx: StoreTransaction, episodes: readonly Episode[]): Promise<void> {
  const created_at = new Date().toISOString();
  await upsertAll(
    engine,
    trx,
    EPISODES,
    episodes.map((episode) => ({ ...episodeColumns.toRow(episode), created_at })),
  );
}

async function hasEpisodes(
  { toTable }: Engine,
  db: Database,
  episodes: readonly EpisodeStart[],
): Promise<readonly boolean[]> {
  if (episodes.length === 0) return [];
  const asked = episodes.map(({ agent, sessionId, failingCallId, kind }) => [agent, sessionId, failingCallId, kind]);
  const { rows } = await sql<Record<'agent' | 'session_id' | 'failing_call_id' | 'kind', string>>`
    select e.agent, e.session_id, e.failing_call_id, e.kind
    from ${toTable(asked)} as given cross join episodes as e
    where e.agent = given.value ->> 0 and e.session_id = given.value ->> 1
      and e.failing_call_id = given.value ->> 2 and e.kind = given.value ->> 3
  `.execute(db);
  const known = new Set(rows.map((row) => [row.agent, row.session_id, row.failing_call_id, row.kind].join('\0')));
  return asked.map((one) => known.has(one.join('\0')));
}

/** From the history instead of the lessons' own times, because two changes may have the same time or an old one. */
async function readLessonStamp(db: Database): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(max(id), '') as "stamp" from lesson_history
  `.execute(db);
  return rows[0]?.stamp ?? '';
}
