/**
 * `projects`: past sessions whose repositories are known, scanned into a new store: how many projects each repository
 * became. `ONCEBITTEN_MORE` names the folder; below it, the sessions of a repository are in `<agent>/<owner+name>/`. Only
 * totals are told.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeToProjectId } from '../src/base/model/project.ts';
import { type BenchReport, mustBeZero } from './bench-report.ts';
import { runMeasured } from './run-measured.ts';
import { type BenchHome, withBenchHome, withStore } from './with-bench-home.ts';

const CLI = join(import.meta.dirname, '../dist/cli.mjs');
const ALL = 1_000_000;

export async function run(): Promise<BenchReport> {
  const folder = process.env.ONCEBITTEN_MORE ?? '';
  if (folder === '') throw new Error('set ONCEBITTEN_MORE to a folder of sessions, laid out as <agent>/<owner+name>/');
  return withBenchHome([], async (bench) => {
    const { stdout } = await runMeasured(
      [CLI, 'scan', '--path', folder, '--home', bench.home.dir, '--json'],
      bench.signal,
    );
    const { unreadable } = JSON.parse(stdout) as { readonly unreadable: readonly unknown[] };
    const { joined, apart, extra } = await countProjects(bench, folder);
    const counts = [...joined.values()].map(({ size }) => size);
    const projects = sum(counts);
    return {
      repositories: joined.size,
      projects,
      inOneProject: counts.filter((size) => size === 1).length,
      mostOfOneRepository: Math.max(0, ...counts),
      sessions: sum([...joined.values()].flatMap((one) => [...one.values()])),
      extra,
      reference: {
        what: 'ids of these projects before they are joined',
        projects: sum([...apart.values()].map(({ size }) => size)),
      },
      checks: [
        mustBeZero('projects more than repositories', projects - joined.size),
        mustBeZero('files that could not be read', unreadable.length),
      ],
    };
  });
}

/** By repository: the projects that its sessions began in, with the number of sessions. */
function countProjects({ home }: BenchHome, folder: string) {
  return withStore(home, async (store) => {
    const toProjectId = makeToProjectId(await store.listProjectAliases());
    const places = new Map((await store.listSessions({ limit: ALL })).map((one) => [one.sessionId, one.projectId]));
    const bases = new Map((await store.listProjects()).map(({ id, basis }) => [id, basis]));
    const links = Map.groupBy(await store.listProjectLinks(), ({ fromId }) => fromId);
    const joined = new Map<string, Map<string, number>>();
    const apart = new Map<string, Map<string, number>>();
    for (const [repository, sessionId] of listSessions(folder)) {
      const id = places.get(sessionId);
      if (id === undefined) continue;
      add(apart, repository, id);
      add(joined, repository, toProjectId(id));
    }
    return { joined, apart, extra: sortExtra(joined, bases, links) };
  });
}

/**
 * The projects beside the largest of each repository, by what is known of them. `anotherRemote`: sessions in a folder of
 * another repository. `severalRemotes`: its folder had more than one. `nothing`: no remote and no commit in common.
 */
function sortExtra(
  repositories: ReadonlyMap<string, ReadonlyMap<string, number>>,
  bases: ReadonlyMap<string, string>,
  links: ReadonlyMap<string, readonly unknown[]>,
) {
  const extra = { anotherRemote: 0, severalRemotes: 0, nothing: 0, sessions: 0 };
  for (const projects of repositories.values())
    for (const [id, sessions] of [...projects].sort(([, a], [, b]) => b - a).slice(1)) {
      extra.sessions += sessions;
      if (bases.get(id) === 'remote') extra.anotherRemote++;
      else if ((links.get(id) ?? []).length > 1) extra.severalRemotes++;
      else extra.nothing++;
    }
  return extra;
}

const SESSION = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function listSessions(folder: string): readonly (readonly [repository: string, sessionId: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const repository = path.split('/')[1];
    const sessionId = SESSION.exec(basename(path))?.[0];
    return repository === undefined || sessionId === undefined ? [] : [[repository, sessionId] as const];
  });
}

function add(map: Map<string, Map<string, number>>, key: string, value: string): void {
  const counts = map.get(key) ?? new Map<string, number>();
  map.set(key, counts.set(value, (counts.get(value) ?? 0) + 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
