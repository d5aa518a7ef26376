/**
 * The tables as `src/keep/migrations` creates them, and the table of columns of each model. Booleans are 0 or 1, times
 * are ISO text.
 */

import type { Kysely, Transaction } from 'kysely';
import type { Call } from '../../base/model/call.ts';
import type { Cure } from '../../base/model/cure.ts';
import type { AddedKind, MissedOpportunity, StoredDelivery } from '../../base/model/delivery.ts';
import type { Feedback } from '../../base/model/feedback.ts';
import type { Episode, KeptFinding, KeptReport } from '../../base/model/finding.ts';
import type { RememberedCall } from '../../base/model/knowledge.ts';
import type { ChangeHead, Lesson, Scope } from '../../base/model/lesson.ts';
import type { AskedPack } from '../../base/model/pack.ts';
import type { LinkProof } from '../../base/model/project.ts';
import type { Promotion } from '../../base/model/promotion.ts';
import type { Project, Session } from '../../base/model/session.ts';
import type { Forgotten } from '../../base/storage/forgotten.ts';
import type { ScanState } from '../../base/storage/scan-state.ts';
import { defineColumns } from './row-values.ts';

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
  learn_packs: LearnPackRow;
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

export const sessionColumns = defineColumns<Session>()({
  agent: 'agent',
  sessionId: 'session_id',
  parentSessionId: 'parent_session_id',
  projectId: 'project_id',
  cwd: 'cwd',
  branch: 'branch',
  model: 'model',
  agentVersion: 'agent_version',
  startedAt: 'started_at',
  lastSeenAt: 'last_seen_at',
  endedAt: 'ended_at',
  endReason: 'end_reason',
  source: 'source',
  pid: 'pid',
  host: 'host',
});

export type ReportedSessionColumns = ReturnType<typeof sessionColumns.toRow>;

