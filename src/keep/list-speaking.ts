/** Which lessons speak, and where: the active ones that are trusted, and drafts in the sessions that taught them. */
import { isVouchedFor } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../base/project-alias.ts';
import type { Promotion } from '../base/promotion.ts';
import type { Settings } from '../base/settings.ts';
import { decidePrecedence, type Precedence } from './decide-precedence.ts';
import { toAdvising } from './to-advising.ts';

/** Under it a lesson cannot reach the threshold of the score. */
const PROVISIONAL_PRIORITY = 4;

export interface Speaking extends Precedence {
  /** The only session in which it speaks. */
  readonly sessionId?: string;
}

export interface SpeakingQuestion {
  readonly lessons: readonly Lesson[];
  readonly aliases: readonly ProjectAlias[];
  readonly settings: Settings;
  readonly now: string;
  /** What stands in a file of a project is not said singly there. */
  readonly promoted?: readonly Promoted[];
}

export type Promoted = Pick<Promotion, 'lessonId' | 'projectId'>;

export function listSpeaking({
  lessons,
  aliases,
  settings,
  now,
  promoted = [],
}: SpeakingQuestion): readonly Speaking[] {
  const toProjectId = makeToProjectId(aliases);
  const valid = lessons.filter((lesson) => isValidAt(lesson, now)).map(toAdvising);
  const all = valid.filter((lesson) => maySpeak(lesson, settings));
  const nearest = decidePrecedence(aliases.length === 0 ? all : dropTwins(all, toProjectId), toProjectId);
  return [
    ...(promoted.length === 0 ? nearest : hushPromoted(nearest, promoted, toProjectId)),
    ...listProvisional(valid, settings, now),
  ];
}

/** After precedence: what a promoted lesson spoke for stays silent there too. */
function hushPromoted(
  nearest: readonly Precedence[],
  promoted: readonly Promoted[],
  toProjectId: ToProjectId,
): readonly Precedence[] {
  const byLesson = Map.groupBy(promoted, ({ lessonId }) => lessonId);
  return nearest.flatMap((one) => {
    const { id, scope } = one.lesson;
    const places = byLesson.get(id)?.map(({ projectId }) => toProjectId(projectId)) ?? [];
    if (places.length === 0) return [one];
    if (scope.kind === 'project' && places.includes(toProjectId(scope.id ?? ''))) return [];
    return [{ ...one, notIn: [...new Set([...(one.notIn ?? []), ...places])] }];
  });
}

/** Whoever compiles again at these moments lets lessons begin and end. */
function isValidAt({ validity: { from, until } }: Lesson, now: string): boolean {
  return (from === undefined || from <= now) && (until === undefined || until > now);
}

function maySpeak(lesson: Lesson, settings: Settings): boolean {
  return lesson.status === 'active' && isTrusted(lesson, settings);
}

/** Drafts, for each session in which they speak all the same: as weighty as a lesson must be to speak at all. */
function listProvisional(lessons: readonly Lesson[], settings: Settings, now: string): readonly Speaking[] {
  return lessons.flatMap((lesson) => {
    const spoken = { ...lesson, priority: Math.max(lesson.priority, PROVISIONAL_PRIORITY) };
    if (lesson.status !== 'draft' || !isTrusted(spoken, settings)) return [];
    const open = (lesson.provisional ?? []).filter(({ until }) => until > now);
    return open.map(({ sessionId }) => ({ lesson: spoken, sessionId }));
  });
}

function isTrusted(lesson: Lesson, settings: Settings): boolean {
  if (lesson.needsReview || lesson.priority < settings.minPriority) return false;
  return lesson.confidence >= settings.minConfidence || isVouchedFor(lesson);
}

/** Projects that were joined may each have learned the same: it is said once. */
function dropTwins(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Lesson[] {
  const seen = new Set<string>();
  return lessons.filter(({ scope, contentHash }) => {
    if (scope.kind !== 'project' || scope.id === undefined) return true;
    const key = `${toProjectId(scope.id)} ${contentHash}`;
    return !seen.has(key) && seen.add(key);
  });
}
