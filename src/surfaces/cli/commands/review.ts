/** `oncebitten review`: what waits for a person, one lesson at a time; or, without a terminal, as a list and by names. */
import type { Lesson } from '../../../base/lesson.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../page.ts';
import { listReview } from '../review/list-review.ts';
import { readCard } from '../review/read-card.ts';
import { renderCard } from '../review/render-card.ts';
import { type Decided, type ReviewActions, runReview } from '../review/run-review.ts';
import { UsageError } from '../usage-error.ts';
import { run as approve } from './lessons-approve.ts';
import { run as edit } from './lessons-edit.ts';
import { run as reject } from './lessons-reject.ts';
import { run as undo } from './lessons-undo.ts';

const COLUMNS = 100;

interface ReviewOptions {
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
}

export const run: Handler = async (input) => {
  const { approve: approved, reject: rejected } = input.options as ReviewOptions;
  if (approved !== undefined || rejected !== undefined) return decideByName(input, approved ?? [], rejected ?? []);
  const waiting = await readHome(input, async ({ store, settings }) =>
    toPage(listReview(await store.listLessons()), input.options, settings.maxCandidatesPerScan),
  );
  if (waiting.total === 0)
    return { json: waiting, text: 'No drafts to review. See the active lessons: oncebitten lessons list' };
  if (input.openTerminal === undefined || input.options.list === true) return listAll(input, waiting);
  const slugs = waiting.items.map(({ slug }) => slug);
  const decided = await runReview(input.openTerminal, slugs, makeActions(input));
  return { json: { decided }, text: renderEnd(decided, waiting.total) };
};

function makeActions(input: CommandInput): ReviewActions {
  const on = (slug: string): CommandInput => ({ ...input, arguments: [slug], options: {} });
  return {
    approve: async (slug) => void (await approve(on(slug))),
    reject: async (slug) => void (await reject(on(slug))),
    undo: async (slug) => void (await undo(on(slug))),
    edit: async (slug) => ((await edit(on(slug))).json as { changed: readonly string[] }).changed.length > 0,
    readCard: (slug) => readCard(input, slug),
  };
}

async function listAll(input: CommandInput, page: Page<Lesson>): Promise<CommandResult> {
  const cards: string[] = [];
  for (const { slug } of page.items) cards.push(`${slug}\n${renderCard(await readCard(input, slug), COLUMNS)}`);
  const next = 'Decide: oncebitten review --approve <slug> --reject <slug>, or run it in a terminal.';
  return { json: page, text: [...cards, renderRest(page).join(''), next].filter((part) => part !== '').join('\n\n') };
}

/** All of them or none, each kind for itself: names that are unknown are found before anything is changed. */
async function decideByName(
  input: CommandInput,
  approved: readonly string[],
  rejected: readonly string[],
): Promise<CommandResult> {
  const both = approved.find((name) => rejected.includes(name));
  if (both !== undefined) {
    const next = 'give it once: oncebitten review --approve … --reject …';
    throw new UsageError({ subject: `lesson ${both}`, reason: 'is to be approved and rejected', next });
  }
  for (const name of [...approved, ...rejected]) await readCard(input, name);
  const { reason } = input.options;
  const options = reason === undefined ? {} : { reason };
  const results: CommandResult[] = [];
  if (approved.length > 0) results.push(await approve({ ...input, arguments: approved, options }));
  if (rejected.length > 0) results.push(await reject({ ...input, arguments: rejected, options }));
  const decided: readonly Decided[] = [
    ...approved.map((slug) => ({ slug, verdict: 'approved' as const })),
    ...rejected.map((slug) => ({ slug, verdict: 'rejected' as const })),
  ];
  return { json: { decided }, text: results.map(({ text }) => text).join('\n') };
}

function renderEnd(decided: readonly Decided[], all: number): string {
  const count = (verdict: string): number => decided.filter((one) => one.verdict === verdict).length;
  const done = decided.filter(({ verdict }) => verdict !== 'skipped').length;
  const parts = ['approved', 'edited', 'rejected', 'skipped'].flatMap((verdict) =>
    count(verdict) === 0 ? [] : [`${count(verdict)} ${verdict}`],
  );
  const told = parts.length === 0 ? 'Nothing was decided' : parts.join(', ');
  return `${told}; ${all - done} still wait. Take a decision back: oncebitten lessons undo <slug>`;
}
