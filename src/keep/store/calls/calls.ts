/** Lists stored calls with their signatures, oldest first, and converts a call to a row and back. */

import { sql } from 'kysely';
import type { BriefCall, CallFilter } from '../../../base/contracts/store.ts';
import type { Call, StoredCall } from '../../../base/model/call.ts';
import type { TokenUsage } from '../../../base/model/event.ts';
import type { Signature } from '../../../base/model/signature.ts';
import type { TextRemoval } from '../../../base/storage/retention.ts';
import type { CallRow, Database, ReportedCallColumns, SignatureRow } from '../database-schema.ts';
import { listAllIds } from '../project-aliases.ts';
import { omitNull, toStorableText, toTime } from '../row-values.ts';

export async function listCalls(db: Database, filter: CallFilter): Promise<readonly StoredCall[]> {
  const { agent, sessionId, contextId, projectId, program, callId, limit } = filter;
  let query = db
    .selectFrom('tool_outcomes as t')
    .leftJoin('signatures as s', 's.id', 't.signature_id')
    .selectAll('t')
    .select(['s.version as signature_version', 's.template as signature_template', 's.program as signature_program']);
  if (agent !== undefined) query = query.where('t.agent', '=', agent);
  if (sessionId !== undefined) query = query.where('t.session_id', '=', sessionId);
  if (contextId !== undefined) query = query.where('t.context_id', '=', contextId);
  if (projectId !== undefined) query = query.where('t.project_id', 'in', await listAllIds(db, [projectId]));
  if (program !== undefined) query = query.where('t.program', '=', program);
  if (callId !== undefined) query = query.where('t.call_id', '=', callId);
  if (limit !== undefined) query = query.limit(limit);
  // Newest first, so that a limit keeps the newest.
  const rows = await query.orderBy('t.occurred_at', 'desc').orderBy('t.id', 'desc').execute();
  return rows.map(toStoredCall).reverse();
}

type Columns = Pick<
  CallRow,
  | 'call_id'
  | 'session_id'
  | 'input_summary'
  | 'outcome'
  | 'signature_id'
  | 'tool_name'
  | 'raw_tool_name'
  | 'target_path'
>;

/**
 * The newest calls of a project, oldest first, with only the fields that a trigger is tested on, because thousands are
 * read at once.
 */
export async function listPastCalls(db: Database, projectId: string, limit: number): Promise<readonly BriefCall[]> {
  const { rows } = await sql<Columns>`
    select call_id, session_id, input_summary, outcome, signature_id, tool_name, raw_tool_name, target_path from tool_outcomes
    where project_id in (${sql.join(await listAllIds(db, [projectId]))})
    order by occurred_at desc, id desc limit ${limit}
  `.execute(db);
  return rows.map(toBrief).reverse();
}

function toBrief(row: Columns): BriefCall {
  return {
    callId: row.call_id,
    sessionId: row.session_id,
    inputSummary: row.input_summary ?? undefined,
    outcome: row.outcome,
    signatureId: row.signature_id ?? undefined,
    tool: row.tool_name,
    rawTool: row.raw_tool_name,
    targetPath: row.target_path ?? undefined,
  };
}

/** Makes the stored fields storable in both engines; the other fields of a call in memory need not be. */
export function toReportedColumns(call: Call): ReportedCallColumns {
  const sessionId = toText(call.sessionId);
  return {
    agent: toText(call.agent),
    session_id: sessionId,
    root_session_id: sessionId,
    context_id: toText(call.contextId),
    call_id: toText(call.callId),
    project_id: toText(call.projectId),
    tool_name: call.tool,
    raw_tool_name: toText(call.rawTool),
    outcome: call.outcome,
    outcome_type: toText(call.outcomeType),
    message: toColumn(call.message),
    exit_code: call.exitCode ?? null,
    masked: call.masked ? 1 : 0,
    signature_id: toColumn(call.signature?.id),
    tool_input_hash: toColumn(call.inputHash),
    input_summary: toColumn(call.inputSummary),
    output_summary: toColumn(call.outputSummary),
    program: toColumn(call.program),
    target_path: toColumn(call.targetPath),
    duration_ms: call.durationMs ?? null,
    duration_source: call.durationSource ?? null,
    tokens_input: call.tokens?.input ?? null,
    tokens_cached: call.tokens?.cached ?? null,
    tokens_output: call.tokens?.output ?? null,
    intent_key: toColumn(call.intentKey),
    occurred_at: toTime(toText(call.occurredAt)),
  };
}

