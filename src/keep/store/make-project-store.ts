/** Projects: the first name stays, every root path is kept. */
import type { Project } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import type { ProjectRow } from './database-schema.ts';
import type { Engine } from './engine.ts';

export function makeProjectStore(engine: Engine): Pick<Store, 'saveProject' | 'listProjects' | 'listProjectRoots'> {
  return {
    saveProject: (project) => saveProject(engine, project),
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

function saveProject(engine: Engine, project: Project): Promise<boolean> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', [project.id]);
    const known = await trx.selectFrom('projects').selectAll().where('id', '=', project.id).executeTakeFirst();
    if (!known) {
      await trx.insertInto('projects').values(toRow(project)).execute();
      return true;
    }
    const roots = toRoots(known);
    if (roots.includes(project.root)) return false;
    const longer = JSON.stringify([...roots, project.root]);
    await trx.updateTable('projects').set({ roots: longer }).where('id', '=', project.id).execute();
    return true;
  });
}

function toRow({ id, name, basis, root }: Project): ProjectRow {
  return { id, name, basis, roots: JSON.stringify([root]), created_at: new Date().toISOString() };
}

function toProject(row: ProjectRow): Project {
  return { id: row.id, name: row.name, basis: row.basis, root: toRoots(row)[0] ?? '' };
}

function toRoots(row: ProjectRow): readonly string[] {
  return JSON.parse(row.roots);
}
