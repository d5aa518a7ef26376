/** What can be done about false alarms, and what was. */
import type { KnownFalseAlarms } from '../replay/full-backtest.ts';
import { type Fixed, listFixable } from './review/fix-false-alarms.ts';
import { toCount } from './to-count.ts';
import { toLine } from './to-line.ts';

/** The exact commands, for who has no terminal. */
export function renderFixes(alarms: readonly KnownFalseAlarms[]): readonly string[] {
  const fixable = listFixable(alarms);
  if (fixable.length === 0)
    return ['', alarms.length === 0 ? 'There is no false alarm to fix.' : 'None of these speaks in your store.'];
  const commands = fixable.flatMap(({ stored, summary }) => [
    '',
    `  # ${toLine(summary)}`,
    ...['lessons archive', 'lessons edit', 'mute'].map((command) => `  oncebitten ${command} ${stored?.slug}`),
  ]);
  return ['', 'One of these for each; or in a terminal, with one key:', ...commands];
}

export function renderFixed(fixed: readonly Fixed[]): string {
  const count = (verdict: Fixed['verdict']): number => fixed.filter((one) => one.verdict === verdict).length;
  const parts = (['archived', 'edited', 'muted', 'skipped'] as const).flatMap((verdict) =>
    count(verdict) === 0 ? [] : [`${count(verdict)} ${verdict}`],
  );
  if (parts.length === 0) return 'Nothing was changed.';
  const changed = fixed.length - count('skipped');
  const undo = changed === 0 ? '' : ' Take it back: oncebitten lessons undo <slug>, or oncebitten unmute <slug>';
  return `${parts.join(', ')} of ${toCount(fixed.length, 'lesson')}.${undo}`;
}
