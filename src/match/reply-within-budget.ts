/**
 * Makes the text that an agent reads at one call: the lessons that fit into the budget of lessons and bytes (the first
 * always fits), the lessons of a dense tool as one text, the lines about a paused, refused or changed call, and the
 * trailer. Also decides the delivery mode of a lesson.
 */

import { OWN_REFUSAL } from '../base/contracts/agent-adapter.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../base/model/lesson.ts';
import { type CompiledLesson, type CompiledSkill, toSkillKey } from '../base/model/manifest.ts';
import type { Settings } from '../base/model/settings.ts';
import { groupBy } from '../base/records.ts';
import { toHarmless, toHarmlessLine } from './harmless-text.ts';
import type { Manifest } from './manifest.ts';
import type { LessonGroupText, Match } from './match-lessons.ts';

export interface ShownLesson {
  readonly match: Match;
  readonly text: string;
  readonly mode: DeliveryMode;
}

export interface DeliveredText {
  /** The whole text as the agent reads it. Empty if no lesson is shown. */
  readonly text: string;
  readonly shown: readonly ShownLesson[];
}

type Limits = Pick<Settings, 'injectionBudgetBytes' | 'maxLessonsPerInjection'>;

const SEPARATOR = '\n\n';
/** The mode is known only after the claim, so the budget reserves room for the longest name. */
const LONGEST: DeliveryMode = 'rewrite';

/**
 * `claim` returns the delivery mode of a lesson, or undefined if the lesson may not be shown. It is called only for
 * lessons that will be shown, because a lesson that is claimed but not shown would be lost.
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
    // Without text there is nothing to claim: a budget of zero bytes switches lessons off.
    const mode = fitting && claim(match);
    if (fitting === undefined || mode === undefined) continue;
    shown.push({ match, text: fitting.text, mode });
    hasTrailer = fitting.hasTrailer;
  }
  const all = frameGroups(shown, (some) => Buffer.byteLength(join(some, hasTrailer)) <= injectionBudgetBytes);
  return { text: join(all, hasTrailer), shown: all };
}

/** Is the lesson part of the same group as the last one? */
function isNext({ together }: Match, shown: readonly ShownLesson[]): boolean {
  return together !== undefined && together === shown.at(-1)?.match.together;
}

/** The lessons of a group count as one. */
function countShown(shown: readonly ShownLesson[]): number {
  return new Set(shown.map(({ match }) => match.together ?? match)).size;
}

/** The corrected command line of the call at hand; undefined if the lesson has no certain correction. */
type Correct = (match: Match) => string | undefined;

const MAX_CORRECTED = 300;

