/**
 * `oncebitten sessions` and `sessions show`: list the latest sessions, and show one session as a timeline. `--failures`
 * without an id shows the failures of the latest session.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import { type SessionKey, toSessionKey } from '../../../base/model/session.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { FailureFilter } from '../../../base/statistics/failures.ts';
import type { SessionSummary } from '../../../base/statistics/history.ts';
import { checkAgentId } from '../agent-names.ts';
import { readLessons } from '../arguments/lessons.ts';
import { toCallFilter } from '../arguments/options.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import { getSession } from '../arguments/sessions.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toLimit, toPage } from '../paging.ts';
import { alignRight, renderTable } from '../table.ts';
import { toLine, toMinute, toScreenMax, toTellingLength } from '../text.ts';
import { renderSession, type SessionReport, toTimeline, toTimelinePage } from './timeline.ts';

const LISTED = 20;
const ALL = 1_000_000;
const CALLS_SHOWN = 100;
/** Sub-agents of sub-agents of …: deeper is a circle. */
const MAX_DEPTH = 8;
const MAX_CHILDREN = 1_000;

export const run: Handler = (input) => {
  const [id] = input.arguments;
  const { agent } = input.options as { agent?: string };
  if (agent !== undefined) checkAgentId(agent);
  return readHome(input, async ({ store }) => {
    if (id !== undefined) return tell(input, store, await getSession(store, id, agent));
    const latest = input.options.failures === true ? await findLatest(store, agent) : undefined;
    return latest === undefined ? listLatest(input, store) : tell(input, store, latest);
  });
};

/** A sub-agent's own session is part of another. */
async function findLatest(store: Store, agent: string | undefined): Promise<SessionSummary | undefined> {
  const sessions = await store.listSessions({ ...dropAbsent({ agent }), limit: LISTED });
  return sessions.find(({ parentSessionId }) => parentSessionId === undefined) ?? sessions[0];
}

async function listLatest(input: CommandInput, store: Store): Promise<CommandResult> {
  const { options, columns } = input;
  const filter = await toCallFilter(input, store);
  const isWanted = await toCategorySelection(store, { ...filter, category: options.category as string | undefined });
  const sessions = (await store.listSessions({ ...filter, limit: ALL })).filter(isWanted);
  const labels = await readProjectLabels(store);
  const toProject = await readNames(store);
  const named = sessions.map((session) => withName(session, toProject(session.projectId)));
  const page = toPage(named, options, LISTED);
  const labelled = page.items.map((session) => ({
    ...session,
    ...dropAbsent({ projectLabel: labels.get(session.projectId) }),
  }));
  const text = renderSessions({ ...page, items: labelled }, columns);
  const isAny = page.total > 0 || (await store.countAll()).sessions > 0;
  return { json: page, text: page.total === 0 && isAny ? NONE_LIKE_IT : text };
}

/** Whether a session has a failure of the category. */
async function toCategorySelection(
  store: Store,
  { category, ...filter }: Omit<FailureFilter, 'limit' | 'category'> & { readonly category: string | undefined },
): Promise<(session: SessionKey) => boolean> {
  if (category === undefined) return () => true;
  const { cells } = await store.listFailureCells({ ...filter, category, limit: ALL });
  const keys = new Set(cells.map(toSessionKey));
  return (session) => keys.has(toSessionKey(session));
}

const NONE_LIKE_IT = 'No sessions match these filters. See all: oncebitten sessions';

async function tell({ options, columns }: CommandInput, store: Store, session: SessionSummary): Promise<CommandResult> {
  const given = options as { limit?: string; from?: string; all?: boolean };
  const { sessions, depths } = await readTree(store, session);
  const calls = await readEach(sessions, (key) => store.listCalls(key));
  const deliveries = await readEach(sessions, (key) => store.listDeliveries(key));
  const lessons = await readLessons(
    store,
    deliveries.map(({ lessonId }) => lessonId),
  );
  const timeline = toTimeline({ calls, deliveries, lessons, depths });
  const total = timeline.filter(({ kind }) => kind === 'call').length;
  const page = {
    from: toLimit(given.from, 1, '--from'),
    limit: toLimit(given.limit, given.all === true ? Math.max(1, total) : CALLS_SHOWN),
    onlyFailures: options.failures === true,
  };
  const toProject = await readNames(store);
  const report: SessionReport = {
    session: withName(session, toProject(session.projectId)),
    children: sessions.slice(1),
    total,
    ...page,
    ...toTimelinePage(timeline, page),
  };
  return { json: report, text: renderSession(report, columns) };
}

/** The session first, then its sub-agents' own sessions. */
async function readTree(store: Store, root: SessionSummary) {
  const sessions = [root];
  const depths = new Map([[root.sessionId, 0]]);
  let round: readonly SessionSummary[] = [root];
  for (let depth = 1; depth <= MAX_DEPTH && round.length > 0; depth++) {
    const children = await readEach(round, (parent) => store.listSessions({ parent, limit: MAX_CHILDREN }));
    round = children.filter(({ sessionId }) => !depths.has(sessionId));
    for (const child of round) depths.set(child.sessionId, depth);
    sessions.push(...round);
  }
  return { sessions, depths };
}

async function readEach<T>(
  sessions: readonly SessionSummary[],
  read: (key: { readonly agent: string; readonly sessionId: string }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const { agent, sessionId } of sessions) found.push(...(await read({ agent, sessionId })));
  return found;
}

/** A project that was joined into another has the name of that one. */
async function readNames(store: Store): Promise<(id: string) => string | undefined> {
  const names = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  return (id) => names.get(toProjectId(id)) ?? names.get(id);
}

function withName<T extends SessionSummary>(session: T, projectName: string | undefined) {
  return { ...session, ...dropAbsent({ projectName }) };
}

/** Ids that begin with a time differ after it. */
const MIN_CHARS = 13;

type ListedSession = SessionSummary & {
  readonly projectName?: string;
  /** Tells the project from others of the same name. */
  readonly projectLabel?: string;
};

/** The latest sessions as a table. In a terminal, ids are as long as it takes to tell them apart; in a pipe, whole. */
function renderSessions(page: Page<ListedSession>, columns: number | undefined): string {
  const sessions = page.items;
  if (sessions.length === 0) return 'No sessions are known. Learn from past sessions: oncebitten scan';
  const ids = sessions.map(({ sessionId }) => sessionId);
  const length = toScreenMax(columns, toTellingLength(ids, MIN_CHARS));
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
  return [table, ...renderRest(page), '', 'Show one: oncebitten sessions show <id or a unique prefix>'].join('\n');
}
