/**
 * Every table of ours with the columns that tell its rows apart, by which it is read in parts. In an order in which rows
 * can be inserted: what is referred to comes first. A table that is missing here does not compile.
 */
import type { DatabaseSchema } from './database-schema.ts';

type Tables = { readonly [T in keyof DatabaseSchema]: readonly (keyof DatabaseSchema[T] & string)[] };

const KEYS: Tables = {
  projects: ['id'],
  project_aliases: ['from_id'],
  project_links: ['from_id', 'into_id'],
  project_commits: ['project_id', 'commit_hash'],
  sessions: ['id'],
  signatures: ['id'],
  tool_outcomes: ['id'],
  episodes: ['id'],
  findings: ['id'],
  self_reports: ['agent', 'session_id', 'report_id'],
  lessons: ['id'],
  lesson_history: ['id'],
  promotions: ['id'],
  deliveries: ['id'],
  feedback: ['id'],
  added_texts: ['agent', 'session_id', 'context_id', 'call_id', 'kind', 'added_at'],
  missed_opportunities: ['agent', 'session_id', 'call_id', 'lesson_id'],
  scan_state: ['path'],
  forgotten: ['kind', 'id'],
};

export const BACKUP_TABLES: readonly (readonly [table: keyof DatabaseSchema, key: readonly string[]])[] =
  Object.entries(KEYS) as [keyof DatabaseSchema, readonly string[]][];
