/** One lesson at a time, by keys: each decision is carried out at once, and can be taken back. */
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

export async function runReview(
  terminal: Terminal,
  slugs: readonly string[],
  actions: ReviewActions,
): Promise<readonly Decided[]> {
  const decided: Decided[] = [];
  const decide = (slug: string, verdict: Verdict): void => {
    decided.push({ slug, verdict });
    terminal.write(`  ${verdict}\n`);
  };
  while (decided.length < slugs.length) {
    const slug = slugs[decided.length] ?? '';
    const card = renderCard(await actions.readCard(slug), terminal.columns);
    terminal.write(`\n${decided.length + 1} of ${slugs.length}  ${slug}\n${card}\n\n${KEYS}\n`);
    const key = await readAnswer(terminal);
    if (key === undefined) break;
    if (key === 'a') await actions.approve(slug).then(() => decide(slug, 'approved'));
    if (key === 'r') await actions.reject(slug).then(() => decide(slug, 'rejected'));
    if (key === 's') decide(slug, 'skipped');
    if (key === 'e' && (await actions.edit(slug))) decide(slug, 'edited');
    if (key === 'u') await takeBack(terminal, decided, actions);
  }
  return decided;
}

async function takeBack(terminal: Terminal, decided: Decided[], actions: ReviewActions): Promise<void> {
  const last = decided.pop();
  if (last === undefined) return terminal.write('  nothing was decided yet\n');
  if (last.verdict !== 'skipped') await actions.undo(last.slug);
  terminal.write(`  taken back: ${last.slug} was ${last.verdict}\n`);
}

const SAME: Readonly<Record<string, string>> = { n: 's', ' ': 's', '\r': 's', '\x1b': 'q' };
const ANSWERS = 'aersuq';

/** Undefined to leave. */
async function readAnswer(terminal: Terminal): Promise<string | undefined> {
  for (;;) {
    const typed = await terminal.readKey();
    if (typed === undefined) return undefined;
    const key = SAME[typed] ?? typed.toLowerCase();
    if (key === '?' || key === 'h') terminal.write(`${HELP}\n${KEYS}\n`);
    else if (key === 'q') return undefined;
    else if (key.length === 1 && ANSWERS.includes(key)) return key;
  }
}
