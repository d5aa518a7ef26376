/** The latest sessions as a table of 80 columns. Ids are as long as it takes to tell them apart. */
import type { SessionSummary } from '../../base/history.ts';
import { alignRight } from './align-right.ts';
import { renderTable } from './render-table.ts';
import { toLine, toMinute, toPathLine } from './to-line.ts';
import { toTellingLength } from './to-telling-length.ts';

/** Ids that begin with a time differ after it. */
const MIN_CHARS = 13;
const PROJECT_CHARS = 16;

export type ListedSession = SessionSummary & {
  readonly projectName?: string;
  /** Tells the project from others of the same name. */
  readonly projectLabel?: string;
};

export function renderSessions(sessions: readonly ListedSession[]): string {
  if (sessions.length === 0) return 'No sessions are known. Learn from past sessions: oncebitten scan';
  const length = toTellingLength(
    sessions.map(({ sessionId }) => sessionId),
    MIN_CHARS,
  );
  const rows = sessions.map((session) => [
    toMinute(session.lastSeenAt),
    toLine(session.agent, 12),
    toPathLine(session.projectLabel ?? session.projectName ?? '-', PROJECT_CHARS),
    String(session.calls),
    String(session.failures),
    toLine(session.sessionId.slice(0, length), length),
  ]);
  const head = ['LAST SEEN (UTC)', 'AGENT', 'PROJECT', 'CALLS', 'FAILED', 'SESSION'];
  const table = renderTable(...alignRight(head, rows, [3, 4]));
  return `${table}\n\nOne of them: oncebitten session <beginning of its id>`;
}
