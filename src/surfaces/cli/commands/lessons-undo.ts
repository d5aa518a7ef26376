/** `oncebitten lessons undo`: takes back a command, whole: of one lesson, or the last one that this person gave. */
import { UserError } from '../../../base/errors.ts';
import type { KeptChange, LessonUpdate } from '../../../base/lesson.ts';
import type { Store } from '../../../base/store.ts';
import { isRefused } from '../../../promote/transition.ts';
import { isUndoable, listOpenChanges, toUndoReason, undoChange } from '../../../promote/undo-change.ts';
import { compileLessons } from '../../loop/compile-lessons.ts';
import { getKnown, makeAct } from '../change-lessons.ts';
import type { Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { followUndo, type Undone } from '../share/follow-undo.ts';

/** As far back as a person's commands are looked through. */
const MAX_CHANGES = 5_000;

export const run: Handler = (input) =>
  withHome(input, async (open) => {
    const direction = input.options.redo === true ? 'redo' : 'undo';
    const act = makeAct(input);
    const [name] = input.arguments;
    const changes =
      name === undefined
        ? await findOwn(open.store, act.by, direction)
        : await findOfLesson(open.store, name, direction);
    const kept: string[] = [];
    const moved: Undone[] = [];
    const lessons = await open.store.updateLessons(
      changes.map(({ lessonId }) => lessonId),
      (found) =>
        changes.map((change, i): LessonUpdate => {
          const lesson = getKnown(change.lessonId, found[i]);
          const undone = undoChange(lesson, change, act);
          if (isRefused(undone))
            throw new UserError({ subject: `lesson ${lesson.slug}`, reason: undone.refused, next: undone.next });
          moved.push({ before: lesson, after: undone.lesson });
          kept.push(...undone.kept.map((field) => `${field} of ${lesson.slug}`));
          return { lesson: undone.lesson, change: { ...act, reason: toUndoReason(direction, change) } };
        }),
    );
    const files = followUndo(moved, input.cwd, await open.store.listProjectAliases());
    await compileLessons(open);
    return {
      json: { direction, changes: changes.map(toHead), lessons, kept, files },
      text: [render(direction, changes, kept), ...files].join('\n'),
    };
  });

type Direction = 'undo' | 'redo';

/** With what the same command did to other lessons: half a merge is worse than none. */
async function findOfLesson(store: Store, name: string, direction: Direction): Promise<readonly KeptChange[]> {
  const lesson = getKnown(name, await store.findLesson(name));
  const last = listOpenChanges(await store.listLessonHistory(lesson.id), direction)
    .filter(isUndoable)
    .at(-1);
  if (last === undefined) throw refuse(`lesson ${lesson.slug}`, direction, `oncebitten lessons history ${lesson.slug}`);
  if (!last.by.startsWith('user:')) return [last];
  const same = (await store.listChangesBy(last.by, MAX_CHANGES)).filter(({ at }) => at === last.at);
  return same.length === 0 ? [last] : same;
}

async function findOwn(store: Store, by: string, direction: Direction): Promise<readonly KeptChange[]> {
  const own = await store.listChangesBy(by, MAX_CHANGES);
  const [last] = listOpenChanges(own, direction);
  if (last === undefined) throw refuse(by, direction, 'oncebitten lessons list');
  return own.filter(({ at }) => at === last.at);
}

function refuse(subject: string, direction: Direction, see: string): UserError {
  return new UserError({ subject, reason: `has nothing to ${direction}`, next: `see: ${see}` });
}

function render(direction: Direction, changes: readonly KeptChange[], kept: readonly string[]): string {
  const told = changes.map(({ after, reason, by }) => `  ${after.slug}: ${reason} (${by})`);
  const [first] = changes;
  const back = `oncebitten lessons undo${direction === 'undo' ? ' --redo' : ''} ${first?.after.slug ?? ''}`;
  return [
    direction === 'undo' ? 'Undone:' : 'Redone: the undo of',
    ...told,
    ...(kept.length === 0 ? [] : [`Changed since, and left as they are: ${kept.join(', ')}`]),
    `Take it back: ${back}`,
  ].join('\n');
}

function toHead({ id, lessonId, by, at, reason }: KeptChange) {
  return { id, lessonId, by, at, reason };
}
