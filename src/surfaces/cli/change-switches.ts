/** Changes the switch file: one command at a time, whole or not at all. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { renderSwitches } from '../../base/parse-switches.ts';
import { type Switches, withoutPassed } from '../../base/switches.ts';
import type { DataHome } from '../data-home.ts';
import { readSwitches } from '../hook/read-switches.ts';
import { withInstallLock } from '../install/with-install-lock.ts';
import { readTrustedNow } from '../trusted-clock.ts';
import { writeOwnFile } from '../write-own-file.ts';

export interface ChangedSwitches {
  readonly switches: Switches;
  /** The file could not be read and was written anew. */
  readonly repaired: boolean;
}

export function changeSwitches(home: DataHome, change: (switches: Switches) => Switches): ChangedSwitches {
  return withInstallLock(join(home.runDir, 'switches'), () => {
    const nowMs = Date.now();
    const found = readSwitches(home.switchesFile);
    const repaired = found.broken === true;
    const changed = change(repaired ? repair(home, nowMs) : found);
    // A clock that is ahead would remove mutes that are still wanted when it is right again.
    const switches = readTrustedNow(home) === undefined ? changed : withoutPassed(changed, nowMs);
    if (switches.pauses.length + switches.mutes.length > 0) writeOwnFile(home.switchesFile, renderSwitches(switches));
    else rmSync(home.switchesFile, { force: true });
    return { switches, repaired };
  });
}

/** While the file was broken, nothing was captured; a transcript must not bring it in later. */
function repair({ switchesFile }: DataHome, nowMs: number): Switches {
  const sinceMs = statSync(switchesFile, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
  const [from, until] = [sinceMs, nowMs].map((ms) => new Date(ms).toISOString());
  return { pauses: from === undefined || until === undefined ? [] : [{ what: 'all', from, until }], mutes: [] };
}
