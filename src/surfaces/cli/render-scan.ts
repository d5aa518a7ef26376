/** A scan's progress as one line: how much, how fast, how long still. */
import type { ScanProgress } from '../daemon/scan-sessions.ts';

const REFRESH_MS = 100;

export function makeScanProgress(show: (line: string) => void): (progress: ScanProgress) => void {
  const startedMs = performance.now();
  let shownMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < REFRESH_MS) return;
    shownMs = nowMs;
    show(renderScanProgress(progress, (nowMs - startedMs) / 1000));
  };
}

export function renderScanProgress({ files, filesDone, bytes, bytesDone }: ScanProgress, seconds: number): string {
  const share = bytes === 0 ? 1 : bytesDone / bytes;
  const filled = Math.round(share * 20);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const left = rate > 0 ? `, ${Math.ceil((bytes - bytesDone) / rate)} s left` : '';
  return `Reading sessions ${bar} ${filesDone}/${files} files, ${toMegabytes(rate)} MB/s${left}`;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
