/** The daemon's log: short, redacted, bounded, and never a reason to fail. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { redact } from '../../base/redact.ts';

export type Log = (line: string) => void;

const MAX_BYTES = 1024 * 1024;

/** Its folder is the lock's; when that is gone, so is what the log is about. */
export function openLog(file: string): Log {
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.old`);
      appendFileSync(file, `${new Date().toISOString()} ${redact(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not stop the daemon from answering.
    }
  };
}
