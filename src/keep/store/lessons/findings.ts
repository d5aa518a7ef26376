/**
 * Stores findings and episodes, and saves a lesson together with both in one transaction. When the same failing call is
 * reported again, the id stays and the newer verdict wins. Several processes may learn from the same sessions, so a
 * process whose lessons have changed meanwhile must decide again.
 */

import { type SelectQueryBuilder, sql } from 'kysely';
import type { Learned, LearnedAs, Store } from '../../../base/contracts/store.ts';
import {
  type Episode,
  type EpisodeStart,
  type FindingFilter,
  type KeptFinding,
  type ListedFinding,
  MAX_FINDINGS_PER_PROJECT,
} from '../../../base/model/finding.ts';
import { toTextRemoval } from '../calls/calls.ts';
import type { Database, DatabaseSchema, EpisodeRow, FindingRow, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../project-aliases.ts';
import { type IdSequence, omitNull } from '../row-values.ts';
import { upsertAll } from '../statements.ts';
import { LEARNING_LOCK, writeLesson } from './lessons.ts';

export function makeFindingStore(engine: Engine): Pick<Store, 'saveFindings' | 'listPastFindings' | 'listFindings'> {
  const { db } = engine;
  const save = async (findings: readonly KeptFinding[], episodes: readonly Episode[] = []): Promise<void> => {
    if (findings.length === 0 && episodes.length === 0) return;
    await db.transaction().execute(async (trx) => {
      await writeEpisodes(engine, trx, episodes);
      await writeFindings(engine, trx, findings);
      for (const [projectId, { length }] of Map.groupBy(findings, (one) => one.projectId))
        await dropOldest(trx, projectId, length);
    });
  };
  return {
    saveFindings: save,
    async listPastFindings(calls) {
      if (calls.length === 0) return [];
      const asked = calls.map(({ agent, sessionId, failingCallId }) => [agent, sessionId, failingCallId]);
      const { rows } = await sql<FindingRow>`
        select f.* from ${engine.toTable(asked)} as given cross join findings as f
        where f.agent = given.value ->> 0 and f.session_id = given.value ->> 1
          and f.failing_call_id = given.value ->> 2
      `.execute(db);
      return rows.map((row) =>
        omitNull({
          ...{ agent: row.agent, sessionId: row.session_id, failingCallId: row.failing_call_id, kind: row.kind },
          ...{ verdict: row.verdict, lessonId: row.lesson_id },
        }),
      );
    },
    async listFindings(filter = {}) {
      const rows = await select(db, await withJoinedProjects(db, filter));
      return rows.map(toListed);
    },
  };
}

const FINDING_KEY = ['agent', 'session_id', 'failing_call_id', 'kind'] as const;
const FINDING_UPDATES = [
  'detector',
  'project_id',
  'fixing_call_id',
  'signature_id',
  'verdict',
  'reason',
  'lesson_id',
] as const;

/** Does not drop old findings, because the few with lessons are not worth a pass over all others; see `dropOldest`. */
async function writeFindings(engine: Engine, trx: StoreTransaction, findings: readonly KeptFinding[]): Promise<void> {
  await upsertAll(
    engine,
    trx,
    { table: 'findings', key: FINDING_KEY, update: FINDING_UPDATES },
    findings.map(toFindingRow),
  );
}

/**
 * Drops the oldest findings beyond the limit. `added`: how many may be over the limit, besides some that were saved
 * with their lessons.
 */
async function dropOldest(trx: StoreTransaction, projectId: string, added: number): Promise<void> {
  const { rows } = await sql<Pick<FindingRow, 'id'>>`
    select id from findings where project_id = ${projectId} and lesson_id is null
    order by found_at desc, id desc limit ${added + 100} offset ${MAX_FINDINGS_PER_PROJECT}
  `.execute(trx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await trx.deleteFrom('findings').where('id', 'in', ids).execute();
}

/** Expands project ids to all ids of their projects. */
async function withJoinedProjects(db: Database, filter: FindingFilter): Promise<FindingFilter> {
  const { projectIds } = filter;
  return projectIds === undefined ? filter : { ...filter, projectIds: await listAllIds(db, projectIds) };
}

type ListedRow = FindingRow & Record<'failed' | 'message' | 'fixed' | 'lesson' | 'removed', string | null>;

async function select(db: Database, filter: FindingFilter): Promise<readonly ListedRow[]> {
  const query = where(db.selectFrom('findings as f'), filter)
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
    .select('a.text_removed as removed');
  const ordered = query.orderBy('f.found_at', 'desc').orderBy('f.id', 'desc');
  return (filter.limit === undefined ? ordered : ordered.limit(filter.limit)).execute();
}

type Findings = SelectQueryBuilder<DatabaseSchema & { f: FindingRow }, 'f', object>;

function where(query: Findings, { projectIds, agent, sessionId, verdict }: FindingFilter): Findings {
  let wanted = query;
  if (projectIds !== undefined)
    wanted =
      projectIds.length === 0 ? wanted.where(sql<boolean>`1 = 0`) : wanted.where('f.project_id', 'in', projectIds);
  if (agent !== undefined) wanted = wanted.where('f.agent', '=', agent);
  if (sessionId !== undefined) wanted = wanted.where('f.session_id', '=', sessionId);
  return verdict === undefined ? wanted : wanted.where('f.verdict', '=', verdict);
}

function toFindingRow(finding: KeptFinding): FindingRow {
  return {
    id: finding.id,
    detector: finding.detector,
    kind: finding.kind,
    agent: finding.agent,
    session_id: finding.sessionId,
    project_id: finding.projectId,
    failing_call_id: finding.failingCallId,
    fixing_call_id: finding.fixingCallId,
    signature_id: finding.signatureId ?? null,
    verdict: finding.verdict,
    reason: finding.reason,
    lesson_id: finding.lessonId ?? null,
    file: finding.file ?? null,
    from_line: finding.lines?.[0] ?? null,
    to_line: finding.lines?.[1] ?? null,
    found_at: finding.at,
    created_at: new Date().toISOString(),
  };
}

function toListed(row: ListedRow): ListedFinding {
  const { from_line: from, to_line: to } = row;
  return omitNull({
    id: row.id,
    detector: row.detector,
    kind: row.kind,
    agent: row.agent,
    sessionId: row.session_id,
    projectId: row.project_id,
    failingCallId: row.failing_call_id,
    fixingCallId: row.fixing_call_id,
    signatureId: row.signature_id,
    verdict: row.verdict,
    reason: row.reason,
    lessonId: row.lesson_id,
    file: row.file,
    lines: from === null || to === null ? null : ([from, to] as const),
    at: row.found_at,
    failed: row.failed,
    message: row.message,
    fixed: row.fixed,
    lesson: row.lesson,
    textRemoved: toTextRemoval(row.removed),
  });
}

/** Episodes. If the same failing and fixing calls are reported again, the id stays and the newer judgement wins. */
export function makeEpisodeStore(engine: Engine): Pick<Store, 'hasEpisodes'> {
  const { db } = engine;
  return {
    hasEpisodes: (episodes) => hasEpisodes(engine, db, episodes),
  };
}

const EPISODE_KEY = ['agent', 'session_id', 'failing_call_id', 'fixing_call_id'] as const;
const EPISODE_UPDATES = ['kind', 'intent_key', 'steps', 'confidence'] as const;

async function writeEpisodes(engine: Engine, trx: StoreTransaction, episodes: readonly Episode[]): Promise<void> {
  await upsertAll(
    engine,
    trx,
    { table: 'episodes', key: EPISODE_KEY, update: EPISODE_UPDATES },
    episodes.map(toEpisodeRow),
  );
}

async function hasEpisodes(
  { toTable }: Engine,
  db: Engine['db'],
  episodes: readonly EpisodeStart[],
): Promise<readonly boolean[]> {
  if (episodes.length === 0) return [];
  const asked = episodes.map(({ agent, sessionId, failingCallId, kind }) => [agent, sessionId, failingCallId, kind]);
  const { rows } = await sql<StartColumns>`
    select e.agent, e.session_id, e.failing_call_id, e.kind
    from ${toTable(asked)} as given cross join episodes as e
    where e.agent = given.value ->> 0 and e.session_id = given.value ->> 1
      and e.failing_call_id = given.value ->> 2 and e.kind = given.value ->> 3
  `.execute(db);
  const known = new Set(rows.map((row) => toEpisodeKey([row.agent, row.session_id, row.failing_call_id, row.kind])));
  return asked.map((one) => known.has(toEpisodeKey(one)));
}

type StartColumns = Pick<EpisodeRow, 'agent' | 'session_id' | 'failing_call_id' | 'kind'>;

function toEpisodeKey(parts: readonly string[]): string {
  return parts.join('\0');
}

function toEpisodeRow(episode: Episode): EpisodeRow {
  return {
    id: episode.id,
    agent: episode.agent,
    session_id: episode.sessionId,
    failing_call_id: episode.failingCallId,
    fixing_call_id: episode.fixingCallId,
    kind: episode.kind,
    intent_key: episode.intentKey,
    steps: episode.steps,
    confidence: episode.confidence,
    created_at: new Date().toISOString(),
  };
}

/**
 * Saves a lesson with its episode and its finding, all or nothing. Several processes may learn from the same sessions
 * at once, so a decision based on lessons that have changed since is rejected as stale.
 */
export function saveLearned(engine: Engine, ids: IdSequence, learned: Learned): Promise<LearnedAs> {
  const { lesson, change, episode, finding, stamp, isAgain } = learned;
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'lesson', [lesson.id, LEARNING_LOCK]);
    if (isAgain !== true && (await hasEpisodes(engine, trx, [episode]))[0]) return 'known';
    if ((await readLessonStamp(trx)) !== stamp) return 'stale';
    if (change !== undefined) await writeLesson(trx, ids, lesson, change);
    await writeEpisodes(engine, trx, [episode]);
    if (finding !== undefined) await writeFindings(engine, trx, [finding]);
    return 'saved';
  });
}

/** From the history instead of the lessons' own times, because two changes may have the same time or an old one. */
export async function readLessonStamp(db: Database): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(max(id), '') as "stamp" from lesson_history
  `.execute(db);
  return rows[0]?.stamp ?? '';
}
