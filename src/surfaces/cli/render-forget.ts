/** What would go, and what went. */
import type { ForgetReport, ForgetWish } from '../../base/forgotten.ts';

export function renderPreview(
  report: ForgetReport & { readonly facts: number; readonly shared: boolean },
  name: string,
): string {
  const { lessonsChanged, facts } = report;
  return [
    `To be forgotten: ${name}`,
    `  ${renderCounts(report)}`,
    ...(lessonsChanged > 0 ? [`  ${lessonsChanged} lessons with other evidence lose this part of it`] : []),
    ...(facts > 0 ? [`  ${facts} facts that wait to be stored`] : []),
    ...(report.shared ? ['  The store is shared: this removes what EVERYBODY who uses it has learned.'] : []),
  ].join('\n');
}

export function renderForgotten(report: ForgetReport, wish: ForgetWish, name: string): string {
  const changed = report.lessonsChanged > 0 ? `; ${report.lessonsChanged} lessons lost part of their evidence` : '';
  return [
    `Forgotten: ${name}. Removed: ${renderCounts(report)}${changed}.`,
    'No scan brings it back. The agents keep transcripts of their own; those are not touched.',
    wish.kind === 'all'
      ? 'Settings and hooks stay. What happens from now on is captured again; to stop that: oncebitten pause'
      : `What happens from now on is captured again; to stop that: oncebitten pause --${wish.kind}`,
  ].join('\n');
}

/** Backups that were made before. */
export function renderHolding(backups: readonly string[]): readonly string[] {
  if (backups.length === 0) return [];
  return [
    'Backups still hold it. When you need them no more, remove them, and make a new one: oncebitten backup',
    ...backups.map((file) => `  ${file}`),
  ];
}

function renderCounts({ sessions, calls, lessons, deliveries, episodes, signatures }: ForgetReport): string {
  return `${sessions} sessions, ${calls} calls, ${lessons} lessons, ${deliveries} deliveries, ${episodes} episodes, ${signatures} failure forms`;
}
