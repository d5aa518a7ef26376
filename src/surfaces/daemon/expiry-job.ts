/**
 * The age of lessons, in the daemon. At its start and every hour: lessons whose time has come or gone get into the
 * manifest or out of it, and deliveries of sessions that died are closed. Once a day drafts and unused lessons that are too
 * old are archived, at most a fifth of the lessons. What goes by age waits until the clock can be trusted.
 */
import { toReason } from '../../base/errors.ts';
import type { Lesson } from '../../base/lesson.ts';
import { toMost } from '../../base/retention.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { closeDeliveries } from '../loop/close-deliveries.ts';
import { type Expired, expireLessons } from '../loop/expire-lessons.ts';
import type { TrustedClock } from '../trusted-clock.ts';

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
  readonly clock: Pick<TrustedClock, 'findNow' | 'readCapped' | 'noteCapped'>;
  readonly now?: () => number;
}

const HOUR_MS = 60 * 60_000;
/** A run that archived all it may is not repeated on the same day. */
const CAPPED_MS = 20 * HOUR_MS;

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

/** Without a clock to trust only the lessons that are there are told. */
async function expire({ store, settings, clock }: ExpiryParts): Promise<Pick<Expired, 'lessons' | 'changed'>> {
  const nowMs = clock.findNow();
  if (nowMs === undefined) return expireLessons(store, { nowMs });
  const isJudged = await closeDeliveries(store, settings(), nowMs);
  const capped = clock.readCapped('expiry');
  if (capped !== undefined && Math.abs(nowMs - Date.parse(capped.at)) < CAPPED_MS)
    return withJudged(await expireLessons(store, { nowMs }), isJudged);
  const expired = await expireLessons(store, { nowMs, ages: settings(), toMost });
  const { waiting } = expired;
  if (waiting > 0) clock.noteCapped('expiry', { at: new Date(nowMs).toISOString(), waiting: { lessons: waiting } });
  else if (capped !== undefined) clock.noteCapped('expiry', undefined);
  return withJudged(expired, isJudged);
}

/** A delivery that was judged moves its lesson, too. */
function withJudged(expired: Expired, isJudged: boolean): Pick<Expired, 'lessons' | 'changed'> {
  return { ...expired, changed: expired.changed || isJudged };
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
