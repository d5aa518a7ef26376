/** `oncebitten session`: one session as a timeline; without an id, the latest sessions, or the failures of the latest one. */
import type { SessionSummary } from '../../../base/history.ts';
import type { Lesson } from '../../../base/lesson.ts';
import type { Project } from '../../../base/session.ts';
import type { Store } from '../../../base/store.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { getSession } from '../get-session.ts';
import { readHome } from '../open-home.ts';
import { toPage } from '../page.ts';
import { renderSession } from '../render-session.ts';
import { renderSessions } from '../render-sessions.ts';
import type { SessionReport } from '../session-report.ts';
import { toLimit } from '../to-limit.ts';
import { toProjectLabels } from '../to-project-labels.ts';
import { toTimeline, toTimelinePage } from '../to-timeline.ts';

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
  const sessions = await store.listSessions({ ...(agent === undefined ? {} : { agent }), limit: LISTED });
  return sessions.find(({ parentSessionId }) => parentSessionId === undefined) ?? sessions[0];
}

async function listLatest({ options, columns }: CommandInput, store: Store): Promise<CommandResult> {
  const { agent } = options as { agent?: string };
  const sessions = await store.listSessions({ ...(agent === undefined ? {} : { agent }), limit: ALL });
  const projects = await store.listProjects();
  const labels = toProjectLabels(projects);
  const toProject = toNames(projects);
  const named = sessions.map((session) => withName(session, toProject(session.projectId)));
  const page = toPage(named, options, LISTED);
  const labelled = page.items.map((session) => {
    const projectLabel = labels.get(session.projectId);
    return { ...session, ...(projectLabel === undefined ? {} : { projectLabel }) };
  });
  const text = renderSessions({ ...page, items: labelled }, columns);
  const isAny = page.total > 0 || (await store.countAll()).sessions > 0;
  return { json: page, text: page.total === 0 && isAny ? NONE_LIKE_IT : text };
}

const NONE_LIKE_IT = 'No sessions match these filters. See all: oncebitten session';

async function tell({ options, columns }: CommandInput, store: Store, session: SessionSummary): Promise<CommandResult> {
  const given = options as { limit?: string; from?: string };
  const page = {
    from: toLimit(given.from, 1, '--from'),
    limit: toLimit(given.limit, CALLS_SHOWN),
    onlyFailures: options.failures === true,
  };
  const { sessions, depths } = await readTree(store, session);
  const calls = await readEach(sessions, (key) => store.listCalls(key));
  const deliveries = await readEach(sessions, (key) => store.listDeliveries(key));
  const lessons = await readLessons(store, new Set(deliveries.map(({ lessonId }) => lessonId)));
  const timeline = toTimeline({ calls, deliveries, lessons, depths });
  const toProject = toNames(await store.listProjects());
  const report: SessionReport = {
    session: withName(session, toProject(session.projectId)),
    children: sessions.slice(1),
    total: timeline.filter(({ kind }) => kind === 'call').length,
    ...page,
    timeline: toTimelinePage(timeline, page),
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

async function readLessons(store: Store, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Lesson>> {
  const lessons = new Map<string, Lesson>();
  for (const id of ids) {
    const lesson = await store.findLesson(id);
    if (lesson !== undefined) lessons.set(id, lesson);
  }
  return lessons;
}

function toNames(projects: readonly Project[]): (id: string) => string | undefined {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (id) => names.get(id);
}

function withName<T extends SessionSummary>(session: T, projectName: string | undefined) {
  return { ...session, ...(projectName === undefined ? {} : { projectName }) };
}
