/**
 * `oncebitten lessons review`: shows drafts and lessons that need review, the most important first, and takes the
 * user's decision on each by a key. Without a terminal the command prints a list, and the user decides by name
 * (`--approve`, `--reject`). `decideByKeys` and `renderCard` also serve `stats backtest --fix`.
 */

import { UserError } from '../../../base/errors.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { isWaiting } from '../../../base/model/lesson-trust.ts';
import { compareTexts } from '../../../base/records.ts';
import { renderConditions } from '../../../base/triggers/render-triggers.ts';
import { approveLesson } from '../../../promote/lesson-states.ts';
import { isRefused } from '../../../promote/transition.ts';
import { getKnown, getNamed } from '../arguments/lessons.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import type { CommandInput, CommandResult, Handler, Terminal } from '../command.ts';
import { usageError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { toCount, toLine } from '../text.ts';
import { fitText } from '../wrapping.ts';
import { runApprove as approve, runReject as reject } from './change-lessons.ts';
import { run as edit } from './edit.ts';
import { findBackTest, findWarning, listHeldReasons, listMeasured, listSaid, renderRank } from './lesson-details.ts';
import { run as undo } from './undo.ts';

const COLUMNS = 100;

type Choice = 'approved' | 'edited' | 'rejected';

export const run: Handler = async (input) => {
  const { approve: approved, reject: rejected } = input.options as Readonly<Record<string, readonly string[]>>;
  if (approved !== undefined || rejected !== undefined) return decideByName(input, approved, rejected);
  const waiting = await readHome(input, async ({ store, settings }) =>
    toPage(listReview(await store.listLessons()), input.options, settings.maxCandidatesPerScan),
  );
  if (waiting.total === 0)
    return { json: waiting, text: 'No drafts to review. See the active lessons: oncebitten lessons list' };
  if (input.openTerminal === undefined || input.options.list === true) return listAll(input, waiting);
  const on = (slug: string): CommandInput => ({ ...input, arguments: [slug], options: {} });
  const decided = await decideByKeys<Choice>(input.openTerminal, {
    names: waiting.items.map(({ slug }) => slug),
    decisions: {
      a: {
        label: 'approve',
        help: 'approve: it fires from now on',
        verdict: 'approved',
        act: (slug) => approve(on(slug)),
      },
      e: {
        ...{
          label: 'edit',
          help: 'edit it first (opens your editor)',
          verdict: 'edited',
          act: (slug) => edit(on(slug)),
        },
        needsTerminal: true,
      },
      r: {
        ...{ label: 'reject', help: 'reject: it is archived, and not learned again' },
        ...{ verdict: 'rejected', act: (slug) => reject(on(slug)) },
      },
      s: { label: 'skip', help: 'skip: it keeps waiting            n or space: the same', verdict: 'skipped' },
    },
    renderCard: (slug, columns) => renderCard(input, slug, columns),
    undo: (slug) => undo(on(slug)),
  });
  const counts = countChoices(decided, ['approved', 'edited', 'rejected', 'skipped']) || 'Nothing was decided';
  const done = decided.filter(({ verdict }) => verdict !== 'skipped').length;
  return {
    json: { decided },
    text: `${counts}; ${waiting.total - done} still wait. Undo a decision: oncebitten lessons undo <slug>`,
  };
};

/** Drafts and lessons that need review, the most important first. */
function listReview(lessons: readonly Lesson[]): readonly Lesson[] {
  return lessons
    .filter(isWaiting)
    .sort(
      (a, b) =>
        b.priority - a.priority ||
        b.sessions - a.sessions ||
        b.confidence - a.confidence ||
        compareTexts(a.slug, b.slug),
    );
}

async function listAll(input: CommandInput, page: Page<Lesson>): Promise<CommandResult> {
  const cards: string[] = [];
  for (const { slug } of page.items) cards.push(`${slug}\n${await renderCard(input, slug, COLUMNS)}`);
  const next = 'Decide: oncebitten lessons review --approve <slug> --reject <slug>, or run it in a terminal.';
  return { json: page, text: [...cards, renderRest(page).join(''), next].filter((part) => part !== '').join('\n\n') };
}

/** All of them or none, each kind for itself: unknown names are found before anything is changed. */
async function decideByName(
  input: CommandInput,
  toApprove: readonly string[] = [],
  toReject: readonly string[] = [],
): Promise<CommandResult> {
  const [approved, rejected] = await readHome(input, async ({ store }) => {
    const toSlugs = async (names: readonly string[]) => {
      const slugs: string[] = [];
      for (const name of names) slugs.push((await getNamed(store, name)).slug);
      return slugs;
    };
    return [await toSlugs(toApprove), await toSlugs(toReject)] as const;
  });
  const both = approved.find((name) => rejected.includes(name));
  if (both !== undefined) {
    const next = 'give it once: oncebitten lessons review --approve … --reject …';
    throw usageError(`lesson ${both}`, 'was given to both --approve and --reject', next);
  }
  const { reason } = input.options;
  const options = reason === undefined ? {} : { reason };
  const results: CommandResult[] = [];
  if (approved.length > 0) results.push(await approve({ ...input, arguments: approved, options }));
  if (rejected.length > 0) results.push(await reject({ ...input, arguments: rejected, options }));
  const decided: readonly Decision<Choice>[] = [
    ...approved.map((slug) => ({ slug, verdict: 'approved' as const })),
    ...rejected.map((slug) => ({ slug, verdict: 'rejected' as const })),
  ];
  return { json: { decided }, text: results.map(({ text }) => text).join('\n') };
}

const LABEL = 14;
const MAX_EVIDENCE = 3;
const MIN_COLUMNS = 40;

/** The text, triggers and evidence of a lesson as it is now, for the user who decides about it. No text is cut. */
export function renderCard(input: CommandInput, slug: string, columns: number): Promise<string> {
  return readHome(input, async ({ store, settings }) => {
    const lesson = getKnown(slug, await store.findLesson(slug));
    const history = await store.listLessonHistory(lesson.id);
    const project = (await readProjectLabels(store)).get(lesson.scope.id ?? '');
    // As it would be once it is approved.
    const approved = approveLesson(lesson, { by: '', at: lesson.updatedAt, command: '' }, settings.minConfidence);
    const warning = isRefused(approved) ? undefined : findWarning(approved.lesson, settings);
    const row = (label: string, text: string): string => `  ${label.padEnd(LABEL - 2)}${toLine(text)}`;
    const { type, occurrences, sessions, projects, origin, scope } = lesson;
    const lines = [
      toLine(lesson.summary),
      '',
      row('mistake', lesson.mistake),
      row('fix', lesson.remediation),
      ...listSaid(lesson).map((text) => row('says', text)),
      row('fires on', renderConditions(lesson.triggers)),
      ...(warning === undefined ? [] : [row('but', warning)]),
      ...listHeldReasons(lesson, history).map((reason) => row('held back', reason)),
      ...listMeasured(lesson).map(([label, text]) => row(label, text)),
      row('past calls', findBackTest(history) ?? 'not tried on past calls'),
      row(
        'seen',
        `${toCount(occurrences, 'time')} in ${toCount(sessions, 'session')}, ${toCount(projects, 'project')}`,
      ),
      row('for', project === undefined ? scope.kind : `${scope.kind} ${project}`),
      row('rank', `${type}, ${renderRank(lesson)}`),
      row('from', `${origin.kind} (${origin.by}), ${origin.trust}`),
      ...lesson.evidence.slice(-MAX_EVIDENCE).map((one) => row('evidence', toEvidence(one))),
    ];
    return fitText(lines.join('\n'), Math.max(MIN_COLUMNS, columns));
  });
}

function toEvidence({ agent, sessionId, at, excerpt, file, lines }: Lesson['evidence'][number]): string {
  const place =
    file === undefined ? `session ${sessionId}` : `${file}${lines === undefined ? '' : `:${lines[0]}-${lines[1]}`}`;
  return `${at.slice(0, 10)} ${agent}, ${place}${excerpt === undefined ? '' : `: ${excerpt}`}`;
}

interface KeyedDecision<Choice extends string> {
  /** `archive`: what the person sees. */
  readonly label: string;
  /** One line for a person. */
  readonly help: string;
  readonly verdict: Choice;
  /** Runs the command. Absent: there is nothing to do. */
  act?(name: string): Promise<CommandResult>;
  /** The command needs the terminal for itself. */
  readonly needsTerminal?: true;
}

interface KeyedReview<Choice extends string> {
  /** By key. The key `s` is there and does nothing. */
  readonly decisions: Readonly<Record<string, KeyedDecision<Choice | 'skipped'>>>;
  readonly names: readonly string[];
  renderCard(name: string, columns: number): Promise<string>;
  /** Takes back what this choice did. */
  undo(name: string, verdict: Choice): Promise<unknown>;
}

export interface Decision<Choice extends string> {
  readonly slug: string;
  readonly verdict: Choice | 'skipped';
}

const SAME: Readonly<Record<string, string>> = { n: 's', ' ': 's', '\r': 's', '\x1b': 'q', h: '?' };

/**
 * One lesson at a time, by keys: each decision is carried out at once, and can be taken back. `open` is called again
 * after a command that needs the terminal, which belongs to the editor meanwhile.
 */
export async function decideByKeys<Choice extends string>(
  open: () => Terminal,
  review: KeyedReview<Choice>,
): Promise<readonly Decision<Choice>[]> {
  const { names, decisions } = review;
  const decided: Decision<Choice>[] = [];
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
      const done = decisions[key]?.needsTerminal === true ? await withoutTerminal(act) : await act();
      terminal.write(`  ${done}\n`);
    }
    return decided;
  } finally {
    terminal.close();
  }
}

