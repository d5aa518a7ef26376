/**
 * A skill: the lessons about one tool when there are so many that they are delivered as one text; with the `tool:` and
 * `lang:` tags that group lessons.
 */

import type { Lesson } from './lesson.ts';
import { isUnconfirmed } from './lesson-trust.ts';

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

/** Languages in whose projects a lesson weighs more. A lesson that nobody here confirmed must not gain weight. */
export function listWeighingLangs(lesson: Pick<Lesson, 'tags' | 'origin' | 'reviewedBy'>): readonly string[] {
  return isUnconfirmed(lesson) ? [] : findTagged(lesson.tags, 'lang:').map(toLanguage);
}

function findTagged(tags: readonly string[], prefix: string): readonly string[] {
  return tags
    .filter((tag) => tag.startsWith(prefix) && tag.length > prefix.length)
    .map((tag) => tag.slice(prefix.length).toLowerCase());
}

/** One name for each language, whatever people call it in tags. */
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
