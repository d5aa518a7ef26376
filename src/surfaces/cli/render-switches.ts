/** What is switched off now, in plain words, with until when and how to end it. */
import { isMuted, isRunning, type Mute, type Pause, type Switches } from '../../base/switches.ts';
import type { DataHome } from '../data-home.ts';
import { readSwitches } from '../hook/read-switches.ts';
import { quoteWord } from './quote-word.ts';

export interface SwitchState {
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
    muted: switches.mutes.filter(({ until }) => until === undefined || Date.parse(until) > nowMs),
    pausedAll: switches.broken === true || paused.some(({ what }) => what === 'all'),
    mutedAll: isMuted(switches, { sessionId: '' }, nowMs),
    broken: switches.broken === true,
  };
}

/** One line for each thing that is off; none when everything is on. */
export function renderSwitchState({ paused, muted, mutedAll, broken }: SwitchState): readonly string[] {
  if (broken)
    return [
      'PAUSED: the switch file is broken, so everything is paused, nothing is captured or said. Go on: oncebitten resume',
    ];
  const lessons = muted.filter(({ lessonId }) => lessonId !== undefined).length;
  const sessions = muted.filter((mute) => mute.lessonId === undefined && mute.sessionId !== undefined);
  return [
    ...paused.map(renderPause),
    ...(mutedAll ? [`MUTED${renderUntil(findAll(muted))}: capture goes on, nothing is said. ${UNMUTE}`] : []),
    ...sessions.map(
      (mute) =>
        `Muted in session ${mute.sessionId}${renderUntil(mute)}. ${UNMUTE} --session ${quoteWord(mute.sessionId ?? '')}`,
    ),
    ...(lessons > 0 ? [`${lessons} ${lessons === 1 ? 'lesson is' : 'lessons are'} muted.`] : []),
  ];
}

const UNMUTE = 'Undo: oncebitten unmute --all';

function renderPause(pause: Pause): string {
  const until = renderUntil(pause);
  if (pause.what === 'all') return `PAUSED${until}: nothing is captured and nothing is said. Go on: oncebitten resume`;
  return `Paused${until}: ${pause.what} ${pause.dir ?? pause.id}. Go on: oncebitten resume${renderScopeFlag(pause)}`;
}

/** What a command needs to be about the same; nothing for everything. */
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
