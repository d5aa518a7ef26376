/**
 * Takes one change of a lesson back, field by field: what others changed since stays. Undoing again and again walks back
 * through the changes; redoing takes back an undo.
 */
import type { ChangeHead, KeptChange, Lesson } from '../base/model/lesson.ts';
import { PROMOTION_REASON } from '../base/model/promotion.ts';
import { acceptTried, DECIDED_BY, isUnproven } from './decide-lesson.ts';
import { measureAnew, toArchived } from './lesson-states.ts';
import { JOINED_BY } from './merge-lessons.ts';
import { type Author, isRefused, type Refusal } from './transition.ts';

interface Undone {
  readonly lesson: Lesson;
  /** Fields that somebody changed since: they stay as they are. */
  readonly kept: readonly string[];
}

type Direction = 'undo' | 'redo';

/** Why a lesson is archived that an undo put away. */
export const UNDONE = 'undone';

const MARK = /^(undo|redo) of (hst_\w+)/;
/** They say when, not what. */
const TIMES = new Set(['updatedAt', 'lastMatchedAt']);

export function toUndoReason(direction: Direction, { id, reason }: ChangeHead): string {
  return `${direction} of ${id}: ${reason.replace(/^(?:(?:undo|redo) of hst_\w+: )+/, '')}`;
}

/** Changes that may be taken back: not undone, or undone and not redone. In the order they were given. */
export function listOpenChanges<T extends ChangeHead>(history: readonly T[], direction: Direction): readonly T[] {
  const marks = history.map(({ reason }) => MARK.exec(reason) ?? []);
  const redone = new Set(marks.flatMap(([, kind, id = '']) => (kind === 'redo' ? [id] : [])));
  const openUndos = history.filter(({ id }, i) => marks[i]?.[1] === 'undo' && !redone.has(id));
  if (direction === 'redo') return openUndos;
  const undone = new Set(openUndos.map(({ reason }) => MARK.exec(reason)?.[2]));
  // A file belongs to a promotion: `promote rollback` takes back both.
  const isOwn = ({ reason }: T): boolean => !MARK.test(reason) && !reason.startsWith(PROMOTION_REASON);
  return history.filter((change) => isOwn(change) && !undone.has(change.id));
}

/** What a person did, what measuring led to, and what made a lesson speak or fall silent. Counts that grow are nothing to undo. */
export function isUndoable({ by, before, after }: KeptChange): boolean {
  // What an agent said about a lesson is an opinion, as a person's is.
  if (by.startsWith('user:') || by.startsWith('agent:') || by === DECIDED_BY || by === JOINED_BY) return true;
  return before !== undefined && (before.status !== after.status || before.needsReview !== after.needsReview);
}

export function undoChange(lesson: Lesson, change: KeptChange, { at }: Author): Undone | Refusal {
  const { before, after, by } = change;
  // A lesson is never removed: whoever wrote it a moment ago archives it.
  if (before === undefined) return { lesson: toArchived(lesson, { cause: 'archived', reason: UNDONE }, at), kept: [] };
  const [was, then, now] = [toParts(before), toParts(after), toParts(lesson)];
  const changed = listChangedParts(was, then);
  const back = changed.filter((key) => isSame(now, then, key));
  const kept = changed.filter((key) => !back.includes(key) && !COUNTS.has(key));
  if (back.length === 0 || (kept.length > 0 && back.every((key) => COUNTS.has(key))))
    return { refused: 'was changed again since', next: `see how: oncebitten lessons history ${lesson.slug}` };
  const parts: Record<string, unknown> = { ...now, updatedAt: at };
  for (const key of back) {
    if (key in was) parts[key] = was[key];
    else delete parts[key];
  }
  // What was measured led to it: else the next trial would lead there again.
  const undone = by === DECIDED_BY ? undoMeasured(fromParts(parts), change, at) : fromParts(parts);
  if (lesson.archival?.cause === 'over' && undone.status !== 'archived')
    return {
      refused: 'was true in one session only, which is over',
      next: `widen it first: oncebitten lessons edit ${lesson.slug} --scope user`,
    };
  return { lesson: undone, kept: [...new Set(kept.map((key) => key.replace(/\..*/, '')))] };
}

