/**
 * `oncebitten data projects`: lists the projects with their folders and the projects joined to them, makes one project
 * part of another, in the past and from now on, and takes a join back.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { UserError } from '../../../base/errors.ts';
import { type JoinedProject, makeToProjectId, type ProjectSummary } from '../../../base/model/project.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { repairLessons } from '../../../loop/projects/repair-lessons.ts';
import { writeBriefs } from '../../../loop/write-briefs.ts';
import { findHere, getProject, type KnownProject, listKnown, renderProject } from '../arguments/projects.ts';
import type { CommandInput, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome, withHome } from '../open-home.ts';
import { toWholePage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { toCount, toLine, toMinute, toScreenMax } from '../text.ts';

export const runList: Handler = (input) =>
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

export const runJoin: Handler = (input) =>
  withHome(input, async (open) => {
    const { store } = open;
    const [fromText = '', intoText = ''] = input.arguments;
    const dryRun = input.options.dryRun === true;
    const known = listKnown(await store.listProjectSummaries());
    const from = getProject(known, fromText, input.cwd);
    const into = await getInto(store, known, intoText, input);
    await checkApart(store, known, { fromText, intoText, from, into });
    const moved = await store.joinProjects(from.id, into.id, { at: new Date().toISOString(), dryRun });
    if (moved === undefined)
      throw refuse(from, 'was joined by another process in the meantime', 'see oncebitten data projects list');
    if (!dryRun) {
      await compileLessons(open);
      await writeBriefs(store, input.home, [into.id]);
    }
    const { sessions, calls, lessons } = moved;
    const what = [toCount(sessions, 'session'), toCount(calls, 'call'), toCount(lessons, 'lesson')].join(', ');
    const [fromLabel, intoLabel] = renderApart(from, into);
    const text = dryRun
      ? `${fromLabel} would be part of ${intoLabel}: ${what}.`
      : `${fromLabel} is now part of ${intoLabel}: ${what}.\nUndo: oncebitten data projects split ${from.id}`;
    return { json: { joined: !dryRun, from: from.id, into: into.id, moved }, text };
  });

/** A folder may be new: nothing was captured there yet. */
async function getInto(
  store: Store,
  known: readonly KnownProject[],
  text: string,
  { cwd, options }: CommandInput,
): Promise<KnownProject> {
  const here = known.some(({ id }) => id === text) ? undefined : findHere(text, cwd);
  if (here === undefined || known.some(({ id }) => id === here.id)) return getProject(known, text, cwd);
  if (options.dryRun !== true) await store.saveProjects([here]);
  return { id: here.id, name: here.name, roots: [here.root] };
}

interface Join {
  readonly fromText: string;
  readonly intoText: string;
  readonly from: KnownProject;
  readonly into: KnownProject;
}

async function checkApart(store: Store, known: readonly KnownProject[], join: Join): Promise<void> {
  const { from, into } = join;
  const aliases = await store.listProjectAliases();
  const toProjectId = makeToProjectId(aliases);
  if (toProjectId(from.id) === toProjectId(into.id)) {
    const whole = toProjectId(from.id);
    const isOther = (one: KnownProject): boolean =>
      toProjectId(one.id) !== whole && one.roots.some((root) => from.roots.includes(root));
    throw refuseSame(join, known.find(({ id }) => id === whole) ?? into, known.filter(isOther));
  }
  const other = aliases.find(({ fromId }) => fromId === from.id);
  if (other !== undefined)
    throw refuse(from, `is part of ${other.intoId}`, `separate it first: oncebitten data projects split ${from.id}`);
}

/** `others`: separate projects that were seen in the same folder. */
function refuseSame(
  { fromText, intoText, from, into }: Join,
  whole: KnownProject,
  others: readonly KnownProject[],
): UserError {
  const part = [from, into].find(({ id }) => id !== whole.id);
  const next =
    others.length > 0
      ? `for another project of this folder, give its id: ${others.map(renderProject).join(', ')}`
      : part === undefined
        ? 'nothing to do; see the projects and their ids: oncebitten data projects list'
        : `nothing to do; to separate them: oncebitten data projects split ${part.id}`;
  if (part !== undefined) {
    const [partLabel, wholeLabel] = renderApart(part, whole);
    return userError(`project ${partLabel}`, `is already part of ${wholeLabel}`, next);
  }
  const both =
    fromText === intoText
      ? 'both names mean the same project'
      : `${toLine(fromText, 100)} and ${toLine(intoText, 100)} are already one project`;
  return userError('data projects join', `${both}, ${renderProject(whole)}`, next);
}

function refuse(project: KnownProject, reason: string, next: string): UserError {
  return userError(`project ${renderProject(project)}`, reason, next);
}

export const runSplit: Handler = (input) =>
  withHome(input, async (open) => {
    const { store } = open;
    const [name = ''] = input.arguments;
    const projects = await store.listProjectSummaries();
    const joined = projects.flatMap((project) => project.joined.map((one) => ({ ...one, into: project })));
    if (joined.length === 0) {
      throw userError(
        'data projects split',
        'has nothing to split, because no project was joined',
        'see all: oncebitten data projects list',
      );
    }
    if (projects.some(({ id }) => id === name))
      throw userError(
        `project ${name}`,
        'is not joined into another project',
        'see which projects are joined: oncebitten data projects list',
      );
    const from = getProject(joined, name, input.cwd);
    if (await store.splitProject(from.id)) {
      await repairLessons(store, open.settings.scoring);
      await compileLessons(open);
      await writeBriefs(store, input.home, [from.id, from.into.id]);
    }
    const [fromLabel, intoLabel] = renderApart(from, from.into);
    return {
      json: { split: from.id, from: from.into.id },
      text: `${fromLabel} is a separate project again, no longer part of ${intoLabel}.`,
    };
  });

/** Two projects in one sentence. If name and folder are the same, only the ids tell them apart. */
function renderApart(one: KnownProject, other: KnownProject): readonly [string, string] {
  const [label, otherLabel] = [renderProject(one), renderProject(other)];
  const about = label.slice(one.id.length);
  if (about === '' || about !== otherLabel.slice(other.id.length)) return [label, otherLabel];
  return [one.id, `${other.id}, which has the same name and folder${about}`];
}
