/** Empties every table that holds something learned. */
import type { Transaction } from 'kysely';
import type { ForgetReport } from '../../base/forgotten.ts';
import type { DatabaseSchema } from './database-schema.ts';

/** In an order that no reference forbids. A new table belongs here, or in KEPT of the contract suite. */
export const FORGETTABLE = [
  'feedback',
  'deliveries',
  'missed_opportunities',
  'added_texts',
  'promotions',
  'episodes',
  'findings',
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

export async function forgetAll(trx: Transaction<DatabaseSchema>): Promise<ForgetReport> {
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
    // Everything on disk goes with it: nobody needs to know whose it was.
    sessionKeys: [],
    projectIds: [],
  };
}
