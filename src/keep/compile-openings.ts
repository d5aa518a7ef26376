/**
 * The lines that a session's start has for the user: what was learned of late, and what waits for a person. By project;
 * under the empty string for projects that have nothing of their own.
 */
import { isWaiting } from '../base/is-waiting.ts';
import type { Lesson } from '../base/lesson.ts';
import type { OpeningLines } from '../base/manifest.ts';
import type { ToProjectId } from '../base/project-alias.ts';

/** Who was away for longer looks into the list. */
const NEWS_MS = 3 * 24 * 60 * 60_000;
const MAX_NAMES = 3;

export function compileOpenings(
  lessons: readonly Lesson[],
  toProjectId: ToProjectId,
  now: string,
): Readonly<Record<string, OpeningLines>> {
  const toId = ({ scope }: Lesson): string =>
    scope.kind === 'project' && scope.id !== undefined ? toProjectId(scope.id) : '';
  const waiting = Map.groupBy(lessons.filter(isWaiting), toId);
  const learned = Map.groupBy(
    lessons.filter((lesson) => isNews(lesson, now)),
    toId,
  );
  const ids = new Set(['', ...waiting.keys(), ...learned.keys()]);
  const lines = [...ids].map((id) => [id, toLines(id, { waiting, learned })] as const);
  return Object.fromEntries(lines.filter(([, { learned: one, waiting: other }]) => (one ?? other) !== undefined));
}

type ById = ReadonlyMap<string, readonly Lesson[]>;

/** A project also has what is everyone's. */
function toLines(id: string, { waiting, learned }: { readonly waiting: ById; readonly learned: ById }): OpeningLines {
  const list = (all: ById): readonly Lesson[] => [...new Set(['', id])].flatMap((one) => all.get(one) ?? []);
  const [drafts, news] = [list(waiting).length, list(learned)];
  return {
    ...(news.length === 0 ? {} : { learned: renderLearned(news) }),
    ...(drafts === 0 ? {} : { waiting: renderWaiting(drafts) }),
  };
}

function renderLearned(lessons: readonly Lesson[]): string {
  const names = lessons.slice(0, MAX_NAMES).map(({ slug }) => slug);
  const more = lessons.length > MAX_NAMES ? ` and ${lessons.length - MAX_NAMES} more` : '';
  const what = lessons.length === 1 ? '1 lesson was learned' : `${lessons.length} lessons were learned`;
  return `${what} here of late (${names.join(', ')}${more}). Tell the user: oncebitten lessons list`;
}

function renderWaiting(count: number): string {
  return `${count === 1 ? '1 draft of a lesson waits' : `${count} drafts of lessons wait`} for the user: oncebitten review`;
}

/** Learned from calls, not written or imported by a person, and in use. */
function isNews(lesson: Lesson, now: string): boolean {
  const { status, origin, createdAt, scope } = lesson;
  if (status !== 'active' || isWaiting(lesson) || scope.kind === 'session') return false;
  const age = Date.parse(now) - Date.parse(createdAt);
  return (origin.kind === 'episode' || origin.kind === 'self-report') && age >= 0 && age < NEWS_MS;
}
