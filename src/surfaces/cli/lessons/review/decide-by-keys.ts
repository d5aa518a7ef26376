/** One thing at a time, by keys: each decision is carried out at once, and can be taken back. */
import { UserError } from '../../../../base/errors.ts';
import type { Terminal } from '../../command.ts';

interface KeyedDecision<Verdict extends string> {
  /** `archive`: what the person sees. */
  readonly label: string;
  /** One line for a person. */
  readonly help: string;
  readonly verdict: Verdict;
  /** Absent: there is nothing to do. False when nothing was changed: the person decides again. */
  act?(name: string): Promise<boolean>;
  /** Whoever acts needs the terminal. */
  readonly needsTerminal?: true;
}

export interface KeyedReview<Verdict extends string> {
  /** By key. The key `s` is there and does nothing. */
  readonly decisions: Readonly<Record<string, KeyedDecision<Verdict | 'skipped'>>>;
  readonly names: readonly string[];
  renderCard(name: string, columns: number): Promise<string>;
  /** Takes back what this verdict did. */
  undo(name: string, verdict: Verdict): Promise<void>;
}

export interface Decision<Verdict extends string> {
  readonly slug: string;
  readonly verdict: Verdict | 'skipped';
}

const SAME: Readonly<Record<string, string>> = { n: 's', ' ': 's', '\r': 's', '\x1b': 'q', h: '?' };

/** `open` is called again after what needs the terminal: meanwhile it is the editor's. */
export async function decideByKeys<Verdict extends string>(
  open: () => Terminal,
  review: KeyedReview<Verdict>,
): Promise<readonly Decision<Verdict>[]> {
  const { names, decisions } = review;
  const decided: Decision<Verdict>[] = [];
  const keys = renderKeys(decisions);
  let terminal = open();
  const withoutTerminal = async (act: () => Promise<string>): Promise<string> => {
    terminal.close();
    try {
      return await act();
    } finally {
      terminal = open();
    }
  };
  try {
    while (decided.length < names.length) {
      const name = names[decided.length] ?? '';
      const card = await review.renderCard(name, terminal.columns);
      terminal.write(`\n${decided.length + 1} of ${names.length}  ${name}\n${card}\n\n${keys}\n`);
      const key = await readAnswer(terminal, decisions);
      if (key === undefined) break;
      const act = (): Promise<string> => answer(key, name, decided, review);
      const told = decisions[key]?.needsTerminal === true ? await withoutTerminal(act) : await act();
      terminal.write(`  ${told}\n`);
    }
    return decided;
  } finally {
    terminal.close();
  }
}

/** The result in words. A lesson that another process changed does not end the review. */
async function answer<Verdict extends string>(
  key: string,
  slug: string,
  decided: Decision<Verdict>[],
  review: KeyedReview<Verdict>,
): Promise<string> {
  const decision = review.decisions[key];
  try {
    if (decision === undefined) return await takeBack(decided, review);
    if (decision.act !== undefined && !(await decision.act(slug))) return 'nothing was changed';
    decided.push({ slug, verdict: decision.verdict });
    return decision.verdict;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (decision !== undefined && decision.needsTerminal !== true) decided.push({ slug, verdict: 'skipped' });
    return `${error.subject}: ${error.reason}\n  next: ${error.next}`;
  }
}

async function takeBack<Verdict extends string>(
  decided: Decision<Verdict>[],
  { undo }: KeyedReview<Verdict>,
): Promise<string> {
  const last = decided.at(-1);
  if (last === undefined) return 'nothing was decided yet';
  if (last.verdict !== 'skipped') await undo(last.slug, last.verdict);
  decided.pop();
  return `taken back: ${last.slug} was ${last.verdict}`;
}

/** Undefined to leave. */
async function readAnswer(
  terminal: Terminal,
  decisions: KeyedReview<string>['decisions'],
): Promise<string | undefined> {
  for (;;) {
    const typed = await terminal.readKey();
    const key = typed === undefined ? 'q' : (SAME[typed] ?? typed.toLowerCase());
    if (key === 'q') return undefined;
    if (key === '?') terminal.write(`${renderHelp(decisions)}\n${renderKeys(decisions)}\n`);
    if (key === 'u' || Object.hasOwn(decisions, key)) return key;
  }
}

function renderKeys(decisions: KeyedReview<string>['decisions']): string {
  const own = Object.entries(decisions).map(([key, { label }]) => `${key} ${label}`);
  return [...own, 'u undo', 'q quit', '? help'].join('  ');
}

function renderHelp(decisions: KeyedReview<string>['decisions']): string {
  const own = Object.entries(decisions).map(([key, { help }]) => `  ${key}  ${help}`);
  return [
    '',
    ...own,
    '  u  undo the last decision and look at that lesson again',
    '  q  quit; your decisions stay         Ctrl+C: the same',
    '',
  ].join('\n');
}
