/** `oncebitten retention`: removes what is too old now, as the daemon does once a day. */
import {
  addCounts,
  NOTHING_REMOVED,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
  toRetentionLimits,
} from '../../../base/retention.ts';
import type { Settings } from '../../../base/settings.ts';
import type { Store } from '../../../base/store.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';

export const run: Handler = (input) =>
  // Where there is no store there is nothing to remove, and none is made for it.
  readHome(input, async ({ store, settings }) => {
    const limits = toRetentionLimits(settings.retention, Date.now());
    const dryRun = input.options.dryRun === true;
    const removed = dryRun ? await store.countRetention(limits) : await retainAll(store, limits, input.progress);
    return {
      json: { dryRun, ...settings.retention, ...limits, removed },
      text: render(removed, settings.retention, dryRun),
    };
  });

async function retainAll(
  store: Store,
  limits: RetentionLimits,
  progress: (line: string) => void,
): Promise<RetentionCounts> {
  let counts = NOTHING_REMOVED;
  let from: RetentionPoint | undefined;
  do {
    const { next, ...removed } = await store.retain(limits, from);
    counts = addCounts(counts, removed);
    from = next;
    progress(`Removing what is old: ${counts.texts} texts, ${counts.calls} calls`);
  } while (from !== undefined);
  return counts;
}

function render(counts: RetentionCounts, retention: Settings['retention'], dryRun: boolean): string {
  const { texts, excerpts, calls, sessions, deliveries } = counts;
  const would = dryRun ? 'would lose' : 'lost';
  const go = dryRun ? 'would be removed' : 'were removed';
  return [
    `${texts} calls ${would} their text (older than ${retention.textDays} days, or not among the newest ${retention.perProject} of their project), ${excerpts} excerpts ${go} from lessons.`,
    `${calls} calls, ${sessions} sessions and ${deliveries} deliveries older than ${retention.factDays} days ${go}.`,
    ...(dryRun ? ['Do it: oncebitten retention'] : []),
    ...(retention.enabled
      ? ['The daemon does this once a day.']
      : ['The daemon does not do this by itself: the setting retention.enabled is false.']),
  ].join('\n');
}
