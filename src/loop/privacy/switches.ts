/**
 * Reads the current pauses and mutes. The daemon and the cold hook ask at every event; without the file that costs one
 * `stat`. A file that cannot be read or parsed pauses everything, because it is unknown what should stay private.
 */
import { readFileSync, statSync } from 'node:fs';
import { BROKEN_SWITCHES, NO_SWITCHES, parseSwitches, type Switches } from '../../base/model/switches.ts';

export function readSwitches(file: string): Switches {
  return makeSwitchReader(file)();
}

/** Reads the file again only after it changed. */
export function makeSwitchReader(file: string): () => Switches {
  let stamp = '';
  let switches = NO_SWITCHES;
  return () => {
    const now = findStamp(file);
    if (now === undefined) return NO_SWITCHES;
    if (now === stamp && !switches.broken) return switches;
    stamp = now;
    switches = read(file);
    return switches;
  };
}

function findStamp(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
  } catch {
    return 'unknown';
  }
}

function read(file: string): Switches {
  try {
    return parseSwitches(readFileSync(file, 'utf8'));
  } catch (error) {
    // The file was removed since the `stat`.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? NO_SWITCHES : BROKEN_SWITCHES;
  }
}
