/** What a scan found, in numbers. */
import type { TranscriptRead } from '../../capture/read-transcript-file.ts';
import type { Digest } from './digest-events.ts';
import type { Taken } from './loop.ts';

export interface ScanCounts {
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
  /** Hidden by their command, and not among the failures. */
  readonly masked: number;
  readonly cancelled: number;
  readonly denied: number;
  readonly bytes: number;
  readonly findings: number;
  /** Files that could not be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** Lines that could not be used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export function countScan() {
  const sessions = new Set<string>();
  const counts = { calls: 0, failures: 0, masked: 0, cancelled: 0, denied: 0, bytes: 0, findings: 0 };
  const unreadable: { path: string; reason: string }[] = [];
  const skipped: Record<string, number> = {};
  return {
    add({ calls, findings }: Taken, { sights }: Digest): void {
      for (const { agent, sessionId } of sights) sessions.add(`${agent}\n${sessionId}`);
      for (const { outcome, masked } of calls) {
        counts.calls++;
        if (outcome === 'failure') counts[masked ? 'masked' : 'failures']++;
        if (outcome === 'cancelled') counts.cancelled++;
        if (outcome === 'denied') counts.denied++;
      }
      counts.findings += findings;
    },
    finish(read: TranscriptRead): void {
      counts.bytes += read.bytesRead;
      for (const [reason, count] of read.skipped) skipped[reason] = (skipped[reason] ?? 0) + count;
    },
    fail: (path: string, reason: string): void => void unreadable.push({ path, reason }),
    toCounts: (): ScanCounts => ({ sessions: sessions.size, ...counts, skipped, unreadable }),
  };
}
