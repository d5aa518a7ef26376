/**
 * `oncebitten projects list`: prints each project with its sessions and calls, its folders and the projects joined to
 * it.
 */

import type { JoinedProject, ProjectSummary } from '../../../base/model/project.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toWholePage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { toCount, toLine, toMinute, toScreenMax } from '../text.ts';

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const projects = await store.listProjectSummaries();
    return { json: toWholePage(projects), text: renderProjects(projects, input.columns) };
  });

const MAX_ROOTS = 3;
const MAX_JOINED = 5;

/** Projects as a list: a row of figures, then the folders and what was joined. */
function renderProjects(projects: readonly ProjectSummary[], columns: number | undefined): string {
  if (projects.length === 0) return 'No projects are known. Learn from past sessions: oncebitten scan';
  const head = ['PROJECT', 'NAME', 'SESSIONS', 'CALLS', 'LAST SEEN (UTC)'];
  const rows = projects.map(({ id, name, sessions, calls, lastSeenAt }) => [
    id,
    toLine(name || '-'),
    String(sessions),
    String(calls),
    lastSeenAt === undefined ? '-' : toMinute(lastSeenAt),
  ]);
  const [title, ...lines] = renderTable(head, rows, { columns, texts: [1] }).split('\n');
  const parts = lines.flatMap((line, n) => [line, ...renderPlaces(projects[n], columns)]);
  return [title, ...parts].join('\n');
}

function renderPlaces(project: ProjectSummary | undefined, columns: number | undefined): readonly string[] {
  if (project === undefined) return [];
  const { roots, joined } = project;
  const shownRoots = roots.slice(0, toScreenMax(columns, MAX_ROOTS));
  const shownJoined = joined.slice(0, toScreenMax(columns, MAX_JOINED));
  return [
    ...shownRoots.map((root) => `  ${toLine(root)}`),
    ...renderMore(roots.length - shownRoots.length, 'folder'),
    ...shownJoined.map(renderJoined),
    ...renderMore(joined.length - shownJoined.length, 'joined project'),
  ];
}

function renderMore(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`  … and ${toCount(count, `more ${what}`)} (--json)`];
}

/** Why it is the same project, in a word. */
const PROOFS: Readonly<Record<NonNullable<JoinedProject['proof']>, string>> = {
  remote: 'same remote',
  worktree: 'worktree',
  commit: 'same commits',
  folder: 'same folder',
};

function renderJoined({ id, roots: [root], proof }: JoinedProject): string {
  const why = proof === undefined ? '' : `  (${PROOFS[proof]})`;
  return `  joined ${id}${root === undefined ? '' : `  ${toLine(root)}`}${why}`;
}
