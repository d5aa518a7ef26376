/** In how many sessions and projects, in words. */
import type { FailureCell } from '../../base/statistics/failures.ts';
import { countSpread } from './make-pattern.ts';

export function toSpreadText(cells: readonly FailureCell[]): string {
  const { sessions, tasks, projects } = countSpread(cells);
  const where = projects.length > 1 ? ` of ${projects.length} projects` : '';
  return sessions === 1 ? `${tasks} tasks of 1 session` : `${sessions} sessions${where}`;
}
