/** The tables as TypeScript types, as `src/keep/migrations` creates them. Booleans are 0 or 1, times are ISO text. */

import type { Kysely, Transaction } from 'kysely';
import type { Call, DurationSource } from '../../base/model/call.ts';
import type { CureKind } from '../../base/model/cure.ts';
import type { AddedKind, AttemptVerdict, Delivery, DeliveryOutcome, MissReason } from '../../base/model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../../base/model/feedback.ts';
import type { EpisodeKind, FindingVerdict, ReportForm } from '../../base/model/finding.ts';
import type { DeliveryMode, LessonStatus, LessonType, Scope } from '../../base/model/lesson.ts';
import type { LinkProof } from '../../base/model/project.ts';
import type { PromotionState } from '../../base/model/promotion.ts';
import type { Project, Session } from '../../base/model/session.ts';
import type { Forgotten } from '../../base/storage/forgotten.ts';

/** The store's connection, or one of its transactions. */
export type Database = Kysely<DatabaseSchema>;
export type StoreTransaction = Transaction<DatabaseSchema>;

export interface DatabaseSchema {
  projects: ProjectRow;
  sessions: SessionRow;
  signatures: SignatureRow;
  tool_outcomes: CallRow;
  episodes: EpisodeRow;
  findings: FindingRow;
  cures: CureRow;
  remembered_calls: RememberedRow;
  self_reports: SelfReportRow;
  lessons: LessonRow;
  lesson_history: LessonHistoryRow;
  promotions: PromotionRow;
  deliveries: DeliveryRow;
  feedback: FeedbackRow;
  missed_opportunities: MissedRow;
  added_texts: AddedTextRow;
  scan_state: ScanStateRow;
  forgotten: ForgottenRow;
  project_aliases: ProjectAliasRow;
  project_links: ProjectLinkRow;
  project_commits: ProjectCommitRow;
}

export interface ProjectRow {
  id: string;
  name: string;
  basis: Project['basis'];
  /** JSON list. */
  roots: string;
  created_at: string;
}

/** Computed from `project_links`. */
interface ProjectAliasRow {
  from_id: string;
  into_id: string;
  created_at: string;
  proof: LinkProof;
}

export interface ProjectLinkRow {
  from_id: string;
  into_id: string;
  proof: LinkProof;
  created_at: string;
  refused_at: string | null;
}

interface ProjectCommitRow {
  project_id: string;
  commit_hash: string;
  is_made: number;
  created_at: string;
}

export interface SessionRow {
  id: string;
  agent: string;
  session_id: string;
  parent_session_id: string | null;
  project_id: string;
  cwd: string | null;
  branch: string | null;
  model: string | null;
  agent_version: string | null;
  started_at: string;
  last_seen_at: string;
  ended_at: string | null;
  end_reason: string | null;
  source: Session['source'];
  pid: number | null;
  host: string | null;
  /** When the first report of the session was stored; null for sessions of earlier versions. */
  created_at: string | null;
}

export interface SignatureRow {
  id: string;
  version: number;
  template: string;
  program: string;
  tool: Call['tool'];
  category: string | null;
  count: number;
  sessions: number;
  projects: number;
  first: string | null;
  last: string | null;
}

export interface CallRow extends ReportedCallColumns {
  id: string;
  surfaced_at: string | null;
  resolved_at: string | null;
  preceding_tool_id: string | null;
  analyzed: number;
  created_at: string;
  /** When text was added to a row that had none. Otherwise the text is as old as `created_at`. */
  text_at: string | null;
  /** The setting that removed the text, with its value: `textDays 30`. */
  text_removed: string | null;
}

/** The columns that a report of a call fills; we fill the other columns of a call. */
export interface ReportedCallColumns {
  agent: string;
  session_id: string;
  root_session_id: string;
  context_id: string;
  call_id: string;
  project_id: string;
  tool_name: Call['tool'];
  raw_tool_name: string;
  outcome: Call['outcome'];
  outcome_type: string;
  message: string | null;
  exit_code: number | null;
  masked: number;
  signature_id: string | null;
  tool_input_hash: string | null;
  input_summary: string | null;
  output_summary: string | null;
  program: string | null;
  target_path: string | null;
  duration_ms: number | null;
  duration_source: DurationSource | null;
  tokens_input: number | null;
  tokens_cached: number | null;
  tokens_output: number | null;
  intent_key: string | null;
  occurred_at: string;
}

