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
      <Trend days={days} />
      <p className="ends" aria-hidden="true">
        <span>{first}</span>
        {last !== first && <span>{last}</span>}
      </p>
    </figure>
  );
}

const BARS = 20;
const [WIDTH, HEIGHT] = [100, 28];

export function Trend({ days }: { readonly days: readonly Counted[] }) {
  const bars = toBars(days);
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
        const height = count === 0 ? 1 : Math.max(3, (count / highest) * HEIGHT);
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={n} x={n * step} y={HEIGHT - height} width={step - 1} height={height} />;
      })}
    </svg>
  );
}

/** The time from the first to the last day in equal parts. */
function toBars(days: readonly Counted[]): readonly number[] {
  const bars = new Array<number>(BARS).fill(0);
  const [first, last] = [Date.parse(days[0]?.day ?? ''), Date.parse(days.at(-1)?.day ?? '')];
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
