/**
 * What two tellings of one call say together. Hooks, batches, transcripts and notifications tell the same call in any
 * order: the row that comes out must not depend on it.
 */
import type { ToldCallColumns } from './database-schema.ts';

/** These belong together: a message of one verdict says nothing about another. */
const VERDICT = ['outcome', 'outcome_type', 'exit_code', 'masked', 'message', 'signature_id'] as const;

/** Weakest first: nobody saw an end; the model was told; it was only started; nothing said that it failed; a fact. */
const STRENGTH: readonly RegExp[] = [/^no-end$/, /^told-/, /^background$/, /^no-error$/];

const DURATION_SOURCES = ['gap', 'paired', 'agent'];

/** The new telling wins; what it does not say stays as it was. */
export function mergeTold(known: ToldCallColumns, told: ToldCallColumns): ToldCallColumns {
  const columns = Object.keys(told) as (keyof ToldCallColumns)[];
  const merged = Object.fromEntries(columns.map((column) => [column, told[column] ?? known[column]]));
  return {
    ...(merged as unknown as ToldCallColumns),
    ...mergeVerdict(known, told),
    ...mergeDuration(known, told),
    occurred_at: toEarlier(known, told),
  };
}

function mergeVerdict(known: ToldCallColumns, told: ToldCallColumns): Pick<ToldCallColumns, (typeof VERDICT)[number]> {
  const [strong, weak] = toStrength(told) >= toStrength(known) ? [told, known] : [known, told];
  const isSame = strong.outcome === weak.outcome;
  return Object.fromEntries(
    VERDICT.map((column) => [column, strong[column] ?? (isSame ? weak[column] : null)]),
  ) as unknown as ToldCallColumns;
}

function toStrength({ outcome_type }: ToldCallColumns): number {
  const at = STRENGTH.findIndex((type) => type.test(outcome_type));
  return at === -1 ? STRENGTH.length : at;
}

/** The better source; of two that are as good the longer one, which saw more of the call. */
function mergeDuration(known: ToldCallColumns, told: ToldCallColumns) {
  const better = toRank(told) - toRank(known) || (told.duration_ms ?? -1) - (known.duration_ms ?? -1);
  const { duration_ms, duration_source } = better > 0 ? told : known;
  return { duration_ms, duration_source };
}

function toRank({ duration_source }: ToldCallColumns): number {
  return duration_source === null ? -1 : DURATION_SOURCES.indexOf(duration_source);
}

/** A call is told when it ends and, by its transcript, when it began. What a batch said counts only until then. */
function toEarlier(known: ToldCallColumns, told: ToldCallColumns): string {
  const isHearsay = toStrength(known) === 1;
  return isHearsay || told.occurred_at < known.occurred_at ? told.occurred_at : known.occurred_at;
}
