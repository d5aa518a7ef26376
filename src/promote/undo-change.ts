/**
 * Undoes one change of a lesson, field by field; later changes of other fields stay. Repeated undo walks back through
 * the changes; redo reverts an undo.
 */
import type { ChangeHead, KeptChange, Lesson } from '../base/model/lesson.ts';
import { PROMOTION_REASON } from '../base/model/promotion.ts';
import { acceptUsedModels, DECIDED_BY, isUnproven } from './decide-lesson.ts';
import { restartMeasuring, toArchived } from './lesson-states.ts';
import { JOINED_BY } from './merge-lessons.ts';
import { type Author, isRefused, type Refusal } from './transition.ts';

interface Undone {
  readonly lesson: Lesson;
  /** Fields that somebody changed since, which stay. */
  readonly kept: readonly string[];
}

type Direction = 'undo' | 'redo';

/** The reason of a lesson that an undo archived. */
export const UNDONE = 'undone';

const MARK = /^(undo|redo) of (hst_\w+)/;
/** Times, which are not content. */
const TIMES = new Set(['updatedAt', 'lastMatchedAt']);

export function toUndoReason(direction: Direction, { id, reason }: ChangeHead): string {
  return `${direction} of ${id}: ${toPlainReason(reason)}`;
}

/** The reason of the first change, without the marks of its undos and redos. */
export function toPlainReason(reason: string): string {
  return reason.replace(/^(?:(?:undo|redo) of hst_\w+: )+/, '');
}

/** Changes that can be undone (or redone), in the given order. */
export function listOpenChanges<T extends ChangeHead>(history: readonly T[], direction: Direction): readonly T[] {
  const marks = history.map(({ reason }) => MARK.exec(reason) ?? []);
  const redone = new Set(marks.flatMap(([, kind, id = '']) => (kind === 'redo' ? [id] : [])));
  const openUndos = history.filter(({ id }, i) => marks[i]?.[1] === 'undo' && !redone.has(id));
  if (direction === 'redo') return openUndos;
  const undone = new Set(openUndos.map(({ reason }) => MARK.exec(reason)?.[2]));
  // A promotion also changes a file, so `lessons promote rollback` undoes both.
  const isOwn = ({ reason }: T): boolean => !MARK.test(reason) && !reason.startsWith(PROMOTION_REASON);
  return history.filter((change) => isOwn(change) && !undone.has(change.id));
}

/** Changes by people, by measurement, and those that made a lesson fire or fall silent; not growing counts. */
export function isUndoable({ by, before, after }: KeptChange): boolean {
  // An agent's feedback is an opinion, like a person's.
  if (by.startsWith('user:') || by.startsWith('agent:') || by === DECIDED_BY || by === JOINED_BY) return true;
  return before !== undefined && (before.status !== after.status || before.needsReview !== after.needsReview);
}

/** The change that an undo of the lesson takes back first. `history`: the oldest change first. */
export function findNextUndo(history: readonly KeptChange[]): KeptChange | undefined {
  return listOpenChanges(history, 'undo').findLast(isUndoable);
}

export function undoChange(lesson: Lesson, change: KeptChange, { at }: Author): Undone | Refusal {
  const { before, after, by } = change;
  // A lesson is never deleted, so undoing its creation archives it.
  if (before === undefined) return { lesson: toArchived(lesson, { cause: 'archived', reason: UNDONE }, at), kept: [] };
  const [was, then, now] = [toParts(before), toParts(after), toParts(lesson)];
  const changed = listChangedParts(was, then);
  const back = changed.filter((key) => isSame(now, then, key));
  const kept = changed.filter((key) => !back.includes(key) && !COUNTS.has(key));
  if (back.length === 0 || (kept.length > 0 && back.every((key) => COUNTS.has(key))))
    return { refused: 'was changed again later', next: `see how: oncebitten lessons history ${lesson.slug}` };
  const parts: Record<string, unknown> = { ...now, updatedAt: at };
  for (const key of back) {
    if (key in was) parts[key] = was[key];
    else delete parts[key];
  }
  // Measurement caused the change, so it starts again; otherwise the next trial would repeat the change.
  const undone = by === DECIDED_BY ? undoMeasured(fromParts(parts), change, at) : fromParts(parts);
  if (lesson.archival?.cause === 'over' && undone.status !== 'archived')
    return {
      refused: 'was valid in one session only, which has ended',
      next: `widen it first: oncebitten lessons edit ${lesson.slug} --scope user`,
    };
  return { lesson: undone, kept: [...new Set(kept.map((key) => key.replace(/\..*/, '')))] };
}

/** Measured from now on. */
function undoMeasured(lesson: Lesson, { before, after }: KeptChange, at: string): Lesson {
  const anew = restartMeasuring(lesson, at);
  const { measure = {} } = anew;
  const [was, then] = [before?.measure ?? {}, after.measure ?? {}];
  // Undoing a repeated measurement means that the model is accepted for good.
  if (was.retest === undefined && isUnproven(then)) return { ...anew, measure: acceptUsedModels(measure) };
  // The end of the repeated measurement was undone, so the measurement starts again.
  const isEnd = was.retest !== undefined && then.retest === undefined && lesson.measure?.retest === was.retest;
  return isEnd ? { ...anew, measure: { ...measure, retest: was.retest } } : anew;
}

interface UndoneCommand {
  /** In the order of the changes; undefined for a lesson that does not change. */
  readonly lessons: readonly (Lesson | undefined)[];
  /** The fields that stay, in words. */
  readonly kept: readonly string[];
}

/** Undoes all changes of one command, or none. `lessons`: their current versions, in the order of the changes. */
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
    // The created lesson is already archived.
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

/** The fields of a lesson, with each field of `measure` separate. */
type Parts = Readonly<Record<string, unknown>>;

const MEASURE = 'measure.';
/** Counts and times, which nobody decides on, so later changes of them do not matter. */
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