export interface EpisodeRow {
  id: string;
  agent: string;
  session_id: string;
  failing_call_id: string;
  fixing_call_id: string;
  kind: EpisodeKind;
  intent_key: string;
  steps: number;
  confidence: number;
  created_at: string;
}

export interface CureRow {
  agent: string;
  session_id: string;
  failing_call_id: string;
  fixing_call_id: string;
  project_id: string;
  signature_id: string;
  kind: CureKind;
  text: string;
  /** JSON. */
  edit: string | null;
  cured_at: string;
}

export interface RememberedRow {
  agent: string;
  session_id: string;
  call_id: string;
  project_id: string;
  exact_key: string;
  /** Hashes, separated by blanks. */
  needs: string;
  failed_at: string;
  /** Since then the call may work again. */
  settled_at: string | null;
}

export interface FindingRow {
  id: string;
  detector: string;
  kind: EpisodeKind;
  agent: string;
  session_id: string;
  project_id: string;
  failing_call_id: string;
  fixing_call_id: string;
  signature_id: string | null;
  verdict: FindingVerdict;
  reason: string;
  lesson_id: string | null;
  file: string | null;
  from_line: number | null;
  to_line: number | null;
  found_at: string;
  created_at: string;
}

export interface SelfReportRow {
  agent: string;
  session_id: string;
  report_id: string;
  project_id: string;
  form: ReportForm;
  malformed: string | null;
  failing_call_id: string | null;
  file: string | null;
  line: number | null;
  said_at: string;
  context_id: string | null;
}

interface AddedTextRow {
  agent: string;
  session_id: string;
  context_id: string;
  call_id: string;
  kind: AddedKind;
  bytes: number;
  version: number | null;
  added_at: string;
}

export interface LessonRow {
  id: string;
  slug: string;
  type: LessonType;
  summary: string;
  status: LessonStatus;
  mode: DeliveryMode;
  priority: number;
  confidence: number;
  needs_review: number;
  scope_kind: Scope['kind'];
  scope_id: string | null;
  signature_id: string | null;
  content_hash: string;
  /** JSON. */
  document: string;
  created_at: string;
  updated_at: string;
}

export interface LessonHistoryRow {
  id: string;
  lesson_id: string;
  changed_by: string;
  changed_at: string;
  reason: string;
  /** JSON. */
  before: string | null;
  /** JSON. */
  after: string;
  command: string | null;
}

export interface PromotionRow {
  id: string;
  lesson_id: string;
  project_id: string;
  root: string;
  target_file: string;
  state: PromotionState;
  text: string;
  written_hash: string | null;
  text_before: string | null;
  /** JSON list. */
  made: string | null;
  changed_by: string;
  changed_at: string;
  created_at: string;
}

export interface DeliveryRow {
  id: string;
  kind: Delivery['kind'];
  lesson_id: string;
  agent: string;
  session_id: string;
  context_id: string;
  call_id: string;
  mode: DeliveryMode;
  arm: Delivery['arm'];
  score: number;
  bytes: number;
  latency_us: number;
  delivered_at: string;
  acknowledged_at: string | null;
  outcome: DeliveryOutcome | null;
  outcome_at: string | null;
  /** A verdict by the rules of an older version, which does not count. */
  old_outcome: AttemptVerdict | null;
  again: number | null;
  failed: number | null;
  /** JSON list of `Attempt`. */
  attempts: string | null;
  failing_attempts: number | null;
  success_at: string | null;
  calls_to_success: number | null;
  seconds_to_success: number | null;
  tokens_to_success: number | null;
  no_room: number | null;
  /** JSON of `DeliveryItems`. */
  items: string | null;
}

export interface MissedRow {
  agent: string;
  session_id: string;
  context_id: string;
  call_id: string;
  lesson_id: string;
  /** Known once the call has failed. */
  project_id: string | null;
  reason: MissReason;
  told_at: string;
  missed_at: string | null;
}

export interface FeedbackRow {
  id: string;
  lesson_id: string;
  /** Empty for feedback on the lesson itself. */
  delivery_id: string;
  source: FeedbackSource;
  said_by: string;
  verdict: FeedbackVerdict;
  note: string | null;
  moved: number;
  is_flagging: number;
  command: string;
  said_at: string;
}

export interface ScanStateRow {
  path: string;
  agent: string;
  byte_offset: number;
  lines: number;
  size: number;
  mtime_ms: number;
  inode: number;
  last_record_id: string | null;
  parser_version: number;
  memo: string | null;
  tail: string | null;
  is_open: number;
}

interface ForgottenRow {
  kind: Forgotten['kind'];
  id: string;
  forgotten_at: string;
}
