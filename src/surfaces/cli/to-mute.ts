/** What a person wants silent, or to be heard again: a lesson, or all; everywhere, or in one session. */
import { UserError } from '../../base/errors.ts';
import type { Mute } from '../../base/switches.ts';
import { readSwitches } from '../hook/read-switches.ts';
import type { CommandInput } from './command.ts';
import { getSwitchedSession } from './get-switched-session.ts';
import { findNamed } from './named-lessons.ts';
import { readHome } from './open-home.ts';
import { UsageError } from './usage-error.ts';

export interface MuteTarget {
  readonly mute: Pick<Mute, 'lessonId' | 'sessionId'>;
  /** For messages. */
  readonly name: string;
  /** False where nothing was seen of the session yet. */
  readonly isKnown: boolean;
}

export async function toMuteTarget(input: CommandInput, command: 'mute' | 'unmute'): Promise<MuteTarget> {
  const { all, session } = input.options as { all?: true; session?: string };
  const [name] = input.arguments;
  if ((name === undefined) === (all !== true)) {
    throw new UsageError({
      subject: command,
      reason: name === undefined ? 'needs a lesson, or --all' : 'got a lesson and --all',
      next: `oncebitten ${command} <lesson>, or oncebitten ${command} --all; the lessons: oncebitten lessons list`,
    });
  }
  const meant = session === undefined ? undefined : await getSwitchedSession(input, session, listMuted(input, command));
  const isKnown = meant?.isKnown !== false;
  const where = meant === undefined ? {} : { sessionId: meant.id };
  const place = meant === undefined ? '' : ` in session ${meant.id}`;
  if (name === undefined) return { mute: where, name: `everything${place}`, isKnown };
  const lesson = await readHome(input, ({ store }) => findNamed(store, name));
  // A lesson that is gone may still be in the file.
  if (lesson === undefined && !(command === 'unmute' && name.startsWith('les_'))) {
    throw new UserError({
      subject: `lesson ${name}`,
      reason: 'is not known',
      next: 'see all: oncebitten lessons list',
    });
  }
  return { mute: { lessonId: lesson?.id ?? name, ...where }, name: `${lesson?.slug ?? name}${place}`, isKnown };
}

/** Sessions in which something is muted, for who wants to hear it again. */
function listMuted({ home }: CommandInput, command: 'mute' | 'unmute'): readonly string[] {
  return command === 'mute' ? [] : readSwitches(home.switchesFile).mutes.flatMap(({ sessionId = [] }) => sessionId);
}

export function isSameMute(a: Mute, b: Mute): boolean {
  return a.lessonId === b.lessonId && a.sessionId === b.sessionId;
}
