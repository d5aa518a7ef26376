/** Projects: the first name stays, every root path is kept. */
import { sql } from 'kysely';
import type { Project } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import type { ProjectRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { upsertAll } from './upsert-rows.ts';

type ProjectMethods = 'saveProject' | 'saveProjects' | 'listProjects' | 'listProjectRoots';

export function makeProjectStore(engine: Engine): Pick<Store, ProjectMethods> {
  return {
    saveProject: (project) => saveProjects(engine, [project]),
    saveProjects: (projects) => saveProjects(engine, projects),
    async listProjects() {
      const rows = await engine.db.selectFrom('projects').selectAll().orderBy('name').orderBy('id').execute();
      return rows.map(toProject);
    },
    async listProjectRoots() {
      const rows = await engine.db.selectFrom('projects').selectAll().orderBy('id').execute();
      return new Map(rows.map((row) => [row.id, toRoots(row)]));
    },
  };
}

async function saveProjects(engine: Engine, projects: readonly Project[]): Promise<boolean> {
  if (projects.length === 0) return false;
  const ids = [...new Set(projects.map(({ id }) => id))];
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', ids);
    const { rows } = await sql<ProjectRow>`select * from projects where id in ${engine.toList(ids)}`.execute(trx);
    const changed = toChanged(rows, projects);
    await upsertAll(engine, trx, { table: 'projects', key: ['id'], update: ['roots'] }, changed);
    return changed.length > 0;
  });
}

/** The rows that are new, or have a new root. */
function toChanged(known: readonly ProjectRow[], projects: readonly Project[]): readonly ProjectRow[] {
  const rows = new Map(known.map((row) => [row.id, row]));
  const changed = new Set<string>();
  for (const project of projects) {
    const row = rows.get(project.id);
    const roots = row === undefined ? [] : toRoots(row);
    if (roots.includes(project.root)) continue;
    rows.set(project.id, row === undefined ? toRow(project) : { ...row, roots: toText([...roots, project.root]) });
    changed.add(project.id);
  }
  return [...rows.values()].filter(({ id }) => changed.has(id));
}

function toRow({ id, name, basis, root }: Project): ProjectRow {
  return { id, name, basis, roots: toText([root]), created_at: new Date().toISOString() };
}

function toText(roots: readonly string[]): string {
  return JSON.stringify(roots);
}

function toProject(row: ProjectRow): Project {
  return { id: row.id, name: row.name, basis: row.basis, root: toRoots(row)[0] ?? '' };
}

function toRoots(row: ProjectRow): readonly string[] {
  return JSON.parse(row.roots);
}
