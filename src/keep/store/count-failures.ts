/** Sessions, calls, failures, repeats and avoidable failures, counted by the ledger that every report shares. */
import type { Kysely } from 'kysely';
import type { FailureFilter } from '../../base/failure.ts';
import { type FailureCounts, type LedgerCall, makeFailureCounter } from '../../base/failure-ledger.ts';
import { makeToProjectId } from '../../base/project-alias.ts';
import type { CallRow, DatabaseSchema } from './database-schema.ts';
import { listAliases } from './list-aliases.ts';
import { omitNull } from './omit-null.ts';

/** Read at once: calls of long histories do not fit into memory together. */
const PAGE_ROWS = 20_000;

export type FailureCountFilter = Omit<FailureFilter, 'limit' | 'unresolved'>;

type PlacedCall = LedgerCall & { readonly at: string };

/** Calls outside the filter are read too: they are the past of those inside. */
export async function countFailures(
  db: Kysely<DatabaseSchema>,
  { projectIds, agent, sessionId, since, signature }: FailureCountFilter,
): Promise<FailureCounts> {
  const toProjectId = makeToProjectId(await listAliases(db));
  const wanted = projectIds && new Set(projectIds.map(toProjectId));
  const counter = makeFailureCounter((call) => {
    const { at } = call as PlacedCall;
    if (wanted !== undefined && !wanted.has(call.projectId)) return false;
    if (agent !== undefined && call.agent !== agent) return false;
    if (sessionId !== undefined && call.sessionId !== sessionId) return false;
    return (since === undefined || at >= since) && (signature === undefined || call.signatureId === signature);
  });
  for await (const call of readCalls(db)) counter.add({ ...call, projectId: toProjectId(call.projectId) });
  return counter.read();
}

async function* readCalls(db: Kysely<DatabaseSchema>): AsyncGenerator<PlacedCall> {
  let last = { at: '', id: '' };
  for (;;) {
    const { at, id } = last;
    const rows = await db
      .selectFrom('tool_outcomes')
      .select(['id', 'occurred_at as at', 'agent', 'session_id as sessionId', 'project_id as projectId', 'program'])
      .select([
        'context_id as contextId',
        'duration_ms',
        'duration_source',
        'tokens_input',
        'tokens_cached',
        'tokens_output',
      ])
      .select([
        'raw_tool_name as rawTool',
        'outcome',
        'masked',
        'intent_key as intentKey',
        'signature_id as signatureId',
      ])
      .where(({ eb, and, or }) =>
        or([eb('occurred_at', '>', at), and([eb('occurred_at', '=', at), eb('id', '>', id)])]),
      )
      .orderBy('occurred_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) yield toLedgerCall(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end;
  }
}

type Row = Pick<
  CallRow,
  'outcome' | 'program' | 'duration_ms' | 'duration_source' | 'tokens_input' | 'tokens_cached' | 'tokens_output'
> & {
  readonly [K in 'at' | 'agent' | 'sessionId' | 'projectId' | 'contextId' | 'rawTool']: string;
} & { readonly masked: number; readonly intentKey: string | null; readonly signatureId: string | null };

function toLedgerCall(row: Row): PlacedCall {
  const { at, agent, sessionId, projectId, contextId, rawTool, outcome, program, intentKey, signatureId } = row;
  const { tokens_input: input, tokens_cached: cached, tokens_output: output } = row;
  return omitNull({
    ...{ at, agent, sessionId, projectId, contextId, rawTool, outcome, program, intentKey, signatureId },
    masked: row.masked === 1,
    // The time since the last call is no duration.
    durationMs: row.duration_source === 'gap' ? null : row.duration_ms,
    tokens: input === null || cached === null || output === null ? null : { input, cached, output },
  });
}
