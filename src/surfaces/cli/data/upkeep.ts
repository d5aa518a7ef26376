/**
 * What keeps old rows from being removed, for `doctor` and `daemon status`: a clock that is not trusted, a run that was cut short, a
 * backup that could not be made.
 */
import { MAX_AUTOMATIC_BYTES } from '../../../keep/backup/backup-files.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import {
  CLOCK_NEXT,
  type FailedBackup,
  findDistrust,
  readUpkeep,
  renderDistrust,
} from '../../../loop/upkeep/trusted-clock.ts';
import { toCount } from '../text.ts';

interface UpkeepNote {
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
  const { trustedAt, backup } = upkeep;
  const waiting = { ...upkeep.capped?.retention?.waiting, ...upkeep.capped?.expiry?.waiting };
  return [
    ...(distrust === undefined
      ? []
      : [{ name: 'clock', detail: distrust, next: CLOCK_NEXT, data: { trustedAt, ...findDistrust(upkeep) } }]),
    ...(Object.keys(waiting).length === 0
      ? []
      : [
          {
            name: 'retention',
            detail: `${renderCounts(waiting)} are due to be removed or archived; an automatic run takes at most 20% of each, once a day`,
            next: 'remove and archive all of them now, after a backup: oncebitten data retention --yes',
            data: { waiting },
          },
        ]),
    ...(backup === undefined ? [] : [describeBackup(backup)]),
  ];
}

function describeBackup(failed: FailedBackup): UpkeepNote {
  const { at, bytes, reason } = failed;
  const detail =
    bytes === undefined
      ? `the automatic backup of ${at.slice(0, 10)} failed: ${reason}`
      : `the store's backup takes ${toGb(bytes)} GB, but all automatic backups together may take ${toGb(MAX_AUTOMATIC_BYTES)} GB; none was kept on ${at.slice(0, 10)}`;
  return { name: 'backup', detail, next: 'make one yourself: oncebitten data backup --out FILE', data: { ...failed } };
}

function toGb(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

export function renderCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, n]) => toCount(n, WORDS[kind] ?? kind));
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
