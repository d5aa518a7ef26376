/**
 * Failed calls by day: those that were new, those that had happened before, and the repeats that a lesson prevented.
 * The same numbers are in a table for those who cannot see the picture.
 */

import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef, useState } from 'react';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip, Legend);

export interface Day {
  /** `2026-01-31`. */
  readonly day: string;
  readonly fresh: number;
  readonly repeats: number;
  readonly prevented: number;
}

const SERIES = [
  ['fresh', 'failed for the first time', '--chart-fresh'],
  ['repeats', 'failed again', '--chart-repeat'],
  ['prevented', 'lesson shown, mistake not repeated', '--chart-prevented'],
] as const;

export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  useEffect(() => {
    if (canvas.current === null) return;
    const colours = getComputedStyle(document.documentElement);
    const get = (name: string): string => colours.getPropertyValue(name);
    const text = get(`--chart-text-${isDark ? 'dark' : 'light'}`);
    const hasPrevented = days.some(({ prevented }) => prevented > 0);
    const chart = new Chart(canvas.current, {
      type: 'bar',
      data: {
        labels: days.map(({ day }) => toShortDay(day)),
        datasets: SERIES.filter(([key]) => key !== 'prevented' || hasPrevented).map(([key, label, colour]) => ({
          label,
          data: days.map((day) => day[key]),
          backgroundColor: get(`${colour}-${isDark ? 'dark' : 'light'}`),
          stack: key === 'prevented' ? 'prevented' : 'failed',
          maxBarThickness: 48,
          borderRadius: 2,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        plugins: {
          legend: { position: 'bottom', labels: { color: text, boxWidth: 12, boxHeight: 12, padding: 16 } },
          tooltip: { mode: 'index', callbacks: { title: ([bar]) => days[bar?.dataIndex ?? 0]?.day ?? '' } },
        },
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            ticks: { maxTicksLimit: 10, maxRotation: 0, color: text },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            grid: { color: get(`--chart-grid-${isDark ? 'dark' : 'light'}`) },
            ticks: { precision: 0, color: text },
          },
        },
      },
    });
    return () => chart.destroy();
  }, [days, isDark]);
  return (
    <figure className="chart">
      <figcaption>Failed calls by day</figcaption>
      <div>
        <canvas ref={canvas} role="img" aria-label="Failed calls by day; the table below has the same numbers" />
      </div>
      <details>
        <summary>The same numbers as a table</summary>
        <DayTable days={days} />
      </details>
    </figure>
  );
}

const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function toShortDay(day: string): string {
  return SHORT_DAY.format(new Date(day));
}

function DayTable({ days }: { readonly days: readonly Day[] }) {
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {SERIES.map(([key, label]) => (
              <th key={key} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              {SERIES.map(([key]) => (
                <td key={key} className="number">
                  {day[key]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const DARK = '(prefers-color-scheme: dark)';

function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const change = (): void => setDark(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return isDark;
}
