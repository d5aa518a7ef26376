/**
 * Retention in the daemon: at its start and once a day, in small pieces. It needs a trusted clock and removes at most a
 * fifth of the rows of one kind per day; the rest waits for the next day or for `oncebitten data retention --yes`.
 */

import type { Store } from '../../base/contracts/store.ts';
import { toReason } from '../../base/errors.ts';
import type { Settings } from '../../base/model/settings.ts';
import {
  addCounts,
  NOTHING_REMOVED,
  planRemoval,
  type RemovalCap,
  type RemovalPlan,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
  subtractCap,
  toRetentionLimits,
} from '../../base/storage/retention.ts';
import { isCappedToday, type TrustedClock } from './trusted-clock.ts';

interface RetentionJob {
  /** Does the next piece. Returns false if there is nothing to do now. */
  step(): Promise<boolean>;
  end(): void;
}

interface RetentionParts {
  readonly store: Pick<Store, 'retain' | 'countRetention' | 'countRemovable'>;
  /** A function, because settings change. */
  readonly settings: () => Settings;
  readonly clock: Pick<TrustedClock, 'findNow' | 'readCapped' | 'noteCapped'>;
  /** False while the store has no backup of the last day. */
  readonly isBackedUp: () => boolean;
  readonly log: (line: string) => void;
  /** A monotonic clock in milliseconds. */
  readonly timer?: () => number;
}

interface Round {
  readonly limits: RetentionLimits & { readonly most: RemovalCap };
  readonly plan: RemovalPlan;
  readonly next?: RetentionPoint;
  readonly counts: RetentionCounts;
}

const HOUR_MS = 60 * 60_000;
/** Time until the next attempt to begin. */
const AGAIN_MS = 10 * 60_000;

export function makeRetentionJob(parts: RetentionParts): RetentionJob {
  const { store, settings, clock, log, timer = () => performance.now() } = parts;
  let dueMs = Number.NEGATIVE_INFINITY;
  let round: Round | undefined;
  const wait = (ms: number): false => {
    round = undefined;
    dueMs = timer() + ms;
    return false;
  };
  return {
    async step() {
      if (timer() < dueMs || !settings().retention.enabled) return false;
      try {
        round ??= await begin(parts);
        if (round === undefined) return wait(AGAIN_MS);
        const { limits, plan } = round;
        const { next, ...removed } = await store.retain(limits, round.next);
        const counts = addCounts(round.counts, removed);
        if (next !== undefined) {
          round = { limits: { ...limits, most: subtractCap(limits.most, removed) }, plan, counts, next };
          return true;
        }
        const isCapped = Object.keys(plan.waiting).length > 0;
        clock.noteCapped('retention', isCapped ? { at: limits.now, waiting: plan.waiting } : undefined);
        if (counts.texts + counts.calls > 0) log(`retention: ${counts.texts} texts, ${counts.calls} calls removed`);
        return wait(24 * HOUR_MS);
      } catch (error) {
        log(`retention: ${toReason(error)}`);
        return wait(HOUR_MS);
      }
    },
    end() {
      dueMs = Number.POSITIVE_INFINITY;
    },
  };
}

/**
 * Undefined while the clock is not trusted, on the day of a run that removed all it may, and where as much would be removed
 * without a backup of the day.
 */
async function begin({ store, clock, settings, isBackedUp }: RetentionParts): Promise<Round | undefined> {
  const nowMs = clock.findNow();
  if (nowMs === undefined) return undefined;
  if (isCappedToday(clock.readCapped('retention'), nowMs)) return undefined;
  const limits = toRetentionLimits(settings().retention, nowMs);
  const plan = planRemoval(await store.countRetention(limits), await store.countRemovable());
  if (Object.keys(plan.waiting).length > 0 && !isBackedUp()) return undefined;
  return { limits: { ...limits, most: plan.most }, plan, counts: NOTHING_REMOVED };
}
