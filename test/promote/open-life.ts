import type { KeptChange, Lesson } from '../../src/base/model/lesson.ts';
import { isRefused } from '../../src/promote/transition.ts';
import { isUndoable, listOpenChanges, toUndoReason, undoChange } from '../../src/promote/undo-change.ts';

export const ACT = { by: 'user:ann', at: '2026-02-01T00:00:00.000Z' };

/** A lesson and its history, as the store has them. */
export function openLife(first: Lesson) {
  let lesson = first;
  const history: KeptChange[] = [];
  const save = (after: Lesson, by: string, reason: string): void => {
    const id = `hst_${history.length}`;
    history.push({ id, lessonId: after.id, by, reason, at: `${history.length}`, before: lesson, after });
    lesson = after;
  };
  return {
    now: () => lesson,
    history,
    save,
    take(direction: 'undo' | 'redo'): boolean {
      const change = listOpenChanges(history, direction).filter(isUndoable).at(-1);
      const undone = change && undoChange(lesson, change, { ...ACT, at: `${history.length}` });
      if (change === undefined || undone === undefined || isRefused(undone)) return false;
      save(undone.lesson, ACT.by, toUndoReason(direction, change));
      return true;
    },
  };
}
