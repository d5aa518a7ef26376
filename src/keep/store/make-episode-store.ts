/** Episodes. The same failing and fixing call told again: the id stays, the newer judgement of them wins. */
import { sql, type Transaction } from 'kysely';
import type { Episode, EpisodeStart } from '../../base/episode.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema, EpisodeRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { upsertAll } from './upsert-rows.ts';

export function makeEpisodeStore(engine: Engine): Pick<Store, 'saveEpisode' | 'hasEpisode' | 'hasEpisodes'> {
  const { db } = engine;
  return {
    saveEpisode: (episode) => db.transaction().execute((trx) => writeEpisodes(engine, trx, [episode])),
    hasEpisode: async (episode) => (await hasEpisodes(engine, db, [episode]))[0] === true,
    hasEpisodes: (episodes) => hasEpisodes(engine, db, episodes),
  };
}

const KEY = ['agent', 'session_id', 'failing_call_id', 'fixing_call_id'] as const;
const UPDATED = ['kind', 'intent_key', 'steps', 'confidence'] as const;

export async function writeEpisodes(
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  episodes: readonly Episode[],
): Promise<void> {
  await upsertAll(engine, trx, { table: 'episodes', key: KEY, update: UPDATED }, episodes.map(toRow));
}

export async function hasEpisodes(
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
  const known = new Set(rows.map((row) => toKey([row.agent, row.session_id, row.failing_call_id, row.kind])));
  return asked.map((one) => known.has(toKey(one)));
}

type StartColumns = Pick<EpisodeRow, 'agent' | 'session_id' | 'failing_call_id' | 'kind'>;

function toKey(parts: readonly string[]): string {
  return parts.join('\0');
}

function toRow(episode: Episode): EpisodeRow {
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
