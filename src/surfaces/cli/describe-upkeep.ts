/** What keeps old rows from being removed, for `doctor` and `daemon status`: a clock that is not trusted, a run that was cut short. */
import type { DataHome } from '../data-home.ts';
import { CLOCK_NEXT, readUpkeep, renderDistrust } from '../trusted-clock.ts';
import { toCount } from './to-count.ts';

export interface UpkeepNote {
  readonly name: string;
  readonly detail: string;
  readonly next: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const WORDS: Readonly<Record<string, string>> = {
  texts: 'text',
  excerpts: 'excerpt',
  calls: 'call',
  sessions: 'session',
  deliveries: 'delivery record',
  lessons: 'lesson',
};

export function describeUpkeep(home: Pick<DataHome, 'upkeepFile'>): readonly UpkeepNote[] {
  const upkeep = readUpkeep(home);
  if (upkeep === undefined) return [];
  const distrust = renderDistrust(upkeep);
  const { trustedAt, distrusted } = upkeep;
  const waiting = { ...upkeep.capped?.retention?.waiting, ...upkeep.capped?.expiry?.waiting };
  return [
    ...(distrust === undefined
      ? []
      : [{ name: 'clock', detail: distrust, next: CLOCK_NEXT, data: { trustedAt, ...distrusted } }]),
    ...(Object.keys(waiting).length === 0
      ? []
      : [
          {
            name: 'retention',
            detail: `${renderCounts(waiting)} wait to be removed or archived: an automatic run takes at most 20% of each, once a day`,
            next: 'all at once, after a backup: oncebitten retention --yes',
            data: { waiting },
          },
        ]),
  ];
}

export function renderCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, n]) => toCount(n, WORDS[kind] ?? kind));
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
