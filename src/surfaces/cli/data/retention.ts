/**
 * `oncebitten data retention`: removes data that is too old, as the daemon does once a day. `describeUpkeep` says, for
 * `doctor` and `daemon status`, what keeps old rows from being removed.
 */

import { existsSync } from 'node:fs';
import type { Store } from '../../../base/contracts/store.ts';
import type { Settings } from '../../../base/model/settings.ts';
import {
  addCounts,
  NOTHING_REMOVED,
  planRemoval,
  type RemovalPlan,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
  toRetentionLimits,
} from '../../../base/storage/retention.ts';
import { MAX_AUTOMATIC_BYTES } from '../../../keep/backup/backup-files.ts';
import { writeAutomaticBackup } from '../../../keep/backup/write-backup.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { listScanFiles } from '../../../loop/scan/scan-files.ts';
import { expireLessons, hasExpired } from '../../../loop/upkeep/expire-lessons.ts';
import {
  CLOCK_NEXT,
  type FailedBackup,
  findDistrust,
  openTrustedClock,
  readUpkeep,
  renderDistrust,
  type TrustedClock,
} from '../../../loop/upkeep/trusted-clock.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { isConfirmed } from '../arguments/options.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { joinLines, toCount, toNumber, toSentence } from '../text.ts';

export const run: Handler = (input) =>
  // Without a store there is nothing to remove, so none is created.
  readHome(input, async (open) => {
    const { store, settings } = open;
    if (input.options.dryRun === true) return preview(input, open);
    // No store: the clock has nothing to guard, and no folder is made for its record.
    if (settings.store.url === '' && !existsSync(input.home.storeFile))
      return {
        json: { removed: NOTHING_REMOVED },
        text: [...render(NOTHING_REMOVED, settings.retention, false), renderDaemon(settings.retention)].join('\n'),
      };
    const clock = await openClock(input, store);
    const nowMs = getNow(input, clock);
    const limits = toRetentionLimits(settings.retention, nowMs);
    const plan = planRemoval(await store.countRetention(limits), await store.countRemovable());
    const isMass = Object.keys(plan.waiting).length > 0;
    const reason = renderMass(plan);
    const question = `${reason}\nType yes to remove it`;
    if (isMass && !(await isConfirmed(input, { question, command: 'data retention', reason })))
      return { json: { removed: NOTHING_REMOVED }, text: 'Nothing was removed.', failed: true };
    const isAll = input.options.yes === true;
    const isNeeded = isMass || (isAll && (await isAnyDue(open, plan, nowMs)));
    const backup = isNeeded ? await backUp(input, store) : undefined;
    const removed = await retainAll(store, limits, input.progress);
    clock.noteCapped('retention', undefined);
    const archived = isAll ? await archiveDue(open, clock, nowMs) : 0;
    return {
      json: { dryRun: false, ...settings.retention, ...limits, removed, archived, ...(backup && { backup }) },
      text: joinLines([
        ...render(removed, settings.retention, false),
        backup !== undefined && `Undo: oncebitten data restore ${backup}`,
        archived > 0 &&
          `${toCount(archived, 'lesson')} archived: drafts that nobody reviewed, and lessons that were not used.`,
        // With `--yes`, nothing is left for the daemon to do today.
        !isAll && renderDaemon(settings.retention),
      ]),
    };
  });

/** Makes a backup only if rows are removed; otherwise it would replace an older backup that contains more. */
async function isAnyDue({ store, settings }: OpenHome, { due }: RemovalPlan, nowMs: number): Promise<boolean> {
  return Object.values(due).some((count) => count > 0) || hasExpired(store, { nowMs, ages: settings });
}

/** What cannot be backed up is not removed. */
async function backUp({ home, progress }: CommandInput, store: Store): Promise<string> {
  const oncebitten = readBuildVersion();
  const { file } = await writeAutomaticBackup(store, {
    ...{ backupsDir: home.backupsDir, kind: 'before-removal', at: new Date().toISOString(), oncebitten },
    maxBytes: Number.POSITIVE_INFINITY,
    onRows: (count) => progress(`Writing a backup: ${count} rows`),
  });
  return file;
}

