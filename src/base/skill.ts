/** Lessons about one tool that are so many that they are told as one (M9). */
import type { Lesson } from './lesson.ts';
import { toLanguage } from './to-language.ts';

export interface Skill {
  /** The project that hears it; the empty string is everyone. */
  readonly projectId: string;
  /** Of the `tool:` tag. */
  readonly tool: string;
  /** Weightiest first. */
  readonly lessons: readonly Lesson[];
}

/** Undefined where a lesson names no tool. Of several the first counts: a lesson is told in one place. */
export function findToolTag({ tags }: Pick<Lesson, 'tags'>): string | undefined {
  return findTagged(tags, 'tool:')[0];
}

export function listLangTags({ tags }: Pick<Lesson, 'tags'>): readonly string[] {
  return findTagged(tags, 'lang:').map(toLanguage);
}

function findTagged(tags: readonly string[], prefix: string): readonly string[] {
  return tags
    .filter((tag) => tag.startsWith(prefix) && tag.length > prefix.length)
    .map((tag) => tag.slice(prefix.length).toLowerCase());
}