export interface SessionRow extends ReportedSessionColumns {
  id: string;
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

/** A call, as code and texts call it. The table has its name from the first version. */
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

export const callColumns = defineColumns<Call>()({
  agent: 'agent',
  sessionId: 'session_id',
  contextId: 'context_id',
  callId: 'call_id',
  projectId: 'project_id',
  tool: 'tool_name',
  rawTool: 'raw_tool_name',
  outcome: 'outcome',
  outcomeType: 'outcome_type',
  message: 'message',
  exitCode: 'exit_code',
  inputHash: 'tool_input_hash',
  inputSummary: 'input_summary',
  outputSummary: 'output_summary',
  program: 'program',
  targetPath: 'target_path',
  durationMs: 'duration_ms',
  durationSource: 'duration_source',
  intentKey: 'intent_key',
  occurredAt: 'occurred_at',
});

/** The columns that a report of a call fills; we fill the other columns of a call. */
export interface ReportedCallColumns extends ReturnType<typeof callColumns.toRow> {
  root_session_id: string;
  masked: number;
  signature_id: string | null;
  tokens_input: number | null;
  tokens_cached: number | null;
  tokens_output: number | null;
}

export const episodeColumns = defineColumns<Episode>()({
  id: 'id',
  agent: 'agent',
  sessionId: 'session_id',
  failingCallId: 'failing_call_id',
  fixingCallId: 'fixing_call_id',
  kind: 'kind',
  intentKey: 'intent_key',
  steps: 'steps',
  confidence: 'confidence',
});

interface EpisodeRow extends ReturnType<typeof episodeColumns.toRow> {
  created_at: string;
}

export const cureColumns = defineColumns<Cure>()({
  agent: 'agent',
  sessionId: 'session_id',
  failingCallId: 'failing_call_id',
  fixingCallId: 'fixing_call_id',
  projectId: 'project_id',
  signatureId: 'signature_id',
  kind: 'kind',
  text: 'text',
  at: 'cured_at',
});

interface CureRow extends ReturnType<typeof cureColumns.toRow> {
  /** JSON. */
  edit: string | null;
}

export const rememberedColumns = defineColumns<RememberedCall>()({
  agent: 'agent',
  sessionId: 'session_id',
  callId: 'call_id',
  projectId: 'project_id',
  exactKey: 'exact_key',
  at: 'failed_at',
});

interface RememberedRow extends ReturnType<typeof rememberedColumns.toRow> {
  /** Hashes, separated by blanks. */
  needs: string;
  /** Since then the call may work again. */
  settled_at: string | null;
}

export const learnPackColumns = defineColumns<AskedPack>()({
  pack: 'pack',
  promptVersion: 'prompt_version',
  projectId: 'project_id',
  provider: 'provider',
  model: 'model',
  state: 'state',
  reason: 'reason',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  usd: 'usd',
  askedAt: 'asked_at',
  answeredAt: 'answered_at',
});

interface LearnPackRow extends ReturnType<typeof learnPackColumns.toRow> {
  /** JSON list. */
  episodes: string;
  /** JSON list. */
  outcomes: string | null;
  /** JSON. */
  pack_index: string | null;
}

export const findingColumns = defineColumns<KeptFinding>()({
  id: 'id',
  detector: 'detector',
  kind: 'kind',
  agent: 'agent',
  sessionId: 'session_id',
  projectId: 'project_id',
  failingCallId: 'failing_call_id',
  fixingCallId: 'fixing_call_id',
  signatureId: 'signature_id',
  verdict: 'verdict',
  reason: 'reason',
  lessonId: 'lesson_id',
  file: 'file',
  at: 'found_at',
});

export interface FindingRow extends ReturnType<typeof findingColumns.toRow> {
  from_line: number | null;
  to_line: number | null;
  created_at: string;
}

export const reportColumns = defineColumns<KeptReport>()({
  agent: 'agent',
  sessionId: 'session_id',
  projectId: 'project_id',
  reportId: 'report_id',
  form: 'form',
  malformed: 'malformed',
  failingCallId: 'failing_call_id',
  file: 'file',
  line: 'line',
  at: 'said_at',
});

interface SelfReportRow extends ReturnType<typeof reportColumns.toRow> {
  /** Null for reports of earlier versions. */
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

export const lessonColumns = defineColumns<Lesson>()({
  id: 'id',
  slug: 'slug',
  type: 'type',
  summary: 'summary',
  status: 'status',
  mode: 'mode',
  priority: 'priority',
  confidence: 'confidence',
  signatureId: 'signature_id',
  contentHash: 'content_hash',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export interface LessonRow extends ReturnType<typeof lessonColumns.toRow> {
  needs_review: number;
  scope_kind: Scope['kind'];
  scope_id: string | null;
  /** JSON. */
  document: string;
}

export const changeColumns = defineColumns<ChangeHead>()({
  id: 'id',
  lessonId: 'lesson_id',
  by: 'changed_by',
  reason: 'reason',
  at: 'changed_at',
  command: 'command',
});

export interface LessonHistoryRow extends ReturnType<typeof changeColumns.toRow> {
  /** JSON. */
  before: string | null;
  /** JSON. */
  after: string;
}

export const promotionColumns = defineColumns<Promotion>()({
  id: 'id',
  lessonId: 'lesson_id',
  projectId: 'project_id',
  root: 'root',
  file: 'target_file',
  state: 'state',
  text: 'text',
  hash: 'written_hash',
  before: 'text_before',
  by: 'changed_by',
  at: 'changed_at',
  createdAt: 'created_at',
});

interface PromotionRow extends ReturnType<typeof promotionColumns.toRow> {
  /** JSON list. */
  made: string | null;
}

export const deliveryColumns = defineColumns<StoredDelivery>()({
  id: 'id',
  kind: 'kind',
  lessonId: 'lesson_id',
  agent: 'agent',
  sessionId: 'session_id',
  contextId: 'context_id',
  callId: 'call_id',
  mode: 'mode',
  arm: 'arm',
  score: 'score',
  bytes: 'bytes',
  latencyUs: 'latency_us',
  deliveredAt: 'delivered_at',
  outcome: 'outcome',
  outcomeAt: 'outcome_at',
  oldOutcome: 'old_outcome',
  failingAttempts: 'failing_attempts',
  successAt: 'success_at',
  callsToSuccess: 'calls_to_success',
  secondsToSuccess: 'seconds_to_success',
  tokensToSuccess: 'tokens_to_success',
  noRoom: 'no_room',
});

export interface DeliveryRow extends ReturnType<typeof deliveryColumns.toRow> {
  acknowledged_at: string | null;
  again: number | null;
  failed: number | null;
  /** JSON list of `Attempt`. */
  attempts: string | null;
  /** JSON of `DeliveryItems`. */
  items: string | null;
}

export const missedColumns = defineColumns<MissedOpportunity>()({
  agent: 'agent',
  sessionId: 'session_id',
  contextId: 'context_id',
  callId: 'call_id',
  lessonId: 'lesson_id',
  reason: 'reason',
});

interface MissedRow extends ReturnType<typeof missedColumns.toRow> {
  /** Known once the call has failed. */
  project_id: string | null;
  told_at: string;
  missed_at: string | null;
}

export const feedbackColumns = defineColumns<Feedback>()({
  id: 'id',
  lessonId: 'lesson_id',
  from: 'source',
  by: 'said_by',
  verdict: 'verdict',
  note: 'note',
  moved: 'moved',
  command: 'command',
  at: 'said_at',
});

export interface FeedbackRow extends ReturnType<typeof feedbackColumns.toRow> {
  /** Empty for feedback on the lesson itself. */
  delivery_id: string;
  is_flagging: number;
}

export const scanStateColumns = defineColumns<ScanState>()({
  path: 'path',
  agent: 'agent',
  offset: 'byte_offset',
  lines: 'lines',
  memo: 'memo',
  tail: 'tail',
  size: 'size',
  mtimeMs: 'mtime_ms',
  inode: 'inode',
  parserVersion: 'parser_version',
});

interface ScanStateRow extends ReturnType<typeof scanStateColumns.toRow> {
  last_record_id: string | null;
  is_open: number;
}

interface ForgottenRow {
  kind: Forgotten['kind'];
  id: string;
  forgotten_at: string;
}
