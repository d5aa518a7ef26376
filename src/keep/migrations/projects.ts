/**
 * Migrations of the tables of projects: projects, aliases and links. A project is one repository; its `roots` column is
 * a JSON list of the paths it was seen at, in the order they were seen.
 */

import { type Kysely, type Migration, sql } from 'kysely';
import { textType } from './text-type.ts';

export const projects: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('projects')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('basis', text, (c) => c.notNull())
      .addColumn('roots', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('projects').execute();
  },
};

/** Project ids that a person joined. An `into_id` is never a `from_id` too. */
export const projectAliases: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('project_aliases')
      .addColumn('from_id', text, (c) => c.primaryKey().notNull())
      .addColumn('into_id', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('project_aliases').execute();
  },
};

/** The evidence that project ids are one project. Existing aliases become links by a person. */
export const projectLinks: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('project_links')
      .addColumn('from_id', text, (c) => c.notNull())
      .addColumn('into_id', text, (c) => c.notNull())
      .addColumn('proof', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('refused_at', text)
      .addPrimaryKeyConstraint('project_links_pk', ['from_id', 'into_id'])
      .execute();
    await db.schema
      .createTable('project_commits')
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('commit_hash', text, (c) => c.notNull())
      .addColumn('is_made', 'integer', (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('project_commits_pk', ['project_id', 'commit_hash'])
      .execute();
    await db.schema
      .alterTable('project_aliases')
      .addColumn('proof', text, (c) => c.notNull().defaultTo('person'))
      .execute();
    await sql`insert into project_links (from_id, into_id, proof, created_at)
      select from_id, into_id, 'person', created_at from project_aliases`.execute(db);
  },
  async down(db: Kysely<unknown>) {
    // The version before treats all aliases as joined by people and never removes them itself.
    await sql`delete from project_aliases where proof <> 'person'`.execute(db);
    await db.schema.alterTable('project_aliases').dropColumn('proof').execute();
    await db.schema.dropTable('project_commits').execute();
    await db.schema.dropTable('project_links').execute();
  },
};
