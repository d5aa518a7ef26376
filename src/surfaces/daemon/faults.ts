/**
 * The daemon's list of current faults, the words that explain a fault to the user, and the daemon's log. Each fault
 * begins once, is logged once, and ends. The log is short, redacted and bounded, and a failed write to it never stops
 * the daemon.
 */

import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { toReason, UserError } from '../../base/errors.ts';
import { redact } from '../../base/secrets/redaction.ts';
import { type DaemonFault, keepDaemonFaults } from '../../loop/home/daemon-fault.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';

export interface Troubles {
  begin(topic: DaemonFault['topic'], text: string, next?: string): void;
  end(topic: DaemonFault['topic']): void;
  list(): readonly DaemonFault[];
  /** Writes the file if it is outdated, because an earlier write may have failed on a full disk. */
  save(): void;
}

export function openTroubles(home: DataHome, log: Log): Troubles {
  const known = new Map<DaemonFault['topic'], DaemonFault>();
  // Faults of an earlier daemon may be over.
  let saved: string | undefined;

  const save = (): void => {
    const text = known.size === 0 ? '' : `${JSON.stringify([...known.values()], null, 2)}\n`;
    if (text === saved) return;
    try {
      if (text === '') rmSync(home.troubleFile, { force: true });
      else writeOwnFile(home.troubleFile, text);
      saved = text;
    } catch {
      // The fault stays in memory, from which the daemon answers.
    }
  };
  const change = (): void => {
    keepDaemonFaults(home, [...known.values()]);
    save();
  };
  change();

  return {
    begin(topic, message, next) {
      // An error message may contain an address with a password.
      const text = redact(message);
      const before = known.get(topic);
      if (before?.text === text) return;
      log(`trouble with ${topic}: ${text}`);
      const since = before?.since ?? new Date().toISOString();
      known.set(topic, { topic, since, text, ...(next === undefined ? {} : { next }) });
      change();
    },
    end(topic) {
      if (!known.delete(topic)) return;
      log(`no more trouble with ${topic}`);
      change();
    },
    list: () => [...known.values()],
    save,
  };
}

const FULL = /ENOSPC|EDQUOT|database or disk is full|EFBIG/;
const READ_ONLY = /EROFS|EACCES|EPERM|readonly database/;

/**
 * Explains an error to a person: what is wrong, and what to do. `meanwhile` says what happens until it is fixed.
 */
export function toTrouble(error: unknown, meanwhile: string): [text: string, next: string] {
  const next = error instanceof UserError ? error.next : 'Check it: oncebitten doctor';
  const reason = toReason(error);
  if (FULL.test(reason)) return [`the disk is full; ${meanwhile}.`, 'Make room; nothing else is needed.'];
  if (READ_ONLY.test(reason))
    return [`the data directory is read-only (${reason}); ${meanwhile}.`, 'Give yourself write permission.'];
  return [`${reason.replace(/\.$/, '')}; ${meanwhile}.`, next];
}

/** The daemon's log: short, redacted, bounded, and never a reason to fail. */
export type Log = (line: string) => void;

const MAX_BYTES = 1024 * 1024;

/** The log is in the folder of the lock; it does not create that folder again. */
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
