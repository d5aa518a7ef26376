/** Capture -> keep: every sight of a session moves its heartbeat and fills in what was not known. */
import type { Project, Session } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import type { FindProject } from './make-project-finder.ts';

/** What an event or a fact says about its session. */
export type Sight = Pick<
  Session,
  'agent' | 'sessionId' | 'cwd' | 'branch' | 'model' | 'agentVersion' | 'source' | 'pid' | 'host'
> & {
  readonly at: string;
  readonly endReason?: string;
  /** Where more is known of it than its folder. */
  readonly project?: Project;
};

/** True when a project, or a folder of one, is new: what languages it is written in is not known yet. */
export async function keepSessions(store: Store, sights: readonly Sight[], findProject: FindProject): Promise<boolean> {
  const projects = new Set<Project>();
  const sessions: Session[] = [];
  for (const ofSession of Map.groupBy(sights, (sight) => `${sight.agent}\n${sight.sessionId}`).values()) {
    const session = toSession(ofSession, findProject);
    if (session === undefined) continue;
    projects.add(session.project);
    sessions.push(session.row);
  }
  const isNew = await store.saveProjects([...projects]);
  await store.saveSessions(sessions);
  return isNew;
}

function toSession(
  told: readonly Sight[],
  findProject: FindProject,
): { readonly row: Session; readonly project: Project } | undefined {
  const sights = told.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const times = sights.map((sight) => sight.at);
  const [first] = sights;
  const startedAt = times[0];
  const lastSeenAt = times.at(-1);
  if (first === undefined || startedAt === undefined || lastSeenAt === undefined) return undefined;
  const end = sights.find((sight) => sight.endReason !== undefined);
  // The first folder: a session may walk into others, it belongs where it began.
  const begun = sights.find(({ cwd }) => cwd !== undefined);
  const project = begun?.project ?? findProject(begun?.cwd ?? '');
  const row: Session = {
    agent: first.agent,
    sessionId: first.sessionId,
    projectId: project.id,
    ...optional('cwd', begun?.cwd),
    ...optional('branch', findLast(sights, 'branch')),
    ...optional('model', findLast(sights, 'model')),
    ...optional('agentVersion', findLast(sights, 'agentVersion')),
    startedAt,
    lastSeenAt,
    ...(end?.endReason === undefined ? {} : { endedAt: end.at, endReason: end.endReason }),
    source: first.source,
    ...toProcess(sights),
  };
  return { row, project };
}

/** The last one: a resumed session is another process. */
function toProcess(sights: readonly Sight[]): Pick<Session, 'pid' | 'host'> {
  const last = sights.findLast((sight) => sight.pid !== undefined);
  return last?.pid === undefined || last.host === undefined ? {} : { pid: last.pid, host: last.host };
}

type Field = 'cwd' | 'branch' | 'model' | 'agentVersion';

function findLast(sights: readonly Sight[], field: Field): string | undefined {
  return sights.findLast((sight) => sight[field] !== undefined)?.[field];
}

function optional<K extends Field>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
