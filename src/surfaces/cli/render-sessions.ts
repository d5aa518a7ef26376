/** The latest sessions as a table. Ids are as long as it takes to tell them apart. */
import type { SessionSummary } from '../../base/history.ts';
import { alignRight } from './align-right.ts';
import { type Page, renderRest } from './page.ts';
import { renderTable } from './render-table.ts';
import { toLine, toMinute } from './to-line.ts';
import { toTellingLength } from './to-telling-length.ts';

/** Ids that begin with a time differ after it. */
const MIN_CHARS = 13;

export type ListedSession = SessionSummary & {
  readonly projectName?: string;
  /** Tells the project from others of the same name. */
  readonly projectLabel?: string;
};

export function renderSessions(page: Page<ListedSession>, columns: number | undefined): string {
  const sessions = page.items;
  if (sessions.length === 0) return 'No sessions are known. Learn from past sessions: oncebitten scan';
  const length = toTellingLength(
    sessions.map(({ sessionId }) => sessionId),
    MIN_CHARS,
  );
  const rows = sessions.map((session) => [
    toMinute(session.lastSeenAt),
    toLine(session.agent),
    toLine(session.projectLabel ?? session.projectName ?? '-'),
    String(session.calls),
    String(session.failures),
    toLine(session.sessionId.slice(0, length)),
  ]);
  const head = ['LAST SEEN (UTC)', 'AGENT', 'PROJECT', 'CALLS', 'FAILED', 'SESSION'];
  const table = renderTable(...alignRight(head, rows, [3, 4]), { columns, texts: [2] });
  return [table, ...renderRest(page), '', 'One of them: oncebitten session <id or a unique prefix>'].join('\n');
}
