/** Retention in the daemon: at its start and once a day, one bounded piece at a time, while nobody waits. */
import { toReason } from '../../base/errors.ts';
import {
  addCounts,
  NOTHING_REMOVED,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
  toRetentionLimits,
} from '../../base/retention.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';

export interface RetentionJob {
  /** Does the next piece. False when there is nothing to do now. */
  step(): Promise<boolean>;
  end(): void;
}

export interface RetentionParts {
  readonly store: Pick<Store, 'retain'>;
  /** Asked each time: settings change. */
  readonly settings: () => Settings;
  readonly log: (line: string) => void;
  readonly now?: () => number;
}

interface Round {
  readonly limits: RetentionLimits;
  readonly next?: RetentionPoint;
  readonly counts: RetentionCounts;
}

const DAY_MS = 24 * 60 * 60_000;
const RETRY_MS = 60 * 60_000;

export function makeRetentionJob({ store, settings, log, now = Date.now }: RetentionParts): RetentionJob {
  let dueMs = Number.NEGATIVE_INFINITY;
  let round: Round | undefined;
  return {
    async step() {
      if (now() < dueMs || !settings().retention.enabled) return false;
      round ??= { limits: toRetentionLimits(settings().retention, now()), counts: NOTHING_REMOVED };
      try {
        const { next, ...removed } = await store.retain(round.limits, round.next);
        const counts = addCounts(round.counts, removed);
        round = next === undefined ? undefined : { limits: round.limits, counts, next };
        if (next !== undefined) return true;
        if (counts.texts + counts.calls > 0) log(`retention: ${counts.texts} texts, ${counts.calls} calls removed`);
        dueMs = now() + DAY_MS;
      } catch (error) {
        log(`retention: ${toReason(error)}`);
        round = undefined;
        dueMs = now() + RETRY_MS;
      }
      return false;
    },
    end() {
      dueMs = Number.POSITIVE_INFINITY;
    },
  };
}
