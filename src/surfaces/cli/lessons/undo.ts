/**
 * `oncebitten lessons undo`: takes back a whole command, the last one about a lesson or the last one of this user,
 * together with its shared lesson files. If a file cannot be changed, the output tells the user to change it by hand.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { UserError } from '../../../base/errors.ts';
import type { ChangeHead, KeptChange, Lesson, LessonUpdate } from '../../../base/model/lesson.ts';
import { makeToProjectId, type ProjectAlias } from '../../../base/model/project.ts';
import { isOpen, PROMOTION_REASON } from '../../../base/model/promotion.ts';
import type { Project } from '../../../base/model/session.ts';
import { toLessonPath } from '../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { renderNextCommand } from '../../../promote/promotions.ts';
import { type Author, isRefused, type Refusal } from '../../../promote/transition.ts';
import {
  isUndoable,
  listOpenChanges,
  toPlainReason,
  toUndoReason,
  UNDONE,
  undoCommand,
} from '../../../promote/undo-change.ts';
import { getKnown, getNamed } from '../arguments/lessons.ts';
import type { Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { withHome } from '../open-home.ts';
import { joinLines, toScreenMax } from '../text.ts';
import { makeAct } from './change-lessons.ts';
import { type FileEdits, openFileEdits } from './file-edits.ts';
import { findSharedFile, isOwnFolder, removeLessonFile, toSharedHash, writeLessonFile } from './share/shared-files.ts';

const MAX_TOLD = 20;

export const run: Handler = (input) =>
  withHome(input, async (open) => {
    const direction = input.options.redo === true ? 'redo' : 'undo';
    const act = makeAct(input);
    const [name] = input.arguments;
    const undoable =
      name === undefined
        ? await findOwn(open.store, act.by, direction)
        : await findOfLesson(open.store, name, direction);
    const taken = await takeFirst(open.store, undoable, { act, direction });
    const files = followUndo(taken.moved, input.cwd, await open.store.listProjectAliases());
    await compileLessons(open);
    const { changes, lessons, kept, passed } = taken;
    return {
      json: { direction, changes: changes.map(toHead), lessons, kept, passed, files },
      text: [render(direction, taken, toScreenMax(input.columns, MAX_TOLD)), ...files].join('\n'),
    };
  });

type Direction = 'undo' | 'redo';

interface Wish {
  readonly act: Author;
  readonly direction: Direction;
}

interface Taken {
  readonly changes: readonly KeptChange[];
  readonly lessons: readonly Lesson[];
  readonly moved: readonly Undone[];
  readonly kept: readonly string[];
  /** Newer commands that could not be taken back. */
  readonly passed: readonly Passed[];
}

type Passed = Refusal & { readonly slug: string; readonly reason: string };

/** What may be taken back, newest first. */
interface Open {
  readonly heads: readonly ChangeHead[];
  /** Of these commands, what has not been taken back yet. */
  readonly ids: ReadonlySet<string>;
}

async function findOfLesson(store: Store, name: string, direction: Direction): Promise<Open> {
  const lesson = await getNamed(store, name);
  const history = await store.listLessonHistory(lesson.id);
  if (direction === 'undo') await checkPromotion(store, history.at(-1));
  const own = listOpenChanges(history, direction).filter(isUndoable);
  if (own.length === 0) throw refuse(`lesson ${lesson.slug}`, direction, `oncebitten lessons history ${lesson.slug}`);
  const people = new Set(own.map(({ by }) => by).filter((by) => by.startsWith('user:')));
  const ids = new Set(own.map(({ id }) => id));
  // Includes what the same commands did to other lessons, because half a merge is worse than none.
  for (const by of people) for (const { id } of listOpenChanges(await store.listChangesBy(by), direction)) ids.add(id);
  return { heads: own.toReversed(), ids };
}

async function findOwn(store: Store, by: string, direction: Direction): Promise<Open> {
  const changes = await store.listChangesBy(by);
  if (direction === 'undo')
    await checkPromotion(
      store,
      changes.find((change) => change.by === by),
    );
  const own = listOpenChanges(changes, direction).filter((change) => change.by === by);
  if (own.length === 0) throw refuse(by, direction, 'oncebitten lessons list');
  return { heads: own, ids: new Set(own.map(({ id }) => id)) };
}