async function preview(input: CommandInput, { store, settings }: OpenHome): Promise<CommandResult> {
  const clock = await openClock(input, store, true);
  const isTrusted = input.options.trustClock === true || clock.findNow() !== undefined;
  const limits = toRetentionLimits(settings.retention, Date.now());
  const plan = planRemoval(await store.countRetention(limits), await store.countRemovable());
  const isNothing = Object.values(plan.due).every((count) => count === 0);
  const text = joinLines([
    ...render(plan.due, settings.retention, true),
    Object.keys(plan.waiting).length > 0 && renderMass(plan),
    ...(isTrusted
      ? [isNothing ? 'Nothing is due.' : 'Remove them: oncebitten data retention']
      : [`${toSentence(explainClock(clock))}.`, `  ${CLOCK_NEXT}`]),
    renderDaemon(settings.retention),
  ]);
  const { due: removed, waiting } = plan;
  return { json: { dryRun: true, ...settings.retention, ...limits, removed, waiting, clockTrusted: isTrusted }, text };
}

function openClock(input: CommandInput, store: Store, isDryRun = false): Promise<TrustedClock> {
  const fileTimes = (): readonly number[] => listScanFiles(toScanPlaces(input)).map(({ mtimeMs }) => mtimeMs);
  return openTrustedClock({ home: input.home, findNewestWrite: store.findNewestWrite, fileTimes, isDryRun });
}

function getNow({ options }: CommandInput, clock: TrustedClock): number {
  if (options.trustClock === true) clock.trust();
  const nowMs = clock.findNow();
  if (nowMs !== undefined) return nowMs;
  throw userError('data retention', explainClock(clock), CLOCK_NEXT);
}

function explainClock(clock: TrustedClock): string {
  return clock.explain() ?? 'the clock cannot be trusted';
}

function renderMass({ due, rows, waiting }: RemovalPlan): string {
  const kinds = Object.keys(waiting) as (keyof RemovalPlan['waiting'])[];
  const parts = kinds.map((kind) => `${renderCounts({ [kind]: due[kind] })} of ${rows[kind]}`);
  return `${parts.join(', ')} would be removed; more than 20% at once needs your confirmation (--yes)`;
}

async function archiveDue(open: OpenHome, clock: TrustedClock, nowMs: number): Promise<number> {
  const before = (await open.store.listLessons()).filter(({ status }) => status !== 'archived').length;
  const { lessons, changed } = await expireLessons(open.store, { nowMs, ages: open.settings });
  clock.noteCapped('expiry', undefined);
  if (changed) await compileLessons(open);
  return before - lessons.length;
}

async function retainAll(
  store: Store,
  limits: RetentionLimits,
  progress: (line: string) => void,
): Promise<RetentionCounts> {
  let counts = NOTHING_REMOVED;
  let from: RetentionPoint | undefined;
  do {
    const { next, ...removed } = await store.retain(limits, from);
    counts = addCounts(counts, removed);
    from = next;
    progress(`Removing old data: ${counts.texts} texts, ${counts.calls} calls`);
  } while (from !== undefined);
  return counts;
}

function render(counts: RetentionCounts, retention: Settings['retention'], dryRun: boolean): readonly string[] {
  const { texts, excerpts, calls, sessions, deliveries } = counts;
  const would = dryRun ? 'would lose' : 'lost';
  const go = dryRun ? 'would be removed' : 'were removed';
  return [
    `${toCount(texts, 'call')} ${would} their text (older than ${retention.textDays} days, or not among the newest ${retention.perProject} of their project), and ${toCount(excerpts, 'excerpt')} of such calls ${go} from archived lessons.`,
    `${toCount(calls, 'call')}, ${toCount(sessions, 'session')} and ${deliveries === 1 ? '1 record' : `${toNumber(deliveries)} records`} of shown lessons, older than ${retention.factDays} days, ${go}.`,
  ];
}

function renderDaemon({ enabled }: Settings['retention']): string {
  return enabled
    ? 'The daemon does this once a day, at most 20% of each kind at a time; this command does all at once.'
    : 'The daemon does not do this by itself: the setting retention.enabled is false.';
}

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

function renderCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, n]) => toCount(n, WORDS[kind] ?? kind));
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
