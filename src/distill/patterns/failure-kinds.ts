/**
 * Makes the list of failures by kind that `start`, `sessions failures` and `sessions patterns` share. Failures of one
 * kind have signatures that are the same or nearly the same. A kind knows its class: whether another call would have
 * been the fix, or the call was right and something else said no. Pure; the order of rows does not matter.
 */
import type { FailureCell, FailureCells, FailureClass } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY } from '../../base/text/failure-category.ts';
import { classifyFailure } from '../episodes/classify-failure.ts';
import { countSpread, findCommonest, listDistinct, sumCounts } from './make-pattern.ts';
import { type MergedForm, mergeForms } from './pattern-context.ts';

export interface FailureKind {
  /** Absent if these failures printed no usable message. */
  readonly signature?: string;
  /** All signatures of this kind, the most frequent first. */
  readonly signatureIds: readonly string[];
  /** The program that failed, or the tool where there was none. */
  readonly program: string;
  readonly template?: string;
  /** The message of one of them, or the template once the text was removed. */
  readonly message?: string;
  readonly category: string;
  /** Absent for runs of the user's hooks. */
  readonly class?: FailureClass;
  /** All of them: `count` and `masked`. */
  readonly times: number;
  /** Failed calls, as every report counts them. */
  readonly count: number;
  /** Failures whose command hid the exit code, known only from their text. */
  readonly masked: number;
  /** Those in a later session than the first one of their project. */
  readonly laterRepeats: number;
  /** Runs of the user's hooks, which the agent records; not calls of the agent. */
  readonly isHook: boolean;
  readonly sessions: number;
  /** Conversations: sessions, and each sub-agent on its own. */
  readonly tasks: number;
  readonly projects: number;
  readonly projectIds: readonly string[];
  readonly agents: readonly string[];
  readonly models: readonly string[];
  /** How many of `times` each project, agent and model has. */
  readonly shares: Readonly<Record<'projects' | 'agents' | 'models', Readonly<Record<string, number>>>>;
  /** How many of them on each day (`2026-01-31`), oldest first. Those of one session count on its last day. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
  readonly first: string;
  readonly last: string;
}

/** The kinds that cost most first: by repeats in later sessions, then by how often and how recently they happened. */
export function listFailureKinds({ cells, signatures }: FailureCells): readonly FailureKind[] {
  const forms = mergeForms(signatures);
  return groupByKind(cells, forms)
    .map((some) => toKind(some, forms))
    .sort(byCost);
}

/** Failures without a signature are separated by program. */
export function groupByKind(
  cells: readonly FailureCell[],
  forms: ReadonlyMap<string, MergedForm>,
): readonly (readonly FailureCell[])[] {
  const toKey = ({ isHook, signatureId, tool, program }: FailureCell): string => {
    const of = signatureId === undefined ? `${tool}\n${program}` : (forms.get(signatureId)?.key ?? signatureId);
    return `${isHook}\n${of}`;
  };
  return [...Map.groupBy(cells, toKey).values()];
}

function byCost(a: FailureKind, b: FailureKind): number {
  if (a.laterRepeats !== b.laterRepeats) return b.laterRepeats - a.laterRepeats;
  if (a.times !== b.times) return b.times - a.times;
  if (a.last !== b.last) return a.last < b.last ? 1 : -1;
  return `${a.program} ${a.signature}` < `${b.program} ${b.signature}` ? -1 : 1;
}

function toKind(cells: readonly FailureCell[], forms: ReadonlyMap<string, MergedForm>): FailureKind {
  const findForm = ({ signatureId }: FailureCell) => (signatureId === undefined ? undefined : forms.get(signatureId));
  const signature = findCommonest(cells, ({ signatureId }) => signatureId);
  const template = findCommonest(cells, (cell) => findForm(cell)?.template);
  const [message = template] = cells.flatMap((cell) => cell.message ?? []).sort();
  const category = findCommonest(cells, (cell) => findForm(cell)?.category) ?? OTHER_CATEGORY;
  const isHook = cells.some((cell) => cell.isHook);
  const toClass = (cell: FailureCell): FailureClass => {
    const { program = '', template: own = '' } = findForm(cell) ?? {};
    const signed = { message: cell.message ?? own, signature: { program, template: own } };
    return classifyFailure({ ...cell, ...(own === '' ? {} : signed) });
  };
  const times = sumCounts(cells);
  const masked = cells.reduce((sum, cell) => sum + cell.masked, 0);
  const at = cells.flatMap(({ first, last }) => [first, last]).sort();
  const { projects, ...spread } = countSpread(cells);
  return {
    ...(signature === undefined ? {} : { signature }),
    signatureIds: listDistinct(cells, ({ signatureId }) => signatureId).toSorted(
      (a, b) => Number(b === signature) - Number(a === signature),
    ),
    program:
      findCommonest(cells, (cell) => findForm(cell)?.program ?? cell.program) ??
      findCommonest(cells, ({ tool }) => tool) ??
      '',
    ...(template === undefined ? {} : { template }),
    ...(message === undefined ? {} : { message }),
    category,
    ...(isHook ? {} : { class: judgeClass(cells, category, toClass) }),
    times,
    count: times - masked,
    masked,
    laterRepeats: countLater(cells),
    isHook,
    ...spread,
    projects: projects.length,
    projectIds: projects,
    agents: listDistinct(cells, ({ agent }) => agent),
    models: listDistinct(cells, ({ model }) => model),
    shares: {
      projects: countBy(cells, ({ projectId }) => projectId),
      agents: countBy(cells, ({ agent }) => agent),
      models: countBy(cells, ({ model }) => model),
    },
    days: countDays(cells),
    first: at[0] ?? '',
    last: at.at(-1) ?? '',
  };
}

/** How many failures have each value; those without one are left out. */
function countBy(
  cells: readonly FailureCell[],
  toValue: (cell: FailureCell) => string | undefined,
): Readonly<Record<string, number>> {
  const values = Map.groupBy(cells, toValue);
  return Object.fromEntries(
    [...values].flatMap(([value, some]) => (value === undefined ? [] : [[value, sumCounts(some)] as const])),
  );
}

const DAY_CHARS = 'yyyy-mm-dd'.length;

function countDays(cells: readonly FailureCell[]): FailureKind['days'] {
  const days = Map.groupBy(cells, ({ last }) => last.slice(0, DAY_CHARS));
  return [...days].map(([day, some]) => ({ day, count: sumCounts(some) })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Failures in sessions after the first one of their project. */
function countLater(cells: readonly FailureCell[]): number {
  const projects = Map.groupBy(cells, ({ projectId }) => projectId).values();
  return [...projects].reduce((sum, some) => {
    const [first] = some.toSorted((a, b) => (a.first < b.first ? -1 : 1));
    const isFirst = ({ agent, sessionId }: FailureCell) => agent === first?.agent && sessionId === first.sessionId;
    return sum + sumCounts(some.filter((cell) => !isFirst(cell)));
  }, 0);
}

/**
 * The class that most of them have. A thing that is missed again and again is a mistake, even where it was only looked
 * for; another thing each time is exploration.
 */
function judgeClass(
  cells: readonly FailureCell[],
  category: string,
  toClass: (cell: FailureCell) => FailureClass,
): FailureClass {
  const of = findCommonest(cells, toClass) as FailureClass | undefined;
  if (of === 'exploration' && sumCounts(cells) > 1 && !isAnotherEachTime(cells)) return 'command';
  return of === 'command' && category === 'missing_path' && isAnotherEachTime(cells)
    ? 'exploration'
    : (of ?? 'command');
}

/** More than half of them are about an object of their own. */
function isAnotherEachTime(cells: readonly FailureCell[]): boolean {
  const more = cells.reduce((sum, { objects }) => sum + objects - 1, 0);
  const times = sumCounts(cells);
  return times > 1 && (new Set(cells.map(({ object }) => object)).size + more) * 2 > times;
}
