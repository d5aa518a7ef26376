/** Episodes. The same failing and fixing call told again: the id stays, the newer judgement of them wins. */
import type { Kysely } from 'kysely';
import type { Episode } from '../../base/episode.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema, EpisodeRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { fromExcluded } from './from-excluded.ts';

export function makeEpisodeStore({ db }: Engine): Pick<Store, 'saveEpisode' | 'hasEpisode'> {
  return {
    saveEpisode: (episode) => db.transaction().execute((trx) => writeEpisode(trx, episode)),
    hasEpisode: (episode) => hasEpisode(db, episode),
  };
}

export async function writeEpisode(db: Kysely<DatabaseSchema>, episode: Episode): Promise<void> {
  await db
    .insertInto('episodes')
    .values(toRow(episode))
    .onConflict((oc) =>
      oc
        .columns(['agent', 'session_id', 'failing_call_id', 'fixing_call_id'])
        .doUpdateSet(fromExcluded(['kind', 'intent_key', 'steps', 'confidence'])),
    )
    .execute();
}

export async function hasEpisode(
  db: Kysely<DatabaseSchema>,
  { agent, sessionId, failingCallId, kind }: Pick<Episode, 'agent' | 'sessionId' | 'failingCallId' | 'kind'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('episodes')
    .select('id')
    .where('agent', '=', agent)
    .where('session_id', '=', sessionId)
    .where('failing_call_id', '=', failingCallId)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
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
