/** A scan as text: while it runs, how much, how fast, how long still; then what was found. */
import type { AgentCounts } from '../scan/count-scan.ts';
import type { ScanProgress, ScanTotals } from '../scan/scan-sessions.ts';
import type { ScanStatus } from '../scan/scan-status.ts';
import type { CommandInput } from './command.ts';

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
  const { sessions, calls, failures, masked, cancelled, denied, seconds, lessons, drafts, vanished, agents } = totals;
  const sum = (key: 'files' | 'filesRead'): number => agents.reduce((total, agent) => total + agent[key], 0);
  return [
    `Read ${sum('filesRead')} of ${sum('files')} files in ${seconds} s, those that had changed: ${sessions} sessions with something new, ${calls} calls, ${failures} failures and ${masked} more that their command hid, ${cancelled} cancelled, ${denied} denied.`,
    ...agents.map(renderAgent),
    `There are now ${lessons} active lessons and ${drafts} drafts. See them: oncebitten lessons list`,
    ...Object.entries(totals.skipped).map(([reason, n]) => `  ${n} lines skipped: ${reason}`),
    ...(vanished === 0 ? [] : [`  ${vanished} files were removed meanwhile`]),
    ...totals.unreadable.map(({ path, reason }) => `  could not read ${path}: ${reason}`),
  ];
}

function renderAgent({ agent, files, filesRead, sessions, calls, failures }: AgentCounts): string {
  return `  ${agent}: ${filesRead} of ${files} files, ${sessions} sessions, ${calls} calls, ${failures} failures`;
}

/** What the daemon read by itself, in a line. */
export function renderScanStatus({ isUnderWay, last, grown }: ScanStatus): string {
  const now = isUnderWay ? ' Files are being read now.' : '';
  const more = grown.at === undefined ? '' : ` ${grown.calls} calls from files that grew, last at ${grown.at}.`;
  if (last === undefined) return `It has not looked through all session files yet.${more}${now}`;
  const { at, files, filesRead, calls, unreadable } = last;
  const bad = unreadable === 0 ? '' : `, ${unreadable} could not be read`;
  return `Last scan at ${at}: ${files} session files, ${filesRead} with something new${bad}, ${calls} calls.${more}${now}`;
}
