/**
 * Resolves the session that the user names by its id or a prefix of the id; if the prefix fits several sessions, the
 * error lists them. A session to pause or mute may not have begun yet, so an unknown session needs its full id.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { UserError } from '../../../base/errors.ts';
import type { SessionSummary } from '../../../base/statistics/history.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import type { CommandInput } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { toCount, toLine, toMinute } from '../text.ts';

export const MAX_CANDIDATES = 8;

type Sessions = Pick<Store, 'listSessions'>;

export async function getSession(store: Sessions, text: string, agent: string | undefined): Promise<SessionSummary> {
  const found = await findSessions(store, text, agent);
  const [only] = found;
  if (only === undefined) throw refuseUnknownSession(text, agent);
  if (found.length > 1) throw ambiguous(text, found);
  return only;
}

/** The session id for this text, of any agent. Undefined if no session matches. */
export async function findSessionId(store: Sessions, text: string, agent?: string): Promise<string | undefined> {
  const found = await findSessions(store, text, agent);
  const ids = new Set(found.map(({ sessionId }) => sessionId));
  if (ids.size > 1) throw ambiguous(text, found);
  return found[0]?.sessionId;
}

/** The exact id comes first, because the id of a sub-agent may begin with the id of another session. */
async function findSessions(
  store: Sessions,
  text: string,
  agent: string | undefined,
): Promise<readonly SessionSummary[]> {
  const of = { ...(agent === undefined ? {} : { agent }), limit: MAX_CANDIDATES + 1 };
  const exact = await store.listSessions({ ...of, sessionId: text });
  if (exact.length > 0 || text === '' || isWholeSessionId(text)) return exact;
  return store.listSessions({ ...of, idPrefix: text });
}

export function refuseUnknownSession(text: string, agent?: string): UserError {
  return userError(
    `session ${toLine(text, 80)}`,
    agent === undefined ? 'is not recorded' : `is not recorded for ${agent}`,
    'see the latest sessions: oncebitten sessions; or read past sessions first: oncebitten scan',
  );
}

function ambiguous(text: string, found: readonly SessionSummary[]): UserError {
  return refuseAmbiguous(text, found.map(toCandidate), found[0]?.sessionId === text);
}

/** `isWhole`: several agents have a session with this very id. */
function refuseAmbiguous(text: string, candidates: readonly string[], isWhole = false): UserError {
  return userError(
    `session ${toLine(text, 80)}`,
    isWhole ? 'is a session id of several agents' : 'matches several sessions',
    `${isWhole ? 'choose one with --agent' : 'give more characters of one of these ids'}:${listCandidates(candidates)}`,
  );
}

/** One below the other, in the `next` of an error. */
export function listCandidates(candidates: readonly string[]): string {
  const more = candidates.length > MAX_CANDIDATES ? ['…'] : [];
  return [...candidates.slice(0, MAX_CANDIDATES), ...more].map((line) => `\n        ${line}`).join('');
}

function toCandidate({ agent, sessionId, lastSeenAt, calls }: SessionSummary): string {
  return `${toLine(sessionId, 80)}  ${agent}, ${toMinute(lastSeenAt)}, ${toCount(calls, 'call')}`;
}

/** The session that is switched off or on. It may not have begun yet: then its whole id has to be given. */
interface SwitchedSession {
  readonly id: string;
  readonly isKnown: boolean;
}

type Input = Pick<CommandInput, 'home' | 'env'>;

/** `switched`: ids of paused or muted sessions, for a command that ends the pause or mute. */
export async function getSwitchedSession(
  input: Input,
  text: string,
  switched: readonly string[] = [],
): Promise<SwitchedSession> {
  const id = findSwitched(text, switched) ?? (await findKnown(input, text));
  if (id !== undefined) return { id, isKnown: true };
  if (isWholeSessionId(text)) return { id: text, isKnown: false };
  throw userError(
    `session ${toLine(text, 80)}`,
    'is not recorded, and is not a full session id',
    'see the latest sessions: oncebitten sessions; a session that has not started yet needs its full id',
  );
}

/** Warns a user who may have mistyped the id. */
export function renderUnseen(id: string): string {
  return `Session ${id} has no recorded events yet, so check the id. The switch works from its first event on.`;
}

function findSwitched(text: string, switched: readonly string[]): string | undefined {
  if (text === '') return undefined;
  const ids = [...new Set(switched)];
  if (ids.includes(text)) return text;
  const found = ids.filter((id) => id.startsWith(text));
  if (found.length > 1) throw refuseAmbiguous(text, found);
  return found[0];
}

/** Asks the daemon to store its pending events if the store does not have the session. */
async function findKnown(input: Input, text: string): Promise<string | undefined> {
  try {
    const look = () => readHome(input, ({ store }) => findSessionId(store, text));
    const id = await look();
    return id === undefined && (await askDaemon(input.home, 'flush')) !== undefined ? await look() : id;
  } catch (error) {
    // A store that cannot be read must not keep a user from pausing a session.
    if (isWholeSessionId(text)) return undefined;
    throw error;
  }
}

/** Whether this is the whole id of a session, as agents make them, and not only the beginning of one. */
const WHOLE = [
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[\da-f]{32}$/i,
  /** `ses_` and a time with some chance behind it. */
  /^[a-z]{2,8}_[\dA-Za-z]{26}$/,
];

export function isWholeSessionId(text: string): boolean {
  return WHOLE.some((form) => form.test(text));
}
