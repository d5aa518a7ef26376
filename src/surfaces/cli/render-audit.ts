/** The junk report as text. */
import type { Audit, AuditedLesson } from '../replay/audit-lessons.ts';
import type { UnmatchedPath } from '../replay/list-unmatched-paths.ts';
import { renderTable } from './render-table.ts';
import { toScreenMax } from './to-line.ts';

const MAX_ROWS = 20;

export function renderAudit(audit: Audit, columns?: number): string {
  const max = toScreenMax(columns, MAX_ROWS);
  const { candidates, becameLessons, merged, dropped, active, drafts, archived, needReview, duplicates } = audit;
  const counts: readonly (readonly [string, number])[] = [
    ['candidates seen', candidates],
    ['became a lesson', becameLessons],
    ['more evidence of a lesson', merged],
    ['dropped', dropped],
    ...Object.entries(audit.droppedByReason).map(([reason, n]) => [`  ${reason}`, n] as const),
    ['held back for a person', audit.heldBack],
    ...Object.entries(audit.heldBackByReason).map(([reason, n]) => [`  ${reason}`, n] as const),
    ['active lessons', active],
    ['drafts', drafts],
    ['archived', archived],
    ['waiting for a review', needReview],
    ['duplicates', duplicates.length],
    ['lessons that never speak again', audit.neverFire.length],
    ['lessons that speak too often', audit.fireTooOften.length],
    ['past calls they were tried on', audit.pastCalls],
  ];
  return [
    renderTable(
      ['WHAT', 'COUNT'],
      counts.map(([what, n]) => [what, `${n}`]),
      { columns, texts: [0] },
    ),
    ...duplicates.slice(0, max).map(({ slugs }) => `\nSay the same: ${slugs.join(', ')}`),
    ...renderLessons('Speak too often', audit.fireTooOften, max),
    ...renderLessons('Never speak again', audit.neverFire, max),
  ].join('\n');
}

export function renderUnmatched(paths: readonly UnmatchedPath[], columns?: number): readonly string[] {
  if (paths.length === 0) return [];
  const rows = paths.slice(0, toScreenMax(columns, MAX_ROWS)).map(({ slug, path, root }) => [path, slug, root]);
  return [
    '',
    'Path triggers that match no file of the repository',
    renderTable(['PATH', 'LESSON', 'REPOSITORY'], rows),
  ];
}

function renderLessons(title: string, lessons: readonly AuditedLesson[], max: number): readonly string[] {
  if (lessons.length === 0) return [];
  const rows = lessons
    .slice(0, max)
    .map(({ slug, status, fires, hits, successes }) => [`${fires}`, `${hits}`, `${successes}`, status, slug]);
  return ['', title, renderTable(['SPEAKS', 'RIGHT', 'AT SUCCESSES', 'STATUS', 'LESSON'], rows)];
}
