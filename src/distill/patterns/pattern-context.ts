/** What finding patterns looks up: one for each run. */

import type { Lesson } from '../../base/model/lesson.ts';
import type { Signature } from '../../base/model/signature.ts';
import type { FailureCell, Recurrence, SignatureForm } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY, VERDICT_CATEGORIES } from '../../base/text/failure-category.ts';
import { makeSignature } from '../../base/text/signature.ts';
import { groupSignatures } from './group-signatures.ts';
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
  /** By the id of each signature. */
  readonly forms: ReadonlyMap<string, MergedForm>;
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
    forms,
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

/**
 * Which signatures are the same failure: near-duplicates are merged, and what a check says about the code is the same
 * whoever ran the check (`eslint`, `npm run lint`, `make check`).
 */
export interface MergedForm {
  /** The same for all signatures that are one failure. */
  readonly key: string;
  readonly template: string;
  /** Of this signature. */
  readonly program: string;
  readonly category: string;
}

/** By the id of each signature. */
export function mergeForms(forms: readonly SignatureForm[]): ReadonlyMap<string, MergedForm> {
  const asked = new Map(forms.map((form): [string, Signature] => [form.id, toAsked(form)]));
  const groups = groupSignatures(asked.values());
  return new Map(
    forms.map(({ id, program, category, template }) => {
      const own = asked.get(id);
      const group = (own && groups.get(own.id)) ?? own;
      return [id, { key: group?.id ?? id, template: group?.template ?? template, program, category }];
    }),
  );
}

function toAsked({ program, template, category }: SignatureForm): Signature {
  return makeSignature(VERDICT_CATEGORIES.has(category) ? category : program, template);
}