/** The change has a file; a user who just wrote it must not undo something else instead. */
async function checkPromotion(store: Store, last: ChangeHead | undefined): Promise<void> {
  if (last === undefined || !last.reason.startsWith(PROMOTION_REASON)) return;
  const open = (await store.listPromotions({ lessonId: last.lessonId })).filter(isOpen);
  const lesson = await store.findLesson(last.lessonId);
  if (open.length === 0 || lesson === undefined) return;
  const verb = open.some(({ state }) => state === 'applied') ? 'rollback' : 'reject';
  const reason = `was last changed by a promotion (${last.reason.slice(PROMOTION_REASON.length)})`;
  throw userError(`lesson ${lesson.slug}`, reason, renderNextCommand(verb, lesson.slug));
}

/** Takes back the newest command that can be taken back, and skips those that cannot. */
async function takeFirst(store: Store, { heads, ids }: Open, wish: Wish): Promise<Taken> {
  const passed: Passed[] = [];
  const seen = new Set<string>();
  for (const head of heads) {
    if (seen.has(head.id)) continue;
    const isPerson = head.by.startsWith('user:');
    const all = await store.listChangesOf(head);
    const changes = all.filter(({ id }) => id === head.id || (isPerson && ids.has(id)));
    for (const { id } of changes) seen.add(id);
    const taken = await take(store, changes, wish);
    if (!isRefused(taken)) return { ...taken, changes, passed };
    passed.push({ ...taken, reason: head.reason });
  }
  const [first] = passed;
  throw userError(
    `lesson ${first?.slug ?? ''}`,
    first?.refused ?? `has nothing to ${wish.direction}`,
    first?.next ?? 'see: oncebitten lessons list',
  );
}

class Refused extends UserError {
  readonly refusal: Refusal & { readonly slug: string };
  constructor(refusal: Refusal & { readonly slug: string }) {
    super({ subject: `lesson ${refusal.slug}`, reason: refusal.refused, next: refusal.next });
    this.refusal = refusal;
  }
}

