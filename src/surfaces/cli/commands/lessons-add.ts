/** `oncebitten lessons add`: a lesson that a person writes. */
import { userInfo } from 'node:os';
import { UserError } from '../../../base/errors.ts';
import { makeId, makeSlug } from '../../../base/ids.ts';
import type { Lesson, Scope } from '../../../base/lesson.ts';
import type { Store } from '../../../base/store.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toContentHash } from '../../../distill/lesson/hash-lesson.ts';
import { type LessonInput, lessonInputSchema } from '../../../keep/lesson-input-schema.ts';
import { compileLessons } from '../../daemon/compile-lessons.ts';
import { cleanLessonInput } from '../clean-lesson-input.ts';
import type { CommandInput, Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { renderTriggers } from '../render-triggers.ts';

/** A person vouches for it. Measurement may lower it. */
const STATED_CONFIDENCE = 0.9;

export const run: Handler = async (input) => {
  const given = input.options.stdin === true ? parseJson(await input.readStdin()) : toWish(input.options);
  const wish = await cleanLessonInput(parseWish(given));
  const scope: Scope =
    input.options.project === true ? { kind: 'project', id: identifyProject(input.cwd).id } : { kind: 'user' };
  const lesson = makeStated(wish, scope, new Date().toISOString());
  await withHome(input, async (open) => {
    const same = await findSame(open.store, lesson);
    if (same !== undefined)
      throw refuse(`is there already as ${same.slug}`, `see it: oncebitten lessons show ${same.slug}`);
    const change = { by: lesson.origin.by, reason: 'written by a person', at: lesson.createdAt };
    await open.store.saveLesson(lesson, change);
    await compileLessons(open);
  });
  return { json: lesson, text: `Added ${lesson.slug}. It speaks at: ${renderTriggers(lesson.triggers)}` };
};

/** In another project the same lesson says something new. */
async function findSame(store: Store, { contentHash, scope }: Lesson): Promise<Lesson | undefined> {
  const lessons = await store.listLessons();
  return lessons.find(
    (one) => one.contentHash === contentHash && (one.scope.kind === 'user' || one.scope.id === scope.id),
  );
}

function toWish(options: CommandInput['options']): unknown {
  const given = options as Readonly<Record<string, string | undefined>> &
    Readonly<Record<string, readonly string[] | undefined>>;
  const args = { any: given.with, none: given.without };
  const programs = (given.program as readonly string[] | undefined)?.map((words) => {
    const [name, ...sub] = words.trim().split(/\s+/);
    return dropAbsent({
      name,
      sub: sub.length === 0 ? undefined : sub,
      args: hasAny(args) ? dropAbsent(args) : undefined,
    });
  });
  if (programs === undefined && hasAny(args))
    throw refuse('has --with or --without but no --program', 'name the program too');
  const triggers = {
    tools: given.tool ?? (programs === undefined ? undefined : ['shell']),
    programs,
    paths: given.file,
  };
  return dropAbsent({
    summary: given.summary,
    mistake: given.mistake,
    remediation: given.fix,
    priority: given.priority === undefined ? undefined : Number(given.priority),
    triggers: dropAbsent(triggers),
  });
}

function parseWish(wish: unknown): LessonInput {
  const parsed = lessonInputSchema.safeParse(wish);
  if (parsed.success) return parsed.data as LessonInput;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'it';
  throw refuse(`${where}: ${issue?.message ?? 'is not valid'}`, 'see the options: oncebitten lessons add --help');
}

function makeStated(wish: LessonInput, scope: Scope, at: string): Lesson {
  const { mistake, remediation, triggers, summary } = wish;
  return {
    id: makeId('les', Date.parse(at)),
    slug: makeSlug(summary),
    ...wish,
    confidence: STATED_CONFIDENCE,
    mode: 'note',
    status: 'active',
    needsReview: false,
    scope,
    origin: { kind: 'user', by: userInfo().username, trust: 'stated' },
    evidence: [],
    occurrences: 0,
    sessions: 0,
    projects: 0,
    validity: { models: [], agentVersions: [] },
    contentHash: toContentHash({ mistake, remediation, triggers }),
    createdAt: at,
    updatedAt: at,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse('is not JSON', 'see schemas/lesson-input.schema.json for what is expected', cause);
  }
}

function refuse(reason: string, next: string, cause?: unknown): UserError {
  return new UserError({ subject: 'the lesson', reason, next, cause });
}

function hasAny(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined);
}

function dropAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