/** A value that is missing in spite of its type is left for the database to reject. */
function toText(text: string): string {
  return text === undefined ? text : toStorableText(text);
}

function toColumn(text: string | undefined): string | null {
  return text === undefined ? null : toStorableText(text);
}

/** `now`: the time of storing. For a known call only the columns of its text's age change, see `TEXT_AGE`. */
export function toCallRow({ reported, known }: CallChange, id: string, now: string): CallRow {
  const ours = { surfaced_at: null, resolved_at: null, preceding_tool_id: null, analyzed: 0, created_at: now };
  return { ...reported, id, ...ours, ...toTextAge(reported, known, now) };
}

export const TEXT_AGE = ['text_at', 'text_removed'] as const;
type TextAge = Pick<CallRow, (typeof TEXT_AGE)[number]>;

/** Text that is added to a row without text is as old as that moment, even if retention had removed it before. */
function toTextAge(reported: ReportedCallColumns, known: CallRow | undefined, now: string): TextAge {
  if (known === undefined) return { text_at: null, text_removed: null };
  if (hasText(reported) && !hasText(known)) return { text_at: now, text_removed: null };
  return { text_at: known.text_at, text_removed: known.text_removed };
}

function hasText({ message, input_summary, output_summary }: ReportedCallColumns): boolean {
  return message !== null || input_summary !== null || output_summary !== null;
}

/** Parses `text_removed`: `textDays 30`. */
export function toTextRemoval(text: string | null): TextRemoval | null {
  const [, name, value] = /^(textDays|perProject) ([\d.]+)$/.exec(text ?? '') ?? [];
  if (name === undefined) return null;
  return { setting: name === 'textDays' ? 'retention.textDays' : 'retention.perProject', value: Number(value) };
}

export function isSameReport(a: ReportedCallColumns, b: ReportedCallColumns): boolean {
  return toColumns(b).every((column) => a[column] === b[column]);
}

export function toColumns(reported: ReportedCallColumns): (keyof ReportedCallColumns)[] {
  return Object.keys(reported) as (keyof ReportedCallColumns)[];
}

type JoinedCallRow = CallRow & {
  signature_version: SignatureRow['version'] | null;
  signature_template: SignatureRow['template'] | null;
  signature_program: SignatureRow['program'] | null;
};

function toStoredCall(row: JoinedCallRow): StoredCall {
  return omitNull({
    id: row.id,
    precedingId: row.preceding_tool_id,
    agent: row.agent,
    sessionId: row.session_id,
    contextId: row.context_id,
    callId: row.call_id,
    projectId: row.project_id,
    tool: row.tool_name,
    rawTool: row.raw_tool_name,
    outcome: row.outcome,
    outcomeType: row.outcome_type,
    message: row.message,
    exitCode: row.exit_code,
    masked: row.masked === 1,
    signature: toSignature(row),
    inputHash: row.tool_input_hash,
    inputSummary: row.input_summary,
    outputSummary: row.output_summary,
    program: row.program,
    targetPath: row.target_path,
    durationMs: row.duration_ms,
    durationSource: row.duration_source,
    tokens: toTokens(row),
    intentKey: row.intent_key,
    occurredAt: row.occurred_at,
    textRemoved: toTextRemoval(row.text_removed),
  });
}

function toTokens({ tokens_input: input, tokens_cached: cached, tokens_output: output }: CallRow): TokenUsage | null {
  return input === null || cached === null || output === null ? null : { input, cached, output };
}

function toSignature(row: JoinedCallRow): Signature | null {
  const { signature_id: id, signature_version: version, signature_template, signature_program } = row;
  if (id === null || version === null || signature_template === null || signature_program === null) return null;
  return { id, version, template: signature_template, program: signature_program };
}

/** One row to write, and the row that it replaces. */
export interface CallChange {
  readonly known?: CallRow;
  readonly reported: ReportedCallColumns;
}
