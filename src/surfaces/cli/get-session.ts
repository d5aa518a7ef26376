/** The session that a person means by its id or the beginning of it, or an error that lists those it may be. */
import { UserError } from '../../base/errors.ts';
import type { SessionSummary } from '../../base/history.ts';
import type { Store } from '../../base/store.ts';
import { isWholeSessionId } from './is-whole-session-id.ts';
import { toLine, toMinute } from './to-line.ts';

const MAX_CANDIDATES = 8;

type Sessions = Pick<Store, 'listSessions'>;

export async function getSession(store: Sessions, text: string, agent: string | undefined): Promise<SessionSummary> {
  const found = await findSessions(store, text, agent);
  const [only] = found;
  if (only === undefined) throw refuseUnknownSession(text, agent);
  if (found.length > 1) throw ambiguous(text, found);
  return only;
}

/** For what is of a session whoever tells of it: of two agents with the same id both are meant. Undefined where none is known. */
export async function findSessionId(store: Sessions, text: string, agent?: string): Promise<string | undefined> {
  const found = await findSessions(store, text, agent);
  const ids = new Set(found.map(({ sessionId }) => sessionId));
  if (ids.size > 1) throw ambiguous(text, found);
  return found[0]?.sessionId;
}

/** What a sub-agent's id begins with may be the whole id of another. */
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
  return new UserError({
    subject: `session ${toLine(text, 80)}`,
    reason: agent === undefined ? 'is not known' : `is not known of ${agent}`,
    next: 'see the latest: oncebitten session; or read past sessions first: oncebitten scan',
  });
}

function ambiguous(text: string, found: readonly SessionSummary[]): UserError {
  return refuseAmbiguous(text, found.map(toCandidate), found[0]?.sessionId === text);
}

/** `isWhole`: several agents have a session with this very id. */
export function refuseAmbiguous(text: string, candidates: readonly string[], isWhole = false): UserError {
  const shown = candidates.slice(0, MAX_CANDIDATES);
  const more = candidates.length > MAX_CANDIDATES ? '\n        …' : '';
  return new UserError({
    subject: `session ${toLine(text, 80)}`,
    reason: isWhole ? 'is one of several agents' : 'is the beginning of several ids',
    next: `${isWhole ? 'say which with --agent' : 'give more of it'}:\n        ${shown.join('\n        ')}${more}`,
  });
}

function toCandidate({ agent, sessionId, lastSeenAt, calls }: SessionSummary): string {
  return `${toLine(sessionId, 80)}  ${agent}, ${toMinute(lastSeenAt)}, ${calls} calls`;
}
