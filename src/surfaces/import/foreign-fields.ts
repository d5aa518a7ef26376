/** What stands in an object of somebody else's file, read without believing any of it. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of the names that has a text. */
export function findText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return '';
}

/** The texts of the first of the names that has any: a list of them, or one. */
export function listTexts(fields: Fields, names: readonly string[]): readonly string[] {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const list = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one.trim() !== '');
    if (list.length > 0) return list as readonly string[];
  }
  return [];
}

const PRIORITIES: Readonly<Record<string, number>> = { critical: 9, high: 7, medium: 5, normal: 5, low: 2 };
const DEFAULT_PRIORITY = 5;

/** A number from 1 to 10, or a word. */
export function toPriority(given: unknown): number {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (Object.hasOwn(PRIORITIES, word)) return PRIORITIES[word] ?? DEFAULT_PRIORITY;
  const number = typeof given === 'number' ? given : word === '' ? Number.NaN : Number(word);
  return Number.isFinite(number) ? Math.min(10, Math.max(1, Math.round(number))) : DEFAULT_PRIORITY;
}

/** What another store measured says little here. */
const MAX_CONFIDENCE = 0.9;
const DEFAULT_CONFIDENCE = 0.6;

export function toConfidence(given: unknown): number {
  if (typeof given !== 'number' || !Number.isFinite(given)) return DEFAULT_CONFIDENCE;
  const share = given > 1 ? given / 100 : given;
  return Math.round(Math.min(MAX_CONFIDENCE, Math.max(0.1, share)) * 100) / 100;
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A name that we could give a lesson ourselves. */
export function findSlug(given: string): string | undefined {
  return given.length <= 60 && SLUG.test(given) ? given : undefined;
}

export function toTags(given: readonly string[]): readonly string[] {
  const tags = given.map((tag) => tag.trim()).filter((tag) => /^[\p{L}\p{N}][\p{L}\p{N}:._/+#-]{0,79}$/u.test(tag));
  return [...new Set(tags)].slice(0, 30);
}
