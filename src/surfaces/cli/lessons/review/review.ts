/**
 * `oncebitten lessons review`: shows drafts and lessons that need review, the most important first, and takes the
 * user's decision on each by a key. Without a terminal the command prints a list, and the user decides by name
 * (`--approve`, `--reject`).
 */

import type { Lesson } from '../../../../base/model/lesson.ts';
import { isWaiting } from '../../../../base/model/lesson-trust.ts';
import { toWholeNames } from '../../arguments/lessons.ts';
import type { CommandInput, CommandResult, Handler, Terminal } from '../../command.ts';
import { usageError } from '../../errors.ts';
import { readHome } from '../../open-home.ts';
import { type Page, renderRest, toPage } from '../../paging.ts';
import { run as edit } from '../edit.ts';
import { runApprove as approve, runReject as reject } from '../status.ts';
import { run as undo } from '../undo.ts';
import { type Card, readCard, renderCard } from './card.ts';
import { type Decision, decideByKeys, type KeyedReview } from './decide-by-keys.ts';

const COLUMNS = 100;

interface ReviewOptions {
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
}

export const run: Handler = async (input) => {
  const { approve: approved, reject: rejected } = input.options as ReviewOptions;
  if (approved !== undefined || rejected !== undefined) {
    const toWhole = (names: readonly string[] = []) => readHome(input, ({ store }) => toWholeNames(store, names));
    return decideByName(input, await toWhole(approved), await toWhole(rejected));
  }
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
  const next = 'Decide: oncebitten lessons review --approve <slug> --reject <slug>, or run it in a terminal.';
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
    const next = 'give it once: oncebitten lessons review --approve … --reject …';
    throw usageError(`lesson ${both}`, 'was given to both --approve and --reject', next);
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
  return `${told}; ${all - done} still wait. Undo a decision: oncebitten lessons undo <slug>`;
}

type Done = 'approved' | 'edited' | 'rejected';
type Decided = Decision<Done>;

interface ReviewActions {
  approve(slug: string): Promise<void>;
  reject(slug: string): Promise<void>;
  /** Takes back the last change of the lesson. */
  undo(slug: string): Promise<void>;
  /** False when nothing was changed. */
  edit(slug: string): Promise<boolean>;
  /** The lesson as it is now: an edit changes its card. */
  readCard(slug: string): Promise<Card>;
}

/** What waits for a person, one lesson at a time, by keys. */
function runReview(
  open: () => Terminal,
  slugs: readonly string[],
  actions: ReviewActions,
): Promise<readonly Decided[]> {
  return decideByKeys<Done>(open, {
    names: slugs,
    decisions: makeDecisions(actions),
    renderCard: async (slug, columns) => renderCard(await actions.readCard(slug), columns),
    undo: actions.undo,
  });
}

function makeDecisions({ approve, reject, edit }: ReviewActions): KeyedReview<Done>['decisions'] {
  const always = (act: (slug: string) => Promise<void>) => (slug: string) => act(slug).then(() => true);
  return {
    a: { label: 'approve', help: 'approve: it fires from now on', verdict: 'approved', act: always(approve) },
    e: {
      ...{ label: 'edit', help: 'edit it first (opens your editor)', verdict: 'edited', act: edit },
      needsTerminal: true,
    },
    r: {
      ...{ label: 'reject', help: 'reject: it is archived, and not learned again' },
      ...{ verdict: 'rejected', act: always(reject) },
    },
    s: { label: 'skip', help: 'skip: it keeps waiting            n or space: the same', verdict: 'skipped' },
  };
}

/** Drafts and lessons that need review, the most important first. */
function listReview(lessons: readonly Lesson[]): readonly Lesson[] {
  return lessons.filter(isWaiting).sort(byWeight);
}

function byWeight(a: Lesson, b: Lesson): number {
  return (
    b.priority - a.priority ||
    b.sessions - a.sessions ||
    b.confidence - a.confidence ||
    (a.slug < b.slug ? -1 : Number(a.slug > b.slug))
  );
}
