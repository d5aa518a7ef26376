/**
 * The off switches as they are now. Asked at every event, by the daemon and by the cold hook: without the file it costs
 * one `stat`. A file that is there and cannot be read or understood means: paused. Nobody can tell what a person wanted
 * kept private, so nothing is taken until they say it again.
 */
import { readFileSync, statSync } from 'node:fs';
import { BROKEN_SWITCHES, NO_SWITCHES, parseSwitches, type Switches } from '../../base/model/switches.ts';

export function readSwitches(file: string): Switches {
  return makeSwitchReader(file)();
}

/** Reads the file again only when it is another one. */
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
    // Taken away since we looked.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? NO_SWITCHES : BROKEN_SWITCHES;
  }
}
