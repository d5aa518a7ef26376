/** The daemon's list of what it cannot do right now. Each trouble begins once, is logged once, and ends. */
import { rmSync } from 'node:fs';
import { redact } from '../../base/redact.ts';
import type { DataHome } from '../data-home.ts';
import { keepTrouble, type Trouble } from '../hook/find-trouble.ts';
import { writeOwnFile } from '../write-own-file.ts';
import type { Log } from './open-log.ts';

export interface Troubles {
  begin(topic: Trouble['topic'], text: string, next?: string): void;
  end(topic: Trouble['topic']): void;
  list(): readonly Trouble[];
  /** Brings the file up to date, if it is not: a full disk takes none at first. */
  save(): void;
}

export function openTroubles(home: DataHome, log: Log): Troubles {
  const known = new Map<Trouble['topic'], Trouble>();
  // What an earlier daemon left is not known to hold any more.
  let saved: string | undefined;

  const save = (): void => {
    const text = known.size === 0 ? '' : `${JSON.stringify([...known.values()], null, 2)}\n`;
    if (text === saved) return;
    try {
      if (text === '') rmSync(home.troubleFile, { force: true });
      else writeOwnFile(home.troubleFile, text);
      saved = text;
    } catch {
      // It stays in memory, where the daemon's answers come from.
    }
  };
  const change = (): void => {
    keepTrouble(home, [...known.values()]);
    save();
  };
  change();

  return {
    begin(topic, told, next) {
      // The words of an error may quote an address with its password.
      const text = redact(told);
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
