/**
 * Chooses what is shown at one call: at most so many lessons, and with everything around them at most so many bytes. The
 * first always fits.
 */
import type { DeliveryMode } from '../base/lesson.ts';
import type { Settings } from '../base/settings.ts';
import type { Match } from './match-lessons.ts';
import { renderTrailer } from './render-trailer.ts';
import { tellTogether } from './tell-together.ts';
import { toHarmless, toHarmlessLine } from './to-harmless.ts';

export interface Shown {
  readonly match: Match;
  readonly text: string;
  readonly mode: DeliveryMode;
}

export interface Said {
  /** All of it, as the agent reads it. Empty when nothing is shown. */
  readonly text: string;
  readonly shown: readonly Shown[];
}

type Limits = Pick<Settings, 'injectionBudgetBytes' | 'maxLessonsPerInjection'>;

const SEPARATOR = '\n\n';
/** Which mode it becomes is known once it is claimed: there must be room for the longest name. */
const LONGEST: DeliveryMode = 'rewrite';

/**
 * `claim` gives the mode in which a lesson speaks, undefined when it may not. It is asked only for a lesson that will be
 * shown: one that is claimed and stays unsaid would be lost.
 */
export function fitBudget(
  matches: readonly Match[],
  { injectionBudgetBytes, maxLessonsPerInjection }: Limits,
  claim: (match: Match) => DeliveryMode | undefined,
  correct: Correct = () => undefined,
): Said {
  const shown: Shown[] = [];
  let hasTrailer = true;
  for (const match of matches) {
    if (!isNext(match, shown) && countSaid(shown) === maxLessonsPerInjection) break;
    const fitting = findFitting(match, shown, { budget: injectionBudgetBytes, hasTrailer, correct });
    // Nothing to say, and so nothing to claim: a budget of no bytes is a way to switch lessons off.
    const mode = fitting && claim(match);
    if (fitting === undefined || mode === undefined) continue;
    shown.push({ match, text: fitting.text, mode });
    hasTrailer = fitting.hasTrailer;
  }
  const all = tellTogether(shown, (some) => Buffer.byteLength(join(some, hasTrailer)) <= injectionBudgetBytes);
  return { text: join(all, hasTrailer), shown: all };
}

/** Told as one with what was said last. */
function isNext({ together }: Match, shown: readonly Shown[]): boolean {
  return together !== undefined && together === shown.at(-1)?.match.together;
}

/** Lessons that are told as one count as one. */
function countSaid(shown: readonly Shown[]): number {
  return new Set(shown.map(({ match }) => match.together ?? match)).size;
}

/** The command line of the call at hand as the lesson would have it; undefined where it has nothing certain to say. */
export type Correct = (match: Match) => string | undefined;

const MAX_CORRECTED = 300;

/** As code in a line of its own, or not at all: what is put together from the call must read as one command. */
export function toCorrection(command = ''): string {
  const isTold = command !== '' && command.length <= MAX_CORRECTED && !/[`\n]/.test(command);
  return isTold && toHarmless(command) === command ? `\nThis call, corrected: \`${command}\`` : '';
}

interface Fitting {
  readonly text: string;
  readonly hasTrailer: boolean;
}

/** The trailer goes before any of the first lesson's summary does. */
function findFitting(
  match: Match,
  before: readonly Shown[],
  { budget, hasTrailer, correct }: { readonly budget: number; readonly hasTrailer: boolean; readonly correct: Correct },
): Fitting | undefined {
  const summary = toHarmlessLine(match.lesson.summary);
  const line = toCorrection(correct(match));
  const { text: whole } = match.lesson;
  const texts = [whole + line, whole, summary + line, summary].filter((text) => text !== '');
  const isFirst = before.length === 0;
  for (const trailed of isFirst ? [true, false] : [hasTrailer]) {
    const fits = (text: string): boolean =>
      Buffer.byteLength(join([...before, { match, text, mode: LONGEST }], trailed)) <= budget;
    const text = texts.find(fits);
    if (text !== undefined) return { text, hasTrailer: trailed };
  }
  const cut = isFirst ? sayLess(summary, budget) : '';
  return cut === '' ? undefined : { text: cut, hasTrailer: false };
}

/** As many whole words as fit, and no open quote. `base/short-text.ts` does it better; this runs while an agent waits. */
function sayLess(summary: string, budget: number): string {
  let text = summary;
  while (text !== '' && (Buffer.byteLength(`${text} …`) > budget || isOpen(text)))
    text = text.slice(0, Math.max(0, text.lastIndexOf(' ')));
  return text && `${text} …`;
}

function isOpen(text: string): boolean {
  return ['`', '"'].some((quote) => text.split(quote).length % 2 === 0);
}

function join(shown: readonly Shown[], hasTrailer: boolean): string {
  const texts = shown.map((one) => one.text).join(SEPARATOR);
  if (shown.length === 0 || !hasTrailer) return texts;
  const trailed = shown.map(({ match, mode }) => ({ lesson: match.lesson, mode, score: match.score.total }));
  return `${texts}\n${renderTrailer(trailed)}`;
}
