/** How often something happened over time, as small bars. Its sentence says the same. */

import { toCount } from './words.tsx';

interface Counted {
  readonly day: string;
  readonly count: number;
}

/** The same, large and with its days and its highest number. */
export function Timeline({ days, title }: { readonly days: readonly Counted[]; readonly title: string }) {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <figure className="chart small">
      <figcaption>
        {title} <span className="soft">{toSentence(days)}</span>
      </figcaption>
      <Trend days={days} span={[first, last]} />
      <p className="ends" aria-hidden="true">
        <span>{first}</span>
        {last !== first && <span>{last}</span>}
      </p>
    </figure>
  );
}

const BARS = 20;
const [WIDTH, HEIGHT] = [100, 28];

/** The first and the last day of a picture. */
export type Span = readonly [first: string, last: string];

/** The time that all of them took, so that pictures below each other have the same scale. */
export function toSpan(kinds: readonly { readonly days: readonly Counted[] }[]): Span {
  const days = kinds.flatMap((kind) => kind.days.map(({ day }) => day)).sort();
  return [days[0] ?? '', days.at(-1) ?? ''];
}

export function Trend({ days, span }: { readonly days: readonly Counted[]; readonly span: Span }) {
  const bars = toBars(days, span);
  const highest = Math.max(1, ...bars);
  const step = WIDTH / BARS;
  return (
    <svg
      className="trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={toSentence(days)}
    >
      {bars.map((count, n) => {
        if (count === 0) return null;
        const height = Math.max(3, (count / highest) * HEIGHT);
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={n} x={n * step} y={HEIGHT - height} width={step - 1} height={height} />;
      })}
    </svg>
  );
}

/** The time from the first to the last day in equal parts. */
function toBars(days: readonly Counted[], span: Span): readonly number[] {
  const bars = new Array<number>(BARS).fill(0);
  const [first, last] = [Date.parse(span[0]), Date.parse(span[1])];
  for (const { day, count } of days) {
    const share = last === first ? 1 : (Date.parse(day) - first) / (last - first);
    const at = Math.min(BARS - 1, Math.floor(share * BARS));
    bars[at] = (bars[at] ?? 0) + count;
  }
  return bars;
}

function toSentence(days: readonly Counted[]): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return first === last
    ? `${toCount(total, 'time')} on ${first}`
    : `${toCount(total, 'time')} from ${first} to ${last}`;
}
