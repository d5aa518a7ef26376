/** The daemon's log: short, redacted, bounded, and never a reason to fail. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { redact } from '../../base/redact.ts';

export type Log = (line: string) => void;

const MAX_BYTES = 1024 * 1024;

export function openLog(file: string): Log {
  return (line) => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.old`);
      appendFileSync(file, `${new Date().toISOString()} ${redact(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not stop the daemon from answering.
    }
  };
}
