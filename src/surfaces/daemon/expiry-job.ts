/**
 * The age of lessons, in the daemon: at its start and every hour drafts and unused lessons that are too old are archived,
 * lessons whose time has come or gone get into the manifest or out of it, and what was said in sessions that died is closed.
 */
import { toReason } from '../../base/errors.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { closeDeliveries } from '../loop/close-deliveries.ts';
import { expireLessons } from '../loop/expire-lessons.ts';

export interface ExpiryJob {
  /** Does it, when it is time. */
  step(): Promise<void>;
  end(): void;
}

export interface ExpiryParts {
  readonly store: Store;
  /** As they are now. */
  readonly settings: () => Settings;
  readonly compile: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly now?: () => number;
}

const HOUR_MS = 60 * 60_000;

export function makeExpiryJob({ store, settings, compile, log, now = Date.now }: ExpiryParts): ExpiryJob {
  let dueMs = Number.NEGATIVE_INFINITY;
  let lastMs = now();
  return {
    async step() {
      const nowMs = now();
      if (nowMs < dueMs) return;
      dueMs = nowMs + HOUR_MS;
      try {
        const isJudged = await closeDeliveries(store, settings(), nowMs);
        const { lessons, changed } = await expireLessons(store, { nowMs, ages: settings() });
        if (changed || isJudged || lessons.some((lesson) => isTurned(lesson, lastMs, nowMs))) await compile();
        lastMs = nowMs;
        dueMs = Math.min(dueMs, findNextMs(lessons, nowMs));
      } catch (error) {
        log(`expiry: ${toReason(error)}`);
      }
    },
    end() {
      dueMs = Number.POSITIVE_INFINITY;
    },
  };
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