/** As measured from now on. */
function undoMeasured(lesson: Lesson, { before, after }: KeptChange, at: string): Lesson {
  const anew = measureAnew(lesson, at);
  const { measure = {} } = anew;
  const [was, then] = [before?.measure ?? {}, after.measure ?? {}];
  // Whoever says that the model it is used on is no reason to measure it anew says so for good.
  if (was.retest === undefined && isUnproven(then)) return { ...anew, measure: acceptTried(measure) };
  // Its end was taken back: it begins again.
  const isEnd = was.retest !== undefined && then.retest === undefined && lesson.measure?.retest === was.retest;
  return isEnd ? { ...anew, measure: { ...measure, retest: was.retest } } : anew;
}

interface UndoneCommand {
  /** In the order of the changes; undefined for a lesson that stays as it is. */
  readonly lessons: readonly (Lesson | undefined)[];
  /** What stays as it is, in words. */
  readonly kept: readonly string[];
}

/** All that one command did, or nothing of it. `lessons`: those of the changes, as they are now. */
export function undoCommand(
  changes: readonly KeptChange[],
  lessons: readonly Lesson[],
  act: Author,
): UndoneCommand | (Refusal & { readonly slug: string }) {
  const kept: string[] = [];
  const after: (Lesson | undefined)[] = [];
  for (const [i, change] of changes.entries()) {
    const lesson = lessons[i];
    if (lesson === undefined) continue;
    // What it wrote is put away already, by whoever.
    const isAway = change.before === undefined && lesson.status === 'archived';
    const undone = isAway ? undefined : undoChange(lesson, change, act);
    if (undone !== undefined && isRefused(undone)) return { ...undone, slug: lesson.slug };
    after.push(undone?.lesson);
    kept.push(...(undone?.kept.map((field) => `${field} of ${lesson.slug}`) ?? [`${lesson.slug} (archived)`]));
  }
  if (after.some((lesson) => lesson !== undefined)) return { lessons: after, kept };
  const slug = lessons[0]?.slug ?? '';
  return { slug, refused: 'is archived already', next: `see how: oncebitten lessons history ${slug}` };
}

export function listChanged(before: Lesson, after: Lesson): readonly string[] {
  return listChangedParts({ ...before }, { ...after });
}

/** The fields of a lesson, with each of what measuring led to as one of its own. */
type Parts = Readonly<Record<string, unknown>>;

const MEASURE = 'measure.';
/** They grow, or say since when: whatever became of them meanwhile, nobody decided anything. */
const COUNTS = new Set(['from', 'on', 'untried'].map((key) => `${MEASURE}${key}`));

function toParts({ measure = {}, ...fields }: Lesson): Parts {
  const measured = Object.entries(measure).map(([key, value]) => [`${MEASURE}${key}`, value] as const);
  return { ...fields, ...Object.fromEntries(measured) };
}

function fromParts(parts: Parts): Lesson {
  const [measured, fields] = [true, false].map((is) =>
    Object.entries(parts).filter(([key]) => key.startsWith(MEASURE) === is),
  );
  const measure = (measured ?? []).map(([key, value]) => [key.slice(MEASURE.length), value] as const);
  const lesson = Object.fromEntries(fields ?? []) as unknown as Lesson;
  return measure.length === 0 ? lesson : { ...lesson, measure: Object.fromEntries(measure) };
}

function listChangedParts(before: Parts, after: Parts): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !TIMES.has(key) && !isSame(before, after, key));
}

function isSame(a: Parts, b: Parts, key: string): boolean {
  return JSON.stringify(a[key]) === JSON.stringify(b[key]);
}
