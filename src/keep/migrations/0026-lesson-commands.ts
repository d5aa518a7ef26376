/** Which command a change of a lesson belongs to: undo takes back whole commands. Changes from before have none. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const lessonCommands: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('lesson_history').addColumn('command', textType(db)).execute();
    await db.schema.createIndex('lesson_history_by_command').on('lesson_history').columns(['command']).execute();
    await db.schema
      .createIndex('lesson_history_by_person')
      .on('lesson_history')
      .columns(['changed_by', 'id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('lesson_history_by_person').execute();
    await db.schema.dropIndex('lesson_history_by_command').execute();
    await db.schema.alterTable('lesson_history').dropColumn('command').execute();
  },
};
