/**
 * `projects`: past sessions whose repositories are known, scanned into a new store: how many projects each repository
 * became. `ONCEBITTEN_MORE` names the folder; below it, the sessions of a repository are in `<agent>/<owner+name>/`. Only
 * totals are told.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeToProjectId } from '../src/base/project-alias.ts';
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
    const { projects, raw, sessions, elsewhere } = await countProjects(bench, folder);
    const counts = [...projects.values()].map(({ size }) => size);
    const joined = counts.reduce((sum, size) => sum + size, 0);
    return {
      repositories: projects.size,
      projects: joined,
      inOneProject: counts.filter((size) => size === 1).length,
      mostOfOneRepository: Math.max(0, ...counts),
      sessions,
      sessionsBegunElsewhere: elsewhere,
      reference: {
        what: 'projects before folders that are one repository were joined',
        projects: [...raw.values()].reduce((sum, { size }) => sum + size, 0),
      },
      checks: [
        mustBeZero('projects more than repositories', joined - projects.size),
        mustBeZero('files that could not be read', unreadable.length),
      ],
    };
  });
}

/**
 * By repository: the projects that its sessions began in. `elsewhere`: sessions in a folder of another name than any other
 * session of the repository: people work on several repositories from one place.
 */
function countProjects({ home }: BenchHome, folder: string) {
  return withStore(home, async (store) => {
    const toProjectId = makeToProjectId(await store.listProjectAliases());
    const places = new Map((await store.listSessions({ limit: ALL })).map((one) => [one.sessionId, one.projectId]));
    const names = new Map((await store.listProjects()).map(({ id, name }) => [id, name.toLowerCase()]));
    const projects = new Map<string, Set<string>>();
    const raw = new Map<string, Set<string>>();
    let sessions = 0;
    let elsewhere = 0;
    for (const [repository, sessionId] of listSessions(folder)) {
      const id = places.get(sessionId);
      if (id === undefined) continue;
      sessions++;
      add(raw, repository, id);
      add(projects, repository, toProjectId(id));
      const owned = names.get(toProjectId(id)) === repository.split('+').at(-1)?.toLowerCase();
      if (!owned) elsewhere++;
    }
    return { projects, raw, sessions, elsewhere };
  });
}

const SESSION = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function listSessions(folder: string): readonly (readonly [repository: string, sessionId: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const repository = path.split('/')[1];
    const sessionId = SESSION.exec(basename(path))?.[0];
    return repository === undefined || sessionId === undefined ? [] : [[repository, sessionId] as const];
  });
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}
