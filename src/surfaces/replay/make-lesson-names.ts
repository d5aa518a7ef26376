/** Names for the lessons of a replay that are the same in the next one: a slug ends with characters of chance. */
import type { Lesson } from '../../base/lesson.ts';

export interface LessonNames {
  /** Give them in the order of the replay: the first of several with the same words has these alone. */
  take(lesson: Pick<Lesson, 'id' | 'slug'>): string;
  find(lessonId: string): string;
}

export function makeLessonNames(): LessonNames {
  const names = new Map<string, string>();
  const used = new Set<string>();
  return {
    take({ id, slug }) {
      const known = names.get(id);
      if (known !== undefined) return known;
      const words = slug.replace(/-[a-z0-9]{4}$/, '');
      let name = words;
      for (let n = 2; used.has(name); n++) name = `${words}-${n}`;
      used.add(name);
      names.set(id, name);
      return name;
    },
    find: (lessonId) => names.get(lessonId) ?? '',
  };
}
