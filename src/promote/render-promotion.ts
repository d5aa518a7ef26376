/**
 * A lesson as it stands in a file that agents always read: one item of a list, as short as it can be. Its text is data in
 * somebody's Markdown: it must not end our block, hide what follows, or have another file read (`@file` is an import there).
 */
import type { Lesson } from '../base/lesson.ts';

export function renderPromotion(lesson: Lesson, clean: (text: string) => string): string {
  const [summary, mistake, remediation] = [lesson.summary, lesson.mistake, lesson.remediation].map((text) =>
    toTame(clean(text)),
  ) as [string, string, string];
  return [
    `- ${toOneLine(summary)}`,
    // What the first line says already costs twice.
    ...(summary.includes(mistake) ? [] : [`  Wrong: ${indent(mistake)}`]),
    ...(summary.includes(remediation) ? [] : [`  Instead: ${indent(remediation)}`]),
  ].join('\n');
}

/** What could pass for a marker or for Markdown that goes on after us. */
function toTame(text: string): string {
  const plain = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replaceAll('<!--', '<! --')
    .replaceAll('-->', '-- >')
    .replace(/`{2,}/g, "'")
    .replace(/~{3,}/g, '~~');
  return plain.split('\n').map(quoteImports).join('\n').trim();
}

/** In a code span it is a word like any other. */
function quoteImports(line: string): string {
  const parts = line.split('`');
  // A span that does not end on its line could begin one elsewhere.
  if (parts.length % 2 === 0) return quoteWords(parts.join("'"));
  return parts.map((part, i) => (i % 2 === 0 ? quoteWords(part) : part)).join('`');
}

function quoteWords(text: string): string {
  return text.replace(/(?<![\w`])@[^\s`]+/g, '`$&`');
}

function toOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function indent(text: string): string {
  return text.replace(/\s*\n/g, '\n    ');
}
