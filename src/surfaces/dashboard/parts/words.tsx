/** How the dashboard writes numbers, times, commands and outcomes. */

const NUMBER = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function toNumber(value: number): string {
  return NUMBER.format(value);
}

/** `1 lesson`, `2 lessons`. */
export function toCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${toNumber(count)} ${count === 1 ? noun : plural}`;
}

/** `wrong_usage` is `wrong usage`. */
export function toWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `18 Nov 2026, 21:25`. */
export function toMoment(at: string): string {
  return MOMENT.format(new Date(at));
}

export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={toMoment(at)}>
      {toAgo(at)}
    </time>
  );
}

/** `3 hours ago` within a week, then the day. */
function toAgo(at: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${toCount(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${toCount(hours, 'hour')} ago`;
  const days = Math.floor(hours / 24);
  return days < 7 ? `${toCount(days, 'day')} ago` : DAY.format(new Date(at));
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The time of day, where the day is known. */
export function Clock({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={toMoment(at)}>
      {CLOCK.format(new Date(at))}
    </time>
  );
}

/** The day alone: `Fri 6 Nov 2026`. */
export function toDay(at: string): string {
  return `${WEEKDAY.format(new Date(at))} ${DAY.format(new Date(at))}`;
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });

/** A sentence in which `commands` stand between backticks. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
  return parts.map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : <span key={n}>{part}</span>));
}

/** What came after a lesson was shown. */
export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  clean: 'the mistake was not repeated',
  failed_anyway: 'the call failed all the same',
  ignored: 'the agent ignored it',
  incomplete: 'the session ended before the next try',
};
