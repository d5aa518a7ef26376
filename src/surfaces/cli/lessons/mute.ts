/**
 * `oncebitten lessons mute` and `unmute`: stop and restart the delivery of one lesson or of all lessons, everywhere or
 * in one session. A muted lesson is neither archived nor judged, and capture continues.
 */

import { toCureId } from '../../../base/model/cure.ts';
import type { Mute } from '../../../base/model/switches.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { findNamed, getKnown } from '../arguments/lessons.ts';
import { toUntil } from '../arguments/options.ts';
import { getSwitchedSession, renderUnseen } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { usageError } from '../errors.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { changeSwitches, renderSwitchState, renderUntil, toSwitchState } from '../pause/switches.ts';
import { quoteWord } from '../text.ts';

export const runMute: Handler = async (input) => {
  const span = input.options.for as string | undefined;
  const until = span === undefined ? {} : { until: toUntil(span, '--for', Date.now()) };
  const { mute, name, isKnown } = await toMuteTarget(input, 'mute');
  const { switches } = changeSwitches(input.home, (found) => ({
    ...found,
    mutes: [...found.mutes.filter((one) => !isSameMute(one, mute)), { ...mute, ...until }],
  }));
  const undo = mute.lessonId === undefined ? '--all' : name.split(' ')[0];
  const session = mute.sessionId === undefined ? '' : ` --session ${quoteWord(mute.sessionId)}`;
  const unseen = isKnown || mute.sessionId === undefined ? [] : [renderUnseen(mute.sessionId)];
  const done = `Muted${renderUntil(until)}: ${name}. Calls are still recorded. Undo: oncebitten lessons unmute ${undo}${session}`;
  return {
    json: { ...mute, ...until, isKnown, ...toSwitchState(switches) },
    text: [done, ...unseen].join('\n'),
  };
};

export const runUnmute: Handler = async (input) => {
  const { mute, name } = await toMuteTarget(input, 'unmute');
  const muted = mute.lessonId === undefined ? name.replace('everything', 'All lessons together') : name;
  let unmuted = false;
  const { switches } = changeSwitches(input.home, (found) => {
    const mutes = found.mutes.filter((one) => !isSameMute(one, mute));
    unmuted = mutes.length < found.mutes.length;
    return { ...found, mutes };
  });
  const state = toSwitchState(switches);
  const first = unmuted
    ? `Unmuted: ${name}.`
    : `${muted} ${mute.lessonId === undefined ? 'were' : 'was'} not muted; nothing changed.`;
  return { json: { ...mute, unmuted, ...state }, text: [first, ...renderSwitchState(state)].join('\n') };
};

interface MuteTarget {
  readonly mute: Pick<Mute, 'lessonId' | 'sessionId'>;
  /** For messages. */
  readonly name: string;
  /** False where nothing was seen of the session yet. */
  readonly isKnown: boolean;
}

/** What a person wants silent, or to be heard again: a lesson, or all; everywhere, or in one session. */
async function toMuteTarget(input: CommandInput, command: 'mute' | 'unmute'): Promise<MuteTarget> {
  const { all, session } = input.options as { all?: true; session?: string };
  const [name] = input.arguments;
  if ((name === undefined) === (all !== true)) {
    throw usageError(
      command,
      name === undefined ? 'needs a lesson, or --all' : 'got both a lesson and --all',
      `give one of them: oncebitten lessons ${command} <lesson>, or oncebitten lessons ${command} --all; see the lessons: oncebitten lessons list`,
    );
  }
  const meant = session === undefined ? undefined : await getSwitchedSession(input, session, listMuted(input, command));
  const isKnown = meant?.isKnown !== false;
  const where = meant === undefined ? {} : { sessionId: meant.id };
  const place = meant === undefined ? '' : ` in session ${meant.id}`;
  if (name === undefined) return { mute: where, name: `everything${place}`, isKnown };
  const failure = FAILURE.exec(name)?.[1];
  if (
    failure !== undefined &&
    (command === 'unmute' || (await readHome(input, (open) => isKnownFailure(open, failure))))
  )
    return { mute: { lessonId: toCureId(failure), ...where }, name: `${failure}${place}`, isKnown };
  const lesson = await readHome(input, ({ store }) => findNamed(store, name));
  // A lesson that is gone may still be in the file.
  if (!(command === 'unmute' && name.startsWith('les_'))) getKnown(name, lesson);
  return { mute: { lessonId: lesson?.id ?? name, ...where }, name: `${lesson?.slug ?? name}${place}`, isKnown };
}

/** A failure, as lists of failures, explanations and deliveries name it. */
const FAILURE = /^(?:cure_)?(sig\d+_\w+)$/;
const MAX_REMEMBERED = 10_000;

/** Is there something to show about it: a known fix, or a call that failed with it? */
async function isKnownFailure({ store }: OpenHome, signatureId: string): Promise<boolean> {
  if ((await store.listCures({ signatureIds: [signatureId] })).length > 0) return true;
  return (await store.listRemembered({ limit: MAX_REMEMBERED })).some((one) => one.signatureId === signatureId);
}

/** Sessions with a mute, for `unmute`. */
function listMuted({ home }: CommandInput, command: 'mute' | 'unmute'): readonly string[] {
  return command === 'mute' ? [] : readSwitches(home.switchesFile).mutes.flatMap(({ sessionId = [] }) => sessionId);
}

function isSameMute(a: Mute, b: Mute): boolean {
  return a.lessonId === b.lessonId && a.sessionId === b.sessionId;
}
