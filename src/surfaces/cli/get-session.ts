/** The session that a person means by its id or the beginning of it, or an error that lists those it may be. */
import { UserError } from '../../base/errors.ts';
import type { SessionSummary } from '../../base/history.ts';
import type { Store } from '../../base/store.ts';
import { toLine, toMinute } from './to-line.ts';

const MAX_CANDIDATES = 8;

export async function getSession(
  store: Pick<Store, 'listSessions'>,
  text: string,
  agent: string | undefined,
): Promise<SessionSummary> {
  const of = agent === undefined ? {} : { agent };
  const limit = MAX_CANDIDATES + 1;
  const exact = await store.listSessions({ ...of, sessionId: text, limit });
  const found = exact.length > 0 || text === '' ? exact : await store.listSessions({ ...of, idPrefix: text, limit });
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only !== undefined) throw ambiguous(text, found, exact.length > 0);
  throw new UserError({
    subject: `session ${toLine(text, 80)}`,
    reason: agent === undefined ? 'is not known' : `is not known of ${agent}`,
    next: 'see the latest: oncebitten session; or read past sessions first: oncebitten scan',
  });
}

function ambiguous(text: string, found: readonly SessionSummary[], isWhole: boolean): UserError {
  const shown = found.slice(0, MAX_CANDIDATES).map(toCandidate);
  const more = found.length > MAX_CANDIDATES ? '\n        …' : '';
  return new UserError({
    subject: `session ${toLine(text, 80)}`,
    reason: isWhole ? 'is one of several agents' : 'is the beginning of several ids',
    next: `${isWhole ? 'say which with --agent' : 'give more of it'}:\n        ${shown.join('\n        ')}${more}`,
  });
}

function toCandidate({ agent, sessionId, lastSeenAt, calls }: SessionSummary): string {
  return `${toLine(sessionId, 80)}  ${agent}, ${toMinute(lastSeenAt)}, ${calls} calls`;
}
