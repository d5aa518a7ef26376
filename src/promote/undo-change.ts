/**
 * Takes one change of a lesson back, field by field: what others changed since stays. Undoing again and again walks back
 * through the changes; redoing takes back an undo.
 */
import type { KeptChange, Lesson } from '../base/lesson.ts';
import { toArchived } from './archive-lesson.ts';
import type { Act, Refusal } from './transition.ts';

export interface Undone {
  readonly lesson: Lesson;
  /** Fields that somebody changed since: they stay as they are. */
  readonly kept: readonly string[];
}

type Direction = 'undo' | 'redo';

const MARK = /^(undo|redo) of (hst_\w+)/;
/** They say when, not what. */
const TIMES = new Set(['updatedAt', 'lastMatchedAt']);

export function toUndoReason(direction: Direction, { id, reason }: KeptChange): string {
  return `${direction} of ${id}: ${reason.replace(/^(?:(?:undo|redo) of hst_\w+: )+/, '')}`;
}

/** Changes that may be taken back: not undone, or undone and not redone. In the order they were given. */
export function listOpenChanges(history: readonly KeptChange[], direction: Direction): readonly KeptChange[] {
  const marked = history.flatMap((change) => {
    const [, kind, id = ''] = MARK.exec(change.reason) ?? [];
    return kind === undefined ? [] : [{ kind, id }];
  });
  const isOf = (kind: string, { id }: KeptChange): boolean => marked.some((one) => one.kind === kind && one.id === id);
  const undos = history.filter(({ reason }) => MARK.exec(reason)?.[1] === 'undo');
  const openUndos = undos.filter((undo) => !isOf('redo', undo));
  if (direction === 'redo') return openUndos;
  const undone = new Set(openUndos.map(({ reason }) => MARK.exec(reason)?.[2]));
  return history.filter((change) => !MARK.test(change.reason) && !undone.has(change.id));
}

/** What a person did, and what made a lesson speak or fall silent. Counts that grow are nothing to undo. */
export function isUndoable({ by, before, after }: KeptChange): boolean {
  if (by.startsWith('user:')) return true;
  return before !== undefined && (before.status !== after.status || before.needsReview !== after.needsReview);
}

export function undoChange(lesson: Lesson, { before, after }: KeptChange, { at }: Act): Undone | Refusal {
  // A lesson is never removed: whoever wrote it a moment ago archives it.
  if (before === undefined)
    return { lesson: toArchived(lesson, { cause: 'archived', reason: 'undone' }, at), kept: [] };
  const changed = listChanged(before, after);
  const kept = changed.filter((key) => !isSame(lesson, after, key));
  const back = changed.filter((key) => !kept.includes(key));
  if (back.length === 0)
    return { refused: 'was changed again since', next: `see how: oncebitten lessons history ${lesson.slug}` };
  const fields: Record<string, unknown> = { ...lesson, updatedAt: at };
  for (const key of back) {
    if (key in before) fields[key] = before[key as keyof Lesson];
    else delete fields[key];
  }
  const undone = fields as unknown as Lesson;
  if (lesson.archival?.cause === 'over' && undone.status !== 'archived')
    return {
      refused: 'was true in one session only, which is over',
      next: `widen it first: oncebitten lessons edit ${lesson.slug} --scope user`,
    };
  return { lesson: undone, kept };
}

export function listChanged(before: Lesson, after: Lesson): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !TIMES.has(key) && !isSame(before, after, key));
}

function isSame(a: Lesson, b: Lesson, key: string): boolean {
  return JSON.stringify(a[key as keyof Lesson]) === JSON.stringify(b[key as keyof Lesson]);
}
