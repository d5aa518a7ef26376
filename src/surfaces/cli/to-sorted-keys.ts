/** The same value is the same text, in whatever order its keys came. A lesson's keys go as its schema has them. */
import { lessonSchema } from '../../keep/lesson-schema.ts';

const PLACES = new Map(Object.keys(lessonSchema.shape).map((key, i) => [key, i]));

export function toSortedKeys<T>(value: T): T {
  return sort(value) as T;
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => toPlace(a) - toPlace(b) || (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sort(inner)]),
  );
}

function toPlace(key: string): number {
  return PLACES.get(key) ?? PLACES.size;
}
