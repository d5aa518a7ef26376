/** Later calls of a delivery's intent: merged into its row, and the verdict and figures that follow from all of them. */
import { sql, type Transaction } from 'kysely';
import {
  type Attempt,
  type AttemptRule,
  type AttemptSummary,
  mergeAttempts,
  sumAttempts,
} from '../../base/attempts.ts';
import type { DatabaseSchema, DeliveryRow } from './database-schema.ts';
import type { Engine } from './engine.ts';

export interface Rejudged {
  /** Absent when these are the first attempts. */
  readonly before?: AttemptSummary;
  readonly after: AttemptSummary;
}

/** Undefined where the delivery is unknown, has no attempts yet, or was judged before attempts were kept. */
export function saveAttempts(
  engine: Engine,
  id: string,
  added: readonly Attempt[],
  { rule, now }: { readonly rule: AttemptRule; readonly now?: string },
): Promise<Rejudged | undefined> {
  return engine.db.transaction().execute(async (trx) => {
    const known = await trx.selectFrom('deliveries').select('lesson_id').where('id', '=', id).executeTakeFirst();
    if (known === undefined) return undefined;
    await engine.lock(trx, 'lesson', [known.lesson_id]);
    const row = await trx.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined || isOldVerdict(row)) return undefined;
    const old: readonly Attempt[] = row.attempts === null ? [] : JSON.parse(row.attempts);
    const attempts = mergeAttempts(old, added);
    const [before, after] = [sumAttempts(old, rule), sumAttempts(attempts, rule)];
    if (after === undefined) return undefined;
    const figures = await toFigures(trx, row, toPast(after, now));
    await trx
      .updateTable('deliveries')
      .set({ attempts: JSON.stringify(attempts), ...figures })
      .where('id', '=', id)
      .execute();
    return { ...(before === undefined ? {} : { before }), after };
  });
}

/** While a clock was ahead nothing would count until then. */
function toPast(summary: AttemptSummary, now: string | undefined): AttemptSummary {
  return now === undefined || summary.outcomeAt <= now ? summary : { ...summary, outcomeAt: now };
}

/** Nobody kept the attempts that it rests on, so later ones alone must not change it. */
function isOldVerdict({ attempts, outcome }: DeliveryRow): boolean {
  return attempts === null && outcome !== null && outcome !== 'incomplete';
}

async function toFigures(trx: Transaction<DatabaseSchema>, row: DeliveryRow, after: AttemptSummary) {
  const { outcome, outcomeAt, again, failed, failingAttempts, successAt } = after;
  const judged = { outcome, outcome_at: outcomeAt, again: Number(again), failed: Number(failed) };
  const figures = { ...judged, failing_attempts: failingAttempts, success_at: successAt ?? null };
  if (successAt === undefined)
    return { ...figures, calls_to_success: null, seconds_to_success: null, tokens_to_success: null };
  const tookMs = Date.parse(successAt) - Date.parse(row.delivered_at);
  const { calls, tokens } = await sumCalls(trx, row, successAt);
  return {
    ...figures,
    calls_to_success: Math.max(calls, after.attemptsToSuccess ?? 0),
    seconds_to_success: Math.max(0, tookMs) / 1000,
    tokens_to_success: tokens,
  };
}

/** All calls of the context between the delivery's own and the success, that one included. Cached tokens do not count. */
async function sumCalls(
  trx: Transaction<DatabaseSchema>,
  { agent, session_id, context_id, call_id, delivered_at }: DeliveryRow,
  successAt: string,
): Promise<{ readonly calls: number; readonly tokens: number | null }> {
  const { count, tokens } = await trx
    .selectFrom('tool_outcomes')
    .select((eb) => eb.fn.countAll().as('count'))
    .select(sql<number | string | null>`sum(tokens_input + tokens_output)`.as('tokens'))
    .where('agent', '=', agent)
    .where('session_id', '=', session_id)
    .where('context_id', '=', context_id)
    .where('call_id', '!=', call_id)
    .where('occurred_at', '>=', delivered_at)
    .where('occurred_at', '<=', successAt)
    .executeTakeFirstOrThrow();
  return { calls: Number(count), tokens: tokens === null ? null : Number(tokens) };
}
