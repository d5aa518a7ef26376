/**
 * Makes the list of failures by kind that `start`, `sessions failures` and `sessions patterns` share. Failures of one
 * kind have signatures that are the same or nearly the same. A kind knows its class: whether another call would have
 * been the fix, or the call was right and something else said no. Pure; the order of rows does not matter.
 */
import type { FailureCell, FailureCells } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY, VERDICT_CATEGORIES } from '../../base/text/failure-category.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { isWorld } from '../episodes/is-verdict.ts';
import { countSpread, findCommonest, listDistinct, sumCounts } from './make-pattern.ts';
import { type MergedForm, mergeForms } from './pattern-context.ts';

/**
 * `command`: another call is the fix. `harness`: the agent refused the call, for example because a file was not read.
 * `verdict`: code is the fix. `world`: the same call works at another time. `exploration`: the call asked whether
 * something exists. `edit-text`: the text of an edit was not found. `status`: an exit code without a message.
 */
export const KIND_CLASSES = ['command', 'harness', 'verdict', 'world', 'exploration', 'edit-text', 'status'] as const;
export type KindClass = (typeof KIND_CLASSES)[number];

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
  readonly class?: KindClass;
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
    ...(isHook ? {} : { class: judgeClass({ cells, template, message, category }) }),
    ...{ times, count: times - masked, masked, laterRepeats: countLater(cells), isHook },
    ...spread,
    projects: projects.length,
    projectIds: projects,
    first: at[0] ?? '',
    last: at.at(-1) ?? '',
  };
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

interface Judged {
  readonly cells: readonly FailureCell[];
  readonly template: string | undefined;
  readonly message: string | undefined;
  readonly category: string;
}

/** The agent refused the edit for another reason than its text. */
const REFUSED_EDIT = /^File has /;
/** Of a check, such a message is about the code. */
const UNCLEAR: ReadonlySet<string> = new Set([OTHER_CATEGORY, 'runtime_error']);
const MISSING: ReadonlySet<string> = new Set(['missing_path']);

function judgeClass({ cells, template, message = '', category }: Judged): KindClass {
  if (template === undefined || !isTelling(template)) return 'status';
  if (VERDICT_CATEGORIES.has(category) || isConflict(category, template)) return 'verdict';
  if (category === 'stale_edit') return REFUSED_EDIT.test(template) ? 'harness' : 'edit-text';
  if (category === 'network_error' || (category === OTHER_CATEGORY && isWorld(message))) return 'world';
  if (UNCLEAR.has(category) && cells.every(isCheck)) return 'verdict';
  return MISSING.has(category) && isAnotherEachTime(cells) ? 'exploration' : 'command';
}

/** Two changes of one place. Git refuses other merges, so that the agent saves its changes first. */
function isConflict(category: string, template: string): boolean {
  return category === 'merge_conflict' && !/would be overwritten by/i.test(template);
}

function isCheck({ intentKey }: FailureCell): boolean {
  return intentKey?.startsWith('check ') === true;
}

/** More than half of them are about an object of their own. */
function isAnotherEachTime(cells: readonly FailureCell[]): boolean {
  const more = cells.reduce((sum, { objects }) => sum + objects - 1, 0);
  const times = sumCounts(cells);
  return times > 1 && (new Set(cells.map(({ object }) => object)).size + more) * 2 > times;
}

/** Says that something failed, not what. */
const EMPTY_WORDS = new Set(
  'exit status code error errors fail failed failure warning package issue issues problem problems line file test tests found with from the and for'.split(
    ' ',
  ),
);
const WORD = /\p{L}{3,}/gu;

/** Is there a word in it that tells it from any other failure? */
export function isTelling(template: string): boolean {
  const words = template.replaceAll(MASK, ' ').toLowerCase().match(WORD) ?? [];
  return words.some((word) => !EMPTY_WORDS.has(word));
}
