/** Lists stored calls with their signatures, oldest first, and converts a call to a row and back. */

import { sql } from 'kysely';
import type { BriefCall, Store } from '../../../base/contracts/store.ts';
import type { Call, StoredCall } from '../../../base/model/call.ts';
import type { TokenUsage } from '../../../base/model/event.ts';
import type { Signature } from '../../../base/model/signature.ts';
import type { TextRemoval } from '../../../base/storage/retention.ts';
import { toCondition } from '../conditions.ts';
import { type CallRow, callColumns, type ReportedCallColumns, type SignatureRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../projects.ts';
import { omitNull, toStorableText, toTime } from '../row-values.ts';

export function makeCallStore({ db }: Engine) {
  return {
    async listCalls(filter) {
      const query = db
        .selectFrom('tool_outcomes as t')
        .leftJoin('signatures as s', 's.id', 't.signature_id')
        .selectAll('t')
        .select(['s.version as signature_version', 's.template as signature_template'])
        .select('s.program as signature_program')
        .where(
          await toCondition(db, filter, {
            agent: 't.agent',
            sessionId: 't.session_id',
            contextId: 't.context_id',
            projectId: 't.project_id',
            program: 't.program',
            callId: 't.call_id',
          }),
        )
        // Newest first, so that a limit keeps the newest.
        .orderBy('t.occurred_at', 'desc')
        .orderBy('t.id', 'desc');
      const rows = await (filter.limit === undefined ? query : query.limit(filter.limit)).execute();
      return rows.map(toStoredCall).reverse();
    },
    /** Only the fields that a trigger is tested on, because thousands are read at once. */
    async listPastCalls(projectId, limit) {
      const isOf =
        projectId === undefined ? sql`` : sql`where project_id in (${sql.join(await listAllIds(db, [projectId]))})`;
      const { rows } = await sql<Nullable<BriefCall>>`
        select call_id as "callId", session_id as "sessionId", input_summary as "inputSummary", outcome,
          signature_id as "signatureId", message, tool_name as tool, raw_tool_name as "rawTool", target_path as "targetPath"
        from tool_outcomes ${isOf}
        order by occurred_at desc, id desc limit ${limit}
      `.execute(db);
      return rows
        .map(({ inputSummary, signatureId, targetPath, message, ...call }) => ({
          ...call,
          inputSummary: inputSummary ?? undefined,
          signatureId: signatureId ?? undefined,
          targetPath: targetPath ?? undefined,
          message: message ?? undefined,
        }))
        .reverse();
    },
  } satisfies Partial<Store>;
}

type Nullable<T> = { [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K] };

/**
 * Makes the stored fields storable in both engines; the other fields of a call in memory need not be. Written out,
 * because a scan passes every call through here, and a loop over `callColumns` takes longer.
 */
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
  return {
    id: row.id,
    ...callColumns.toFields(row),
    masked: row.masked === 1,
    ...omitNull({
      precedingId: row.preceding_tool_id,
      signature: toSignature(row),
      tokens: toTokens(row),
      textRemoved: toTextRemoval(row.text_removed),
    }),
  };
}

type TokenColumns = Pick<CallRow, 'tokens_input' | 'tokens_cached' | 'tokens_output'>;

export function toTokens(row: TokenColumns): TokenUsage | null {
  const { tokens_input: input, tokens_cached: cached, tokens_output: output } = row;
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