/** Renders the correction as code on its own line. Empty for text that would not read as one command. */
export function toCorrection(command = ''): string {
  const isUsable = command !== '' && command.length <= MAX_CORRECTED && !/[`\n]/.test(command);
  return isUsable && toHarmless(command) === command ? `\nThis call, corrected: \`${command}\`` : '';
}

interface Fitting {
  readonly text: string;
  readonly hasTrailer: boolean;
}

/** If room is short, the trailer is dropped before any word of the first lesson's summary. */
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

/**
 * Keeps as many whole words as fit and leaves no quote open. Simpler than `base/text/short-text.ts`, because it runs
 * while an agent waits.
 */
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

type Fits<T> = (parts: readonly T[]) => boolean;

const BESIDE = 'Also known:';

/**
 * Adds the texts around the lessons of a group: a line before the first and other known lessons after the last. The
 * lessons take precedence; the added texts are left out if they do not fit.
 */
function frameGroups<T extends Part>(parts: readonly T[], fits: Fits<T>): readonly T[] {
  let all = parts;
  for (const [together, members] of groupBy(parts, ({ match }) => match.together)) {
    if (together === undefined || members.length < 2) continue;
    all = change(all, findPlace(all, together, 'first'), (text) => `${together.head}\n${text}`, fits);
    let head = `\n\n${BESIDE}`;
    for (const line of together.alsoKnown) {
      const begin = head;
      const more = change(all, findPlace(all, together, 'last'), (text) => `${text}${begin}\n${line}`, fits);
      if (more !== all) head = '';
      all = more;
    }
  }
  return all;
}

function findPlace(parts: readonly Part[], together: LessonGroupText, which: 'first' | 'last'): number {
  const isMember = ({ match }: Part): boolean => match.together === together;
  return which === 'first' ? parts.findIndex(isMember) : parts.findLastIndex(isMember);
}

/** Returns the same list if the changed text does not fit. */
function change<T extends Part>(
  parts: readonly T[],
  at: number,
  toText: (text: string) => string,
  fits: Fits<T>,
): readonly T[] {
  const changed = parts.map((one, i) => (i === at ? { ...one, text: toText(one.text) } : one));
  return fits(changed) ? changed : parts;
}

/** May the lesson be mentioned here? A muted or withheld lesson may not. */
type MayMention = (lesson: CompiledLesson) => boolean;

/**
 * Delivers the lessons of a dense tool that fire on one call as one text: first the tool, then the lessons that fire,
 * then one line for each other lesson. A single lesson stays as it is. `matches` are ordered, best first; the group
 * takes the position of its best lesson.
 */
export function combineDense(
  matches: readonly Match[],
  manifest: Manifest,
  projectId: string,
  mayMention: MayMention,
): readonly Match[] {
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const byTool = groupBy(matches, ({ lesson }) => lesson.dense ?? '');
  return matches.flatMap((match) => {
    const { dense } = match.lesson;
    const members = dense === undefined ? [match] : (byTool.get(dense) ?? [match]);
    const skill = dense === undefined ? undefined : findSkill(manifest, projectId, dense);
    if (members.length < 2 || skill === undefined) return [match];
    if (members[0] !== match) return [];
    const together = toGroupText(members, skill, manifest, mayMention);
    return members.map((member) => ({ ...member, together }));
  });
}

/** A lesson that is only mentioned is not claimed and may be shown later. Its words may come from outside. */
function toGroupText(
  members: readonly Match[],
  skill: CompiledSkill,
  manifest: Manifest,
  mayMention: MayMention,
): LessonGroupText {
  const firing = new Set(members.map(({ lesson }) => lesson.id));
  const others = manifest.list(skill.lessons).filter((one) => !firing.has(one.id) && mayMention(one));
  return { head: skill.head, alsoKnown: others.map(({ summary }) => `- ${toHarmlessLine(summary)}`) };
}

function findSkill({ header }: Manifest, projectId: string, tool: string): CompiledSkill | undefined {
  return header.skills?.[toSkillKey(projectId, tool)] ?? header.skills?.[toSkillKey('', tool)];
}

interface ModeLimits {
  /** The limit that the user set. */
  readonly maxMode: DeliveryMode;
  /** The modes that the agent supports. */
  readonly modes: readonly DeliveryMode[];
  /** The correction is certain for this very call. */
  readonly canRewrite: boolean;
}

/** The mode goes no further than the lesson, the user's settings and the agent allow. */
export function decideMode(
  { mode }: Pick<CompiledLesson, 'mode'>,
  { maxMode, modes, canRewrite }: ModeLimits,
): DeliveryMode {
  const may = (wanted: DeliveryMode): boolean => modes.includes(wanted) && toRank(wanted) <= toRank(maxMode);
  if (mode === 'note') return 'note';
  if (mode === 'block' && may('block')) return 'block';
  // A lesson that blocks does not rewrite.
  if (mode === 'rewrite' && canRewrite && may('rewrite')) return 'rewrite';
  return may('pause') ? 'pause' : 'note';
}

function toRank(mode: DeliveryMode): number {
  return DELIVERY_MODES.indexOf(mode);
}

type Named = Pick<CompiledLesson, 'slug' | 'summary'>;

/** The first line of a refusal for the agent, by which we recognize our refusals; shortened if the budget is small. */
export function renderRefusal(mode: 'pause' | 'block', budgetBytes: number): string {
  return mode === 'block'
    ? choose(budgetBytes, `${OWN_REFUSAL}: the user wants calls like it refused.`, OWN_REFUSAL)
    : choose(
        budgetBytes,
        `${OWN_REFUSAL}, once. Nothing has run. Correct it as described below. If it is right, repeat the same call: it will run.`,
        `${OWN_REFUSAL}, once: made again, it runs.`,
      );
}

/** The line about a rewritten call for the agent. */
export function renderRewrite(
  { from, to }: { readonly from: string; readonly to: string },
  budgetBytes: number,
): string {
  const what = `\`${to}\` instead of \`${from}\``;
  return choose(
    budgetBytes,
    `Oncebitten changed this call before it ran: ${what}. To run it unchanged, repeat the original call.`,
    `Oncebitten: ${what}. Made again, it runs as it is.`,
  );
}

/** The long form, if it leaves at least half of the budget to the lesson. */
function choose(budgetBytes: number, long: string, short: string): string {
  return 2 * Buffer.byteLength(long) <= budgetBytes ? long : short;
}

/** The notice for the user, who does not see the agent's text. Text from outside cannot add a line to it. */
export function renderNotice(mode: Exclude<DeliveryMode, 'note'>, what: string, lessons: readonly Named[]): string {
  return [
    `Oncebitten ${DONE[mode]} ${toHarmlessLine(what)}:`,
    ...lessons.map(
      ({ slug, summary }) => `  ${toHarmlessLine(summary)}\n  mute it: oncebitten lessons mute ${toHarmlessLine(slug)}`,
    ),
  ].join('\n');
}

const DONE = {
  pause: 'paused',
  block: 'refused',
  rewrite: 'changed',
} as const;

interface Trailed {
  readonly lesson: Pick<CompiledLesson, 'slug' | 'why'>;
  readonly mode: DeliveryMode;
  readonly score: number;
}

/**
 * The trailer: the last line of a delivered text, which tells programs which lessons were shown and why. The same call
 * gives the same bytes, so a trailer contains no delivery ids and no times.
 */
export function renderTrailer(trailed: readonly Trailed[]): string {
  const shown = trailed.map(({ lesson, mode, score }) => {
    return { lesson: lesson.slug, mode, score, why: toHarmless(lesson.why ?? '') };
  });
  // The JSON must neither end the comment nor open a tag.
  const json = JSON.stringify({ shown }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `<!-- oncebitten: ${json} -->`;
}

export interface TrailerEntry {
  /** The slug. */
  readonly lesson: string;
  readonly mode: DeliveryMode;
}

const QUOTE = String.raw`\\*"`;
const TRAILER_BEGIN = 'oncebitten: {';
const ENTRY = new RegExp(['lesson', ':', '([^"\\\\]+)', ',', 'mode', ':', '(\\w+)', ''].join(QUOTE), 'g');
/** A trailer is one line, also where it is quoted. */
const TRAILER_END = /-->|\n/;
/** Longer than any trailer within the budget. */
const MAX_TRAILER_CHARS = 16_384;

/** Finds the trailers in a text, also where they are quoted as JSON in a transcript. */
export function parseTrailers(text: string): readonly TrailerEntry[] {
  const entries: TrailerEntry[] = [];
  for (let at = text.indexOf(TRAILER_BEGIN); at !== -1; at = text.indexOf(TRAILER_BEGIN, at + 1)) {
    const rest = text.slice(at, at + MAX_TRAILER_CHARS);
    const trailer = rest.slice(0, rest.search(TRAILER_END) + 1);
    for (const [, lesson = '', name] of trailer.matchAll(ENTRY)) {
      const mode = DELIVERY_MODES.find((one) => one === name);
      if (mode !== undefined) entries.push({ lesson, mode });
    }
  }
  return entries;
}
