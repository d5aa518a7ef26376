/** Where each lesson was learned: from the findings that it grew on, and from the sessions of its evidence. */
import { sql } from 'kysely';
import type { Lesson } from '../../base/lesson.ts';
import type { Engine } from './engine.ts';

interface Place {
  readonly lesson: string;
  readonly project: string;
}

export async function listLessonProjects(
  { db, toList, toTable }: Engine,
  lessonIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  const add = ({ lesson, project }: Place): void => void (found.get(lesson) ?? put(found, lesson)).add(project);
  if (lessonIds.length === 0) return found;
  const findings = await sql<Place>`
    select distinct lesson_id as lesson, project_id as project from findings where lesson_id in ${toList(lessonIds)}
  `.execute(db);
  findings.rows.forEach(add);
  const { rows } = await sql<{
    document: string;
  }>`select document from lessons where id in ${toList(lessonIds)}`.execute(db);
  const keys = rows.flatMap(({ document }) => toKeys(JSON.parse(document) as Lesson));
  const sessions = await sql<Place>`
    select distinct given.value ->> 0 as lesson, s.project_id as project from ${toTable(keys)} as given
    cross join sessions as s where s.agent = given.value ->> 1 and s.session_id = given.value ->> 2
  `.execute(db);
  sessions.rows.forEach(add);
  return found;
}

function toKeys({ id, evidence }: Lesson): readonly (readonly string[])[] {
  return evidence.map(({ agent, sessionId }) => [id, agent, sessionId]);
}

function put(map: Map<string, Set<string>>, key: string): Set<string> {
  const made = new Set<string>();
  map.set(key, made);
  return made;
}