/** The result in words. A lesson that another process changed does not end the review. */
async function answer<Choice extends string>(
  key: string,
  slug: string,
  decided: Decision<Choice>[],
  review: KeyedReview<Choice>,
): Promise<string> {
  const decision = review.decisions[key];
  try {
    if (decision === undefined) return await takeBack(decided, review);
    if (isUnchanged(await decision.act?.(slug))) return 'nothing was changed';
    decided.push({ slug, verdict: decision.verdict });
    return decision.verdict;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (decision !== undefined && decision.needsTerminal !== true) decided.push({ slug, verdict: 'skipped' });
    return `${error.subject}: ${error.reason}\n  next: ${error.next}`;
  }
}

/** The user left the editor without a change, and decides again. */
function isUnchanged(result: CommandResult | undefined): boolean {
  const { changed } = (result?.json ?? {}) as { readonly changed?: readonly string[] };
  return changed?.length === 0;
}

async function takeBack<Choice extends string>(
  decided: Decision<Choice>[],
  { undo }: KeyedReview<Choice>,
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

/** `2 approved, 1 skipped`; empty if nothing was decided. */
export function countChoices(decided: readonly Decision<string>[], choices: readonly string[]): string {
  const counts = choices.map((choice) => [decided.filter(({ verdict }) => verdict === choice).length, choice] as const);
  return counts.flatMap(([count, choice]) => (count === 0 ? [] : [`${count} ${choice}`])).join(', ');
}
