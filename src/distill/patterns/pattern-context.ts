/** What finding patterns looks up: one for each run. */
import type { Lesson } from '../../base/model/lesson.ts';
import type { FailureCell, Recurrence } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY } from '../../base/text/failure-category.ts';
import { type MergedForm, mergeForms } from './merge-forms.ts';
import type { PatternLesson } from './pattern.ts';

export interface PatternKnowledge {
  readonly now: string;
  readonly lessons: readonly Pick<Lesson, 'id' | 'slug' | 'status' | 'signatureId'>[];
  /** By id; for names and paths that a person knows. */
  readonly projects: ReadonlyMap<string, { readonly name: string; readonly roots: readonly string[] }>;
  /** Of other tools only the failures are captured: nobody can say that they always fail. */
  readonly isTracked: (tool: string) => boolean;
}

export interface PatternContext extends PatternKnowledge {
  findForm(cell: FailureCell): MergedForm | undefined;
  toCategory(cell: FailureCell): string;
  /** By the key of the merged form that a lesson is about. */
  readonly lessonsByKey: ReadonlyMap<string, readonly PatternLesson[]>;
  toProjectName(id: string): string;
  /** Inside the project where it is inside. */
  toShownPath(projectId: string, path: string): string;
}

export function makePatternContext({ signatures }: Recurrence, knowledge: PatternKnowledge): PatternContext {
  const forms = mergeForms(signatures);
  const { projects, lessons } = knowledge;
  const findForm = ({ signatureId }: FailureCell) => (signatureId === undefined ? undefined : forms.get(signatureId));
  const about = lessons
    .filter(({ status, signatureId }) => status !== 'archived' && signatureId !== undefined)
    .map(({ id, slug, status, signatureId = '' }) => ({ id, slug, status, key: forms.get(signatureId)?.key ?? '' }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return {
    ...knowledge,
    findForm,
    toCategory: (cell) => findForm(cell)?.category ?? OTHER_CATEGORY,
    lessonsByKey: Map.groupBy(about, ({ key }) => key),
    toProjectName: (id) => projects.get(id)?.name || id,
    toShownPath: (projectId, path) => toInside(path, projects.get(projectId)?.roots ?? []),
  };
}

function toInside(path: string, roots: readonly string[]): string {
  const within = roots.filter((root) => path.startsWith(`${root}/`)).map((root) => path.slice(root.length + 1));
  return within.sort((a, b) => a.length - b.length)[0] || path;
}