async function take(store: Store, changes: readonly KeptChange[], { act, direction }: Wish) {
  let moved: readonly Undone[] = [];
  let kept: readonly string[] = [];
  try {
    const lessons = await store.updateLessons(
      changes.map(({ lessonId }) => lessonId),
      (found) => {
        const before = changes.map(({ lessonId }, i) => getKnown(lessonId, found[i]));
        const undone = undoCommand(changes, before, act);
        // Thrown, so that nothing is saved.
        if (isRefused(undone)) throw new Refused(undone);
        kept = undone.kept;
        const updates = changes.flatMap((change, i) => toUpdate(before[i], undone.lessons[i], change, act, direction));
        moved = updates.map(({ was, lesson }) => ({ before: was, after: lesson }));
        return updates.map(({ lesson, change }): LessonUpdate => ({ lesson, change }));
      },
    );
    return { lessons, moved, kept };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

function toUpdate(
  was: Lesson | undefined,
  lesson: Lesson | undefined,
  change: KeptChange,
  act: Author,
  direction: Direction,
) {
  if (was === undefined || lesson === undefined) return [];
  return [{ was, lesson, change: { ...act, reason: toUndoReason(direction, change) } }];
}

function refuse(subject: string, direction: Direction, see: string): UserError {
  return userError(subject, `has nothing to ${direction}`, `see: ${see}`);
}

function render(direction: Direction, { changes, lessons, moved, kept, passed }: Taken, max: number): string {
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const undone = changes.filter(({ lessonId }) => slugs.has(lessonId));
  const [first] = undone;
  const back = `oncebitten lessons undo${direction === 'undo' ? ' --redo' : ''} ${first?.after.slug ?? ''}`;
  return joinLines([
    ...limit(
      passed.map(({ slug, reason, refused }) => `Skipped: ${slug}: ${toPlainReason(reason)} (it ${refused})`),
      max,
    ),
    direction === 'undo' ? 'Undone:' : 'Brought back what was undone:',
    ...limit(
      undone.map(({ lessonId, after, reason, by }) => {
        const status = findNewStatus(moved.find((one) => one.after.id === lessonId));
        return `  ${after.slug}: ${toPlainReason(reason)} (${by})${status}`;
      }),
      max,
    ),
    kept.length > 0 && `Changed later, and left as they are: ${limit(kept, max).join(', ')}`,
    `${direction === 'undo' ? 'Redo' : 'Undo'}: ${back}`,
  ]);
}

/** A lesson that was added and undone is archived, because no lesson is deleted; a redo brings it back. */
function findNewStatus(one: Undone | undefined): string {
  return one === undefined || one.before.status === one.after.status
    ? ''
    : `; the lesson is now ${one.after.status === 'draft' ? 'a draft' : one.after.status}`;
}

function limit(lines: readonly string[], max: number): readonly string[] {
  const more = lines.length - max;
  return more <= 0 ? lines : [...lines.slice(0, max), `  … and ${more} more`];
}

function toHead({ id, lessonId, by, at, reason }: KeptChange) {
  return { id, lessonId, by, at, reason };
}

/**
 * The files' part of an undo: what was shared goes again, what was taken back is written again. Or it says what is left
 * to do.
 */
interface Undone {
  readonly before: Lesson;
  readonly after: Lesson;
}

/** A line for each file that was touched, or could not be. */
function followUndo(undone: readonly Undone[], cwd: string, aliases: readonly ProjectAlias[]): readonly string[] {
  const project = identifyProject(cwd);
  const toProjectId = makeToProjectId(aliases);
  return undone.flatMap(({ before, after }) => {
    const wish = toFileUndo(before, after);
    if (wish === undefined) return [];
    const { lesson, slug } = wish;
    if (toProjectId(lesson.scope.id ?? '') !== toProjectId(project.id))
      return [`Its file is in another repository and stays as it is: ${slug}.json. Undo it there with git.`];
    return [wish.kind === 'remove' ? remove(lesson, slug, project) : write(lesson, slug, project)];
  });
}

interface FileUndo {
  readonly kind: 'remove' | 'write';
  /** As it stands, or stood, in the repository. */
  readonly lesson: Lesson;
  readonly slug: string;
}

function toFileUndo(before: Lesson, after: Lesson): FileUndo | undefined {
  const [had, has] = [isInRepository(before), isInRepository(after)];
  if (had && !has) return { kind: 'remove', lesson: before, slug: before.file?.slug ?? before.slug };
  return !had && has ? { kind: 'write', lesson: after, slug: after.file?.slug ?? after.slug } : undefined;
}

/** A copy that was made to be shared is never removed from the store: undone, it is archived with that word. */
function isInRepository({ file, archival }: Lesson): boolean {
  return file !== undefined && archival?.reason !== UNDONE;
}

function remove(lesson: Lesson, slug: string, { root }: Project): string {
  const path = toLessonPath(root, slug);
  const there = isOwnFolder(root, path) ? findSharedFile(root, slug) : undefined;
  if (there === undefined) return `Its file no longer exists: ${path}`;
  if (there.hash !== lesson.file?.hash) return `Its file was changed later and stays: ${path}`;
  return attempt(root, path, 'Removed', (files) => removeLessonFile(files, path));
}

function write(lesson: Lesson, slug: string, { root }: Project): string {
  const path = toLessonPath(root, slug);
  if (!isOwnFolder(root, path) || findSharedFile(root, slug) !== undefined)
    return `Another file has its name and stays: ${path}`;
  if (toSharedHash(lesson, slug) !== lesson.file?.hash)
    return `The lesson was changed later; write its file again: oncebitten lessons share ${lesson.slug}`;
  return attempt(root, path, 'Written again', (files) => writeLessonFile(files, path, lesson, slug));
}

function attempt(root: string, path: string, done: string, change: (files: FileEdits) => void): string {
  const files = openFileEdits({ root, dryRun: false, force: false });
  try {
    change(files);
    return `${done}: ${path}. Commit it.`;
  } catch {
    files.undo();
    return `Could not be changed, do it by hand: ${path}`;
  }
}
