/** A scan as text: while it runs, how much, how fast, how long still; then what was found. */
import type { AgentCounts, ScanProgress, ScanStatus } from '../../../loop/scan/scan-counts.ts';
import type { ScanTotals } from '../../../loop/scan/scan-sessions.ts';
import type { CommandInput } from '../command.ts';
import { toCount, toNumber } from '../text.ts';

const REFRESH_MS = 100;

export function makeScanProgress(show: CommandInput['progress']): (progress: ScanProgress) => void {
  const startedMs = performance.now();
  let shownMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < REFRESH_MS || progress.files === 0) return;
    shownMs = nowMs;
    const seconds = (nowMs - startedMs) / 1000;
    show(`Reading sessions ${renderBar(progress)} ${renderScanProgress(progress, seconds)}`);
  };
}

export function renderScanProgress({ files, filesDone, bytes, bytesDone }: ScanProgress, seconds: number): string {
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const left = rate > 0 ? `, ${Math.ceil((bytes - bytesDone) / rate)} s left` : '';
  return `${filesDone}/${files} files, ${(rate / 1e6).toFixed(0)} MB/s${left}`;
}

function renderBar({ bytes, bytesDone }: ScanProgress): string {
  const filled = Math.round((bytes === 0 ? 1 : bytesDone / bytes) * 20);
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
}

export function renderScanTotals(totals: ScanTotals): readonly string[] {
  const { failures, masked, cancelled, denied, lessons, drafts, vanished } = totals;
  const hidden =
    masked === 0
      ? ''
      : `, ${toNumber(masked)} more are masked: their command hid the exit code (for example with \`|| true\`)`;
  const now = `There are now ${toCount(lessons, 'active lesson')} and ${toCount(drafts, 'draft')}${renderBefore(totals)}. See them: oncebitten lessons list`;
  if (isUnchanged(totals)) {
    const files = totals.agents.reduce((sum, agent) => sum + agent.files, 0);
    return [`Nothing new: ${toCount(files, 'session file')} ${files === 1 ? 'has' : 'have'} not changed.`, now];
  }
  return [
    renderRead(totals),
    `  ${toNumber(failures)} failed${hidden}`,
    `  ${toNumber(denied)} denied, ${toNumber(cancelled)} cancelled`,
    ...totals.agents.map(renderAgent),
    ...Object.entries(totals.skipped).map(([reason, n]) => `  ${toCount(n, 'line')} skipped: ${reason}`),
    ...(vanished === 0 ? [] : [`  ${toCount(vanished, 'file')} deleted during the scan`]),
    ...totals.unreadable.map(({ path, reason }) => `  could not read ${path}: ${reason}`),
    now,
  ];
}

function isUnchanged({ agents, vanished, unreadable }: ScanTotals): boolean {
  const isRead = agents.some(({ filesRead }) => filesRead > 0);
  return !isRead && vanished + unreadable.length === 0 && agents.some(({ files }) => files > 0);
}

function renderBefore({ before }: ScanTotals): string {
  return before === undefined ? '' : ` (before: ${toNumber(before.lessons)} and ${toNumber(before.drafts)})`;
}

function renderRead({ agents, seconds, sessions, calls, vanished, unreadable }: ScanTotals): string {
  const sum = (key: 'files' | 'filesRead'): number => agents.reduce((total, agent) => total + agent[key], 0);
  const read = sum('filesRead');
  const same = sum('files') - read - vanished - unreadable.length;
  const rest = same > 0 ? ` (${toNumber(same)} had not changed)` : '';
  return `Read ${toCount(read, 'file')}${rest} in ${seconds} s: ${toCount(calls, 'call')} in ${toCount(sessions, 'session')}.`;
}

function renderAgent({ agent, files, filesRead, sessions, calls, failures }: AgentCounts): string {
  const counts = [toCount(sessions, 'session'), toCount(calls, 'call'), toCount(failures, 'failure')];
  return `  ${agent}: ${toNumber(filesRead)} of ${toCount(files, 'file')}, ${counts.join(', ')}`;
}

/** What the daemon read by itself, in a line. */
export function renderScanStatus({ isUnderWay, progress, last, grown }: ScanStatus): string {
  const now = isUnderWay ? ` ${renderUnderWay(progress)}` : '';
  const more =
    grown.at === undefined ? '' : ` ${toCount(grown.calls, 'call')} from files that grew, last at ${grown.at}.`;
  if (last === undefined) return `The daemon has not finished a scan of all session files yet.${more}${now}`;
  const { at, files, filesRead, calls, unreadable } = last;
  const bad = unreadable === 0 ? '' : `, ${unreadable} could not be read`;
  return `Last scan, at ${at}: ${toCount(files, 'session file')}, ${toNumber(filesRead)} with new content${bad}, ${toCount(calls, 'call')}.${more}${now}`;
}

function renderUnderWay(progress: ScanProgress | undefined): string {
  if (progress === undefined) return 'The daemon is reading files now.';
  const { files, filesDone, bytes, bytesDone } = progress;
  return `The daemon is reading session files now, the newest first: ${toNumber(filesDone)} of ${toCount(files, 'file')}, ${toSize(bytesDone)} of ${toSize(bytes)}.`;
}

/** `52 MB`, `2.0 GB`. */
export function toSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
