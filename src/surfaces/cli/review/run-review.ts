/** One lesson at a time, by keys: each decision is carried out at once, and can be taken back. */
import { UserError } from '../../../base/errors.ts';
import type { Terminal } from '../command.ts';
import { type Card, renderCard } from './render-card.ts';

export type Verdict = 'approved' | 'edited' | 'rejected' | 'skipped';

export interface ReviewActions {
  approve(slug: string): Promise<void>;
  reject(slug: string): Promise<void>;
  /** Takes back the last change of the lesson. */
  undo(slug: string): Promise<void>;
  /** False when nothing was changed. */
  edit(slug: string): Promise<boolean>;
  /** The lesson as it is now: an edit changes its card. */
  readCard(slug: string): Promise<Card>;
}

export interface Decided {
  readonly slug: string;
  readonly verdict: Verdict;
}

const HELP = `
  a  approve: it speaks from now on
  e  edit it first (opens your editor)
  r  reject: it is archived, and not learned again
  s  skip: it waits on                 n or space: the same
  u  undo the last decision and look at that lesson again
  q  leave; what was decided stays     Ctrl+C: the same
`;
const KEYS = 'a approve  e edit  r reject  s skip  u undo  q quit  ? help';
const SAME: Readonly<Record<string, string>> = { n: 's', ' ': 's', '\r': 's', '\x1b': 'q', h: '?' };
const ANSWERS = 'aersu';

/** `open` is called again after an edit: meanwhile the terminal is the editor's. */
export async function runReview(
  open: () => Terminal,
  slugs: readonly string[],
  actions: ReviewActions,
): Promise<readonly Decided[]> {
  const decided: Decided[] = [];
  let terminal = open();
  const edit = async (slug: string): Promise<boolean> => {
    terminal.close();
    try {
      return await actions.edit(slug);
    } finally {
      terminal = open();
    }
  };
  try {
    while (decided.length < slugs.length) {
      const slug = slugs[decided.length] ?? '';
      const card = renderCard(await actions.readCard(slug), terminal.columns);
      terminal.write(`\n${decided.length + 1} of ${slugs.length}  ${slug}\n${card}\n\n${KEYS}\n`);
      const key = await readAnswer(terminal);
      if (key === undefined) break;
      terminal.write(`  ${await answer(key, slug, decided, { ...actions, edit })}\n`);
    }
    return decided;
  } finally {
    terminal.close();
  }
}

/** What came of it, in words. One lesson that cannot be moved (somebody else has) does not end the review of the others. */
async function answer(key: string, slug: string, decided: Decided[], actions: ReviewActions): Promise<string> {
  try {
    if (key === 'u') return await takeBack(decided, actions);
    const verdict = await decide(key, slug, actions);
    if (verdict === undefined) return 'nothing was changed';
    decided.push({ slug, verdict });
    return verdict;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (key === 'a' || key === 'r') decided.push({ slug, verdict: 'skipped' });
    return `${error.subject}: ${error.reason}\n  next: ${error.next}`;
  }
}

async function decide(key: string, slug: string, actions: ReviewActions): Promise<Verdict | undefined> {
  if (key === 's') return 'skipped';
  if (key === 'e') return (await actions.edit(slug)) ? 'edited' : undefined;
  await (key === 'a' ? actions.approve(slug) : actions.reject(slug));
  return key === 'a' ? 'approved' : 'rejected';
}

async function takeBack(decided: Decided[], actions: ReviewActions): Promise<string> {
  const last = decided.at(-1);
  if (last === undefined) return 'nothing was decided yet';
  if (last.verdict !== 'skipped') await actions.undo(last.slug);
  decided.pop();
  return `taken back: ${last.slug} was ${last.verdict}`;
}

/** Undefined to leave. */
async function readAnswer(terminal: Terminal): Promise<string | undefined> {
  for (;;) {
    const typed = await terminal.readKey();
    const key = typed === undefined ? 'q' : (SAME[typed] ?? typed.toLowerCase());
    if (key === 'q') return undefined;
    if (key === '?') terminal.write(`${HELP}\n${KEYS}\n`);
    if (key.length === 1 && ANSWERS.includes(key)) return key;
  }
}
