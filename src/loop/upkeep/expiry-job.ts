/**
 * Daemon job for the age of lessons: it updates the manifest when a lesson's validity begins or ends, closes deliveries
 * of sessions that died, and archives drafts and unused lessons that are too old. The job runs at the daemon's start
 * and every hour, and archives at most a fifth of the lessons per day. Work that depends on age waits until the clock
 * can be trusted.
 */

import type { Store } from '../../base/contracts/store.ts';
import { toReason } from '../../base/errors.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { Settings } from '../../base/model/settings.ts';
import { toRemovalLimit } from '../../base/storage/retention.ts';
import { measureSilent } from '../measuring/measure-calls.ts';
import { type Expired, expireLessons } from './expire-lessons.ts';
import { isCappedToday, type TrustedClock } from './trusted-clock.ts';

interface ExpiryJob {
  /** Runs the job if it is due. */
  step(): Promise<void>;
  end(): void;
}

interface ExpiryParts {
  readonly store: Store;
  /** As they are now. */
  readonly settings: () => Settings;
  readonly compile: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly clock: Pick<TrustedClock, 'findNow' | 'readCapped' | 'noteCapped'>;
  readonly now?: () => number;
}

const HOUR_MS = 60 * 60_000;

export function makeExpiryJob(parts: ExpiryParts): ExpiryJob {
  const { compile, log, now = Date.now } = parts;
  // A clock that was ahead and is set back must not keep the job from its next turn.
  const timer = parts.now ?? (() => performance.now());
  let dueMs = Number.NEGATIVE_INFINITY;
  let lastMs = now();
  return {
    async step() {
      if (timer() < dueMs) return;
      const nowMs = now();
      dueMs = timer() + HOUR_MS;
      try {
        const { lessons, changed } = await expire(parts);
        if (changed || lessons.some((lesson) => isTurned(lesson, lastMs, nowMs))) await compile();
        lastMs = nowMs;
        dueMs = Math.min(dueMs, timer() + findNextMs(lessons, nowMs) - nowMs);
      } catch (error) {
        log(`expiry: ${toReason(error)}`);
      }
    },
    end() {
      dueMs = Number.POSITIVE_INFINITY;
    },
  };
}

/** Without a trusted clock it only lists the lessons. */
async function expire({ store, settings, clock }: ExpiryParts): Promise<Pick<Expired, 'lessons' | 'changed'>> {
  const nowMs = clock.findNow();
  if (nowMs === undefined) return expireLessons(store, { nowMs });
  const isJudged = await closeDeliveries(store, settings(), nowMs);
  const isCapped = isCappedToday(clock.readCapped('expiry'), nowMs);
  const limits = isCapped ? {} : { ages: settings(), toMost: toRemovalLimit };
  const { lessons, changed, waiting } = await expireLessons(store, { nowMs, ...limits });
  const at = new Date(nowMs).toISOString();
  if (!isCapped) clock.noteCapped('expiry', waiting > 0 ? { at, waiting: { lessons: waiting } } : undefined);
  // A delivery that was judged moves its lesson, too.
  return { lessons, changed: changed || isJudged };
}

function isTurned(lesson: Lesson, sinceMs: number, nowMs: number): boolean {
  return toLimits(lesson).some((ms) => ms > sinceMs && ms <= nowMs);
}

function findNextMs(lessons: readonly Lesson[], nowMs: number): number {
  return Math.min(...lessons.flatMap(toLimits).filter((ms) => ms > nowMs));
}

function toLimits({ validity: { from, until } }: Lesson): readonly number[] {
  return [from, until].flatMap((limit) => (limit === undefined ? [] : [Date.parse(limit)]));
}

const SILENT_MS = 24 * 60 * 60_000;

/**
 * Closes deliveries of sessions that were silent for a day, because a dead session sends no end: procedures by the items
 * that were done, others as incomplete. Returns true if a verdict was given.
 */
async function closeDeliveries(store: Store, settings: Settings, nowMs: number): Promise<boolean> {
  const silentBefore = new Date(nowMs - SILENT_MS).toISOString();
  const at = new Date(nowMs).toISOString();
  const changed = await measureSilent({ store, settings, now: () => nowMs }, silentBefore, at);
  await store.closeDeliveries(silentBefore, at);
  return changed;
}
