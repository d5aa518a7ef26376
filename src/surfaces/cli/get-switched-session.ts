/** The session that is switched off or on. It may not have begun yet: then its whole id has to be given. */
import { UserError } from '../../base/errors.ts';
import { askDaemon } from '../daemon/ask-daemon.ts';
import type { CommandInput } from './command.ts';
import { findSessionId, refuseAmbiguous } from './get-session.ts';
import { isWholeSessionId } from './is-whole-session-id.ts';
import { readHome } from './open-home.ts';
import { toLine } from './to-line.ts';

export interface SwitchedSession {
  readonly id: string;
  readonly isKnown: boolean;
}

type Input = Pick<CommandInput, 'home' | 'env'>;

/** `switched`: sessions that are off already, for who wants to switch one on again. */
export async function getSwitchedSession(
  input: Input,
  text: string,
  switched: readonly string[] = [],
): Promise<SwitchedSession> {
  const id = findSwitched(text, switched) ?? (await findKnown(input, text));
  if (id !== undefined) return { id, isKnown: true };
  if (isWholeSessionId(text)) return { id: text, isKnown: false };
  throw new UserError({
    subject: `session ${toLine(text, 80)}`,
    reason: 'is not known, and is not a whole id either',
    next: 'see the latest: oncebitten session; one that we have not seen yet needs its whole id',
  });
}

/** Told with the switch, so that nobody who mistyped an id rests on it. */
export function renderUnseen(id: string): string {
  return `Nothing was seen of session ${id} yet: check the id. It counts from its first event on.`;
}

function findSwitched(text: string, switched: readonly string[]): string | undefined {
  if (text === '') return undefined;
  const ids = [...new Set(switched)];
  if (ids.includes(text)) return text;
  const found = ids.filter((id) => id.startsWith(text));
  if (found.length > 1) throw refuseAmbiguous(text, found);
  return found[0];
}

/** What the daemon has just heard is not in the store yet. */
async function findKnown(input: Input, text: string): Promise<string | undefined> {
  try {
    const look = () => readHome(input, ({ store }) => findSessionId(store, text));
    const id = await look();
    return id === undefined && (await askDaemon(input.home, 'flush')) !== undefined ? await look() : id;
  } catch (error) {
    // A store that is broken or out of reach must not keep anybody from being left alone.
    if (isWholeSessionId(text)) return undefined;
    throw error;
  }
}
