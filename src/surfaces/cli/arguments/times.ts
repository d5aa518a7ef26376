/** Spans and times as people type them: `90m`, `2h`, `7d`, `2w`, or an ISO time: of UTC, as all that we print, unless it names another zone. */

import { UsageError } from '../errors.ts';
import { toMinute } from '../text.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** Another machine may have named the moment. */
const CLOCKS_MS = 60_000;
/** Longer is for ever, which is said by leaving the option out. */
const MAX_MS = 10 * 365 * 86_400_000;

/** The ISO time so long after `nowMs`. */
export function toUntil(span: string, option: string, nowMs: number): string {
  const ms = parseSpan(span);
  if (ms === undefined || ms === 0 || ms > MAX_MS) {
    throw new UsageError({
      subject: `${option} ${span}`,
      reason: 'is not a duration',
      next: 'use 30m, 2h, 1d or 2w',
    });
  }
  return new Date(nowMs + ms).toISOString();
}

/** Where something begins that is over: of the future there is nothing to tell, and silence would look like an answer. */
export function toSince(text: string, option: string, nowMs: number): string {
  const at = toTime(text, option, nowMs);
  if (Date.parse(at) <= nowMs + CLOCKS_MS) return at;
  throw new UsageError({
    subject: `${option} ${text}`,
    reason: `is in the future; it is now ${toMinute(new Date(nowMs).toISOString())} UTC`,
    next: 'give a past time, or a duration: 2h, 7d',
  });
}

/** A time, or so long ago. */
export function toTime(text: string, option: string, nowMs: number): string {
  const ms = parseSpan(text);
  if (ms !== undefined && ms <= nowMs) return new Date(nowMs - ms).toISOString();
  const at = parseTime(text.trim());
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new UsageError({
    subject: `${option} ${text}`,
    reason: 'is neither a duration nor a time',
    next: 'use 2h, 7d, 2026-01-31 or 2026-01-31T12:00 (UTC)',
  });
}

const TIME = /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:\d\d)?)?$/i;

/** NaN if the text is no time. */
function parseTime(text: string): number {
  const [, date, time, zone = 'Z'] = TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  return Date.parse(time === undefined ? date : `${date}T${time}${zone.toUpperCase()}`);
}

function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*([mhdw])$/.exec(text.trim()) ?? [];
  return count === undefined || unit === undefined ? undefined : Math.round(Number(count) * (UNITS[unit] ?? 0));
}
