/**
 * A skill: the lessons about one tool, if there are so many that they are delivered as one text; and the `tool:` and
 * `lang:` tags that group lessons.
 */

import type { Lesson } from './lesson.ts';
import { isUnconfirmed } from './lesson-trust.ts';

export interface Skill {
  /** The project of the lessons; the empty string for every project. */
  readonly projectId: string;
  /** The value of the `tool:` tag. */
  readonly tool: string;
  /** Weightiest first. */
  readonly lessons: readonly Lesson[];
}

/** The value of the first `tool:` tag, because a lesson belongs to one skill only. */
export function findToolTag({ tags }: Pick<Lesson, 'tags'>): string | undefined {
  return findTagged(tags, 'tool:')[0];
}

/** The languages in whose projects a lesson weighs more. Empty for an unconfirmed one, which must not gain weight. */
export function listWeighingLangs(lesson: Pick<Lesson, 'tags' | 'origin' | 'reviewedBy'>): readonly string[] {
  return isUnconfirmed(lesson) ? [] : findTagged(lesson.tags, 'lang:').map(toLanguage);
}

function findTagged(tags: readonly string[], prefix: string): readonly string[] {
  return tags
    .filter((tag) => tag.startsWith(prefix) && tag.length > prefix.length)
    .map((tag) => tag.slice(prefix.length).toLowerCase());
}

/** Other names of a language in tags -> its one name. */
const ALIASES: Readonly<Record<string, string>> = {
  py: 'python',
  python3: 'python',
  js: 'javascript',
  node: 'javascript',
  nodejs: 'javascript',
  ts: 'typescript',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  'f#': 'fsharp',
  kt: 'kotlin',
};

export function toLanguage(name: string): string {
  const plain = name.toLowerCase();
  return Object.hasOwn(ALIASES, plain) ? (ALIASES[plain] ?? plain) : plain;
}
