/** Two files that say the same have one hash, however they are laid out. */
import { createHash } from 'node:crypto';
import type { LessonFileContent } from './lesson-file-schema.ts';

export function hashLessonFile(content: LessonFileContent): string {
  const { slug, type, summary, mistake, remediation, body, triggers, priority, mode, tags } = content;
  const all = { slug, type, summary, mistake, remediation, body, triggers, priority, mode, tags };
  return `sha256:${createHash('sha256').update(JSON.stringify(all, sortKeys)).digest('hex')}`;
}

export function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
