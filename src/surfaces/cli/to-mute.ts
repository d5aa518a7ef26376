/** What a person wants silent, or to be heard again: a lesson, or all; everywhere, or in one session. */
import { UserError } from '../../base/errors.ts';
import type { Mute } from '../../base/switches.ts';
import type { CommandInput } from './command.ts';
import { readHome } from './open-home.ts';

export interface MuteTarget {
  readonly mute: Pick<Mute, 'lessonId' | 'sessionId'>;
  /** For messages. */
  readonly name: string;
}

export async function toMuteTarget(input: CommandInput, command: 'mute' | 'unmute'): Promise<MuteTarget> {
  const { all, session } = input.options as { all?: true; session?: string };
  const [name] = input.arguments;
  if ((name === undefined) === (all !== true)) {
    throw new UserError({
      subject: command,
      reason: name === undefined ? 'needs a lesson, or --all' : 'got a lesson and --all',
      next: `oncebitten ${command} <lesson>, or oncebitten ${command} --all; the lessons: oncebitten lessons list`,
    });
  }
  const where = session === undefined ? {} : { sessionId: session };
  const place = session === undefined ? '' : ` in session ${session}`;
  if (name === undefined) return { mute: where, name: `everything${place}` };
  const lesson = await readHome(input, ({ store }) => store.findLesson(name));
  // A lesson that is gone may still be in the file.
  if (lesson === undefined && !(command === 'unmute' && name.startsWith('les_'))) {
    throw new UserError({
      subject: `lesson ${name}`,
      reason: 'is not known',
      next: 'see all: oncebitten lessons list',
    });
  }
  return { mute: { lessonId: lesson?.id ?? name, ...where }, name: `${lesson?.slug ?? name}${place}` };
}

export function isSameMute(a: Mute, b: Mute): boolean {
  return a.lessonId === b.lessonId && a.sessionId === b.sessionId;
}
