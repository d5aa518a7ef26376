/**
 * Reads, renders and changes the switch file: the pauses and mutes in force, until when each lasts, and the command
 * that ends it. One command at a time changes the file, whole or not at all.
 */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  dropEndedMutes,
  isMuted,
  isRunning,
  type Mute,
  type Pause,
  renderSwitches,
  type Switches,
} from '../../../base/model/switches.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { writeOwnFile } from '../../../loop/home/write-file.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { readTrustedNow } from '../../../loop/upkeep/trusted-clock.ts';
import { withInstallLock } from '../../install/user-file.ts';
import { quoteWord } from '../text.ts';

interface SwitchState {
  readonly paused: readonly Pause[];
  readonly muted: readonly Mute[];
  /** Nothing is captured or said anywhere. */
  readonly pausedAll: boolean;
  readonly mutedAll: boolean;
  readonly broken: boolean;
}

export function readSwitchState(home: DataHome, nowMs = Date.now()): SwitchState {
  return toSwitchState(readSwitches(home.switchesFile), nowMs);
}

export function toSwitchState(switches: Switches, nowMs = Date.now()): SwitchState {
  const paused = switches.pauses.filter((pause) => isRunning(pause, nowMs));
  return {
    paused,
    muted: dropEndedMutes(switches, nowMs).mutes,
    pausedAll: switches.broken === true || paused.some(({ what }) => what === 'all'),
    mutedAll: isMuted(switches, { sessionId: '' }, nowMs),
    broken: switches.broken === true,
  };
}

/** One line for each thing that is off; none when everything is on. */
export function renderSwitchState(state: SwitchState): readonly string[] {
  return listSwitchedOff(state).map(({ text, end }) =>
    end === undefined ? text : `${text} ${end.label}: ${end.command}`,
  );
}

interface SwitchedOff {
  readonly text: string;
  readonly end?: { readonly label: 'End it' | 'Undo'; readonly command: string };
}

export function listSwitchedOff({ paused, muted, mutedAll, broken }: SwitchState): readonly SwitchedOff[] {
  if (broken)
    return [
      {
        text: 'PAUSED: the switch file is broken, so everything is paused: nothing is captured and no lesson is shown.',
        end: { label: 'End it', command: 'oncebitten resume' },
      },
    ];
  const lessons = muted.filter(({ lessonId }) => lessonId !== undefined).length;
  const sessions = muted.filter((mute) => mute.lessonId === undefined && mute.sessionId !== undefined);
  return [
    ...paused.map(toPaused),
    ...(mutedAll
      ? [toMuted(`MUTED${renderUntil(findAll(muted))}: no lesson is shown; calls are still recorded.`)]
      : []),
    ...sessions.map((mute) =>
      toMuted(
        `Muted in session ${mute.sessionId}${renderUntil(mute)}.`,
        ` --session ${quoteWord(mute.sessionId ?? '')}`,
      ),
    ),
    ...(lessons > 0 ? [{ text: `${lessons} ${lessons === 1 ? 'lesson is' : 'lessons are'} muted.` }] : []),
  ];
}

function toMuted(text: string, flag = ''): SwitchedOff {
  return { text, end: { label: 'Undo', command: `oncebitten lessons unmute --all${flag}` } };
}

function toPaused(pause: Pause): SwitchedOff {
  const until = renderUntil(pause);
  const text =
    pause.what === 'all'
      ? `PAUSED${until}: nothing is captured and no lesson is shown.`
      : `Paused${until}: ${pause.what} ${pause.dir ?? pause.id}.`;
  return { text, end: { label: 'End it', command: `oncebitten resume${renderScopeFlag(pause)}` } };
}

/** The option that names the same scope; empty for everything. */
export function renderScopeFlag({ what, id, dir }: Pick<Pause, 'what' | 'id' | 'dir'>): string {
  return what === 'all' ? '' : ` --${what} ${quoteWord(dir ?? id ?? '')}`;
}

export function renderUntil({ until }: { readonly until?: string }): string {
  return until === undefined ? '' : ` until ${until}`;
}

function findAll(muted: readonly Mute[]): { readonly until?: string } {
  const all = muted.filter(({ lessonId, sessionId }) => lessonId === undefined && sessionId === undefined);
  return all.find(({ until }) => until === undefined) ?? all[0] ?? {};
}

interface ChangedSwitches {
  readonly switches: Switches;
  /** The file was broken and has been rewritten. */
  readonly repaired: boolean;
}

/** Changes the switch file: one command at a time, whole or not at all. */
export function changeSwitches(home: DataHome, change: (switches: Switches) => Switches): ChangedSwitches {
  return withInstallLock(join(home.runDir, 'switches'), () => {
    const nowMs = Date.now();
    const found = readSwitches(home.switchesFile);
    const repaired = found.broken === true;
    const changed = change(repaired ? repair(home, nowMs) : found);
    // A clock that is ahead would remove mutes that are still wanted when it is right again.
    const switches = readTrustedNow(home) === undefined ? changed : dropEndedMutes(changed, nowMs);
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
