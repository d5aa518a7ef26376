/**
 * Chooses the lessons to deliver at one call, limited by a number of lessons and by bytes (including all text around
 * them), and combines the lessons of a dense tool into one text. The first lesson always fits.
 */

import { groupBy } from '../base/group-by.ts';
import type { DeliveryMode } from '../base/model/lesson.ts';
import { type CompiledLesson, type CompiledSkill, toSkillKey } from '../base/model/manifest.ts';
import type { Settings } from '../base/model/settings.ts';
import { toHarmless, toHarmlessLine } from './harmless-text.ts';
import type { Manifest } from './manifest.ts';
import type { LessonGroupText, Match } from './match-lessons.ts';
import { renderTrailer } from './trailer.ts';

export interface ShownLesson {
  readonly match: Match;
  readonly text: string;
  readonly mode: DeliveryMode;
}

export interface DeliveredText {
  /** All of it, as the agent reads it. Empty when nothing is shown. */
  readonly text: string;
  readonly shown: readonly ShownLesson[];
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
): DeliveredText {
  const shown: ShownLesson[] = [];
  let hasTrailer = true;
  for (const match of matches) {
    if (!isNext(match, shown) && countShown(shown) === maxLessonsPerInjection) break;
    const fitting = findFitting(match, shown, { budget: injectionBudgetBytes, hasTrailer, correct });
    // Nothing to say, and so nothing to claim: a budget of no bytes is a way to switch lessons off.
    const mode = fitting && claim(match);
    if (fitting === undefined || mode === undefined) continue;
    shown.push({ match, text: fitting.text, mode });
    hasTrailer = fitting.hasTrailer;
  }
  const all = frameGroups(shown, (some) => Buffer.byteLength(join(some, hasTrailer)) <= injectionBudgetBytes);
  return { text: join(all, hasTrailer), shown: all };
}

/** Told as one with what was said last. */
function isNext({ together }: Match, shown: readonly ShownLesson[]): boolean {
  return together !== undefined && together === shown.at(-1)?.match.together;
}

/** Lessons that are told as one count as one. */
function countShown(shown: readonly ShownLesson[]): number {
  return new Set(shown.map(({ match }) => match.together ?? match)).size;
}

/** The command line of the call at hand as the lesson would have it; undefined where it has nothing certain to say. */
type Correct = (match: Match) => string | undefined;

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
  before: readonly ShownLesson[],
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
  const cut = isFirst ? cutSummary(summary, budget) : '';
  return cut === '' ? undefined : { text: cut, hasTrailer: false };
}

/** As many whole words as fit, and no open quote. `base/text/short-text.ts` does it better; this runs while an agent waits. */
function cutSummary(summary: string, budget: number): string {
  let text = summary;
  while (text !== '' && (Buffer.byteLength(`${text} …`) > budget || isOpen(text)))
    text = text.slice(0, Math.max(0, text.lastIndexOf(' ')));
  return text && `${text} …`;
}

function isOpen(text: string): boolean {
  return ['`', '"'].some((quote) => text.split(quote).length % 2 === 0);
}

function join(shown: readonly ShownLesson[], hasTrailer: boolean): string {
  const texts = shown.map((one) => one.text).join(SEPARATOR);
  if (shown.length === 0 || !hasTrailer) return texts;
  const trailed = shown.map(({ match, mode }) => ({ lesson: match.lesson, mode, score: match.score.total }));
  return `${texts}\n${renderTrailer(trailed)}`;
}

interface Part {
  readonly match: Match;
  readonly text: string;
}

type Fits<T> = (told: readonly T[]) => boolean;

const BESIDE = 'Also known:';

/**
 * What stands around lessons that are told as one: a line before the first, and what else is known after the last.
 * The lessons go before what stands around them: that is left out where it does not fit.
 */
function frameGroups<T extends Part>(told: readonly T[], fits: Fits<T>): readonly T[] {
  let all = told;
  for (const [together, members] of groupBy(told, ({ match }) => match.together)) {
    if (together === undefined || members.length < 2) continue;
    all = change(all, findPlace(all, together, 'first'), (text) => `${together.head}\n${text}`, fits);
    let head = `\n\n${BESIDE}`;
    for (const line of together.beside) {
      const begin = head;
      const more = change(all, findPlace(all, together, 'last'), (text) => `${text}${begin}\n${line}`, fits);
      if (more !== all) head = '';
      all = more;
    }
  }
  return all;
}

function findPlace(told: readonly Part[], together: LessonGroupText, which: 'first' | 'last'): number {
  const isMember = ({ match }: Part): boolean => match.together === together;
  return which === 'first' ? told.findIndex(isMember) : told.findLastIndex(isMember);
}

/** The same list where it would not fit. */
function change<T extends Part>(
  told: readonly T[],
  at: number,
  toText: (text: string) => string,
  fits: Fits<T>,
): readonly T[] {
  const changed = told.map((one, i) => (i === at ? { ...one, text: toText(one.text) } : one));
  return fits(changed) ? changed : told;
}

/** May it be mentioned here? What is muted or withheld is not. */
type MayMention = (lesson: CompiledLesson) => boolean;

/**
 * Lessons of a dense tool that fire on one call are delivered as one text: first the tool, then the lessons that fire, then
 * the others in a line each. A single lesson stays as it is. `matches` are in order, best first: the joined lessons stand
 * where the best of them stood.
 */
export function combineDense(
  matches: readonly Match[],
  manifest: Manifest,
  projectId: string,
  isHeard: MayMention,
): readonly Match[] {
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const byTool = groupBy(matches, ({ lesson }) => lesson.dense ?? '');
  return matches.flatMap((match) => {
    const { dense } = match.lesson;
    const members = dense === undefined ? [match] : (byTool.get(dense) ?? [match]);
    const skill = dense === undefined ? undefined : findSkill(manifest, projectId, dense);
    if (members.length < 2 || skill === undefined) return [match];
    if (members[0] !== match) return [];
    const together = toTogether(members, skill, manifest, isHeard);
    return members.map((member) => ({ ...member, together }));
  });
}

/** What is only mentioned is not claimed, and may be said later. Its words may be anybody's. */
function toTogether(
  members: readonly Match[],
  skill: CompiledSkill,
  manifest: Manifest,
  isHeard: MayMention,
): LessonGroupText {
  const speaking = new Set(members.map(({ lesson }) => lesson.id));
  const others = manifest.list(skill.lessons).filter((one) => !speaking.has(one.id) && isHeard(one));
  return { head: skill.head, beside: others.map(({ summary }) => `- ${toHarmlessLine(summary)}`) };
}

function findSkill({ header }: Manifest, projectId: string, tool: string): CompiledSkill | undefined {
  return header.skills?.[toSkillKey(projectId, tool)] ?? header.skills?.[toSkillKey('', tool)];
}
