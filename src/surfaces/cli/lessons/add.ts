/**
 * `oncebitten lessons add`: stores a lesson that the user writes with flags, as JSON, or by answering questions. The MCP
 * tool `lesson_add` stores a lesson of an agent the same way, as a draft.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { makeId, makeSlug } from '../../../base/ids.ts';
import { hasDataLossTag, type Lesson, type LessonBody, type Scope } from '../../../base/model/lesson.ts';
import { isWithinScope } from '../../../base/model/lesson-scope.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { toContentHash } from '../../../distill/lessons/hash-lesson.ts';
import { toBodyType } from '../../../distill/lessons/infer-type.ts';
import { isSameChecklist } from '../../../distill/lessons/same-checklist.ts';
import { type LessonInput, lessonInputSchema } from '../../../keep/schemas/lesson-input-schema.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { getProject, listKnown } from '../arguments/projects.ts';
import type { CommandInput, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome, withHome } from '../open-home.ts';
import { readUserName } from './change-lessons.ts';
import { findWarning } from './lesson-details.ts';
import {
  checkBody,
  checkTrigger,
  cleanLessonInput,
  parseLesson,
  parseLessonJson,
  refuseLesson,
  toFlagWish,
  type WishSource,
} from './lesson-input.ts';

/** A person vouches for it. Measurement may lower it. */
const STATED_CONFIDENCE = 0.9;
const STATED_PRIORITY = 7;

export const run: Handler = async (input) => {
  const from = input.options.stdin === true ? 'text' : 'flags';
  const at = new Date().toISOString();
  const { lesson, warning } = await addLesson(input, await readWish(input), { from, at, ...toPerson(input) });
  const calls = renderTriggers(lesson.triggers);
  const text =
    lesson.status === 'active'
      ? `Added ${lesson.slug}. It fires on: ${calls}`
      : `Added ${lesson.slug} as a draft. After you approve it (oncebitten lessons approve ${lesson.slug}), it fires on: ${calls}`;
  return warning === undefined
    ? { json: lesson, text }
    : { json: { ...lesson, warning }, text: `${text}\nBut ${warning}.` };
};

/** Who wrote a lesson, and how far that counts. */
interface Authorship extends Pick<Lesson, 'confidence' | 'status' | 'origin'> {
  /** For the history of the lesson. */
  readonly reason: string;
}

function toPerson({ env, options }: CommandInput): Authorship {
  const origin = { kind: 'user', by: readUserName(env), trust: 'stated' } as const;
  const status = options.draft === true ? 'draft' : 'active';
  return { confidence: STATED_CONFIDENCE, status, origin, reason: 'added' };
}

type NewLesson = Authorship & { readonly from: WishSource; readonly at: string };

/** `warning`: why the lesson does not fire. Fails if there is such a lesson, or a part of it is wrong. */
export async function addLesson(
  input: Pick<CommandInput, 'home' | 'env' | 'cwd' | 'options'>,
  given: unknown,
  { from, reason, ...author }: NewLesson,
): Promise<{ readonly lesson: Lesson; readonly warning: string | undefined }> {
  const wish = await cleanLessonInput(parseLesson(lessonInputSchema, given, { command: 'add', from }) as LessonInput);
  checkTrigger(wish.triggers, from);
  const scope = await toScope(input);
  const lesson = makeStated(toWhole(wish), scope, author);
  const warning = await withHome(input, async (open) => {
    const here = await listWider(open.store, lesson);
    const same = here.find(({ contentHash }) => contentHash === lesson.contentHash);
    if (same !== undefined)
      throw refuseLesson(`already exists as ${same.slug}`, `see it: oncebitten lessons show ${same.slug}`);
    // An archived lesson does not count, because the user wants it again.
    const near = here.find(({ status, body }) => status !== 'archived' && isSameChecklist(body, lesson.body));
    if (near !== undefined) {
      const next = `change that one: oncebitten lessons edit ${near.slug}`;
      throw refuseLesson(`is nearly the same checklist as ${near.slug}`, next);
    }
    const { createdAt: at, origin } = lesson;
    await open.store.saveLesson(lesson, { by: origin.by, reason, at, command: makeId('cmd', Date.now()) });
    await compileLessons(open);
    // A draft is silent as long as it is one; the warning is about the time after.
    return findWarning({ ...lesson, status: 'active' }, open.settings);
  });
  return { lesson, warning };
}

/** `--project` is the project of this folder. The API names one by its id. */
async function toScope({ options: { project }, cwd, ...at }: Pick<CommandInput, 'home' | 'env' | 'cwd' | 'options'>) {
  const toOne = (id: string): Scope => ({ kind: 'project', id });
  if (project === true) return toOne(identifyProject(cwd).id);
  if (typeof project !== 'string') return { kind: 'user' } satisfies Scope;
  const known = await readHome(at, async ({ store }) => listKnown(await store.listProjectSummaries()));
  return toOne(getProject(known, project, cwd).id);
}

/** The lessons that hold wherever this one does. In another project, the same lesson is a new one. */
async function listWider(store: Store, { scope }: Lesson): Promise<readonly Lesson[]> {
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  return (await store.listLessons()).filter((one) => isWithinScope(scope, one.scope, toProjectId));
}

type Whole = Omit<LessonInput, 'type' | 'priority'> & Pick<Lesson, 'type' | 'priority'>;

/** Adds what the user may leave out. A body alone is enough, because the words to compare lessons by come from it. */
function toWhole(wish: LessonInput): Whole {
  const { body, tags } = wish;
  const type = wish.type ?? (body === undefined ? 'warning' : toBodyType(body));
  checkBody({ type, ...(body === undefined ? {} : { body }) });
  const priority = wish.priority ?? STATED_PRIORITY + Number(hasDataLossTag(tags));
  return { ...wish, type, priority, remediation: wish.remediation || toRemedy(body) };
}

function toRemedy(body: LessonBody | undefined): string {
  if (body === undefined) return '';
  if ('items' in body) return body.items.join('; ');
  if ('action' in body) return body.action;
  return 'constraint' in body ? body.constraint : (body.mitigation ?? '');
}

async function readWish({ options, readStdin, ask }: CommandInput): Promise<unknown> {
  if (options.stdin === true) return parseLessonJson(await readStdin());
  const { project: _, draft: __, ...words } = options;
  const asked = ask !== undefined && Object.keys(words).length === 0 ? await askLesson(ask) : options;
  // Without any trigger the complaint is about the trigger, not about a missing key.
  return { triggers: {}, ...toFlagWish(asked) };
}

function makeStated(wish: Whole, scope: Scope, { at, ...author }: Omit<NewLesson, 'from' | 'reason'>): Lesson {
  const { mistake, remediation, triggers, summary } = wish;
  return {
    id: makeId('les', Date.parse(at)),
    slug: makeSlug(summary),
    ...wish,
    ...author,
    mode: 'note',
    needsReview: false,
    scope,
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

type Ask = NonNullable<CommandInput['ask']>;

/**
 * A lesson by questions, for a person at a terminal who gave no flags. An empty answer leaves a part out. The same
 * options as if they had been given as flags.
 */
async function askLesson(ask: Ask): Promise<CommandInput['options']> {
  const summary = await ask('The lesson in one line: ');
  if (summary.trim() === '') throw userError('the lesson', 'has no summary', 'try again, or use flags: --summary …');
  const mistake = await ask('What goes wrong, and why (may be empty): ');
  const fix = await ask('What to do instead, to copy and paste: ');
  const program = await ask('Fires on which command, e.g. gh pr diff (empty: on a file): ');
  const file = program.trim() === '' ? await ask('Fires on which files, e.g. **/migrations/*.sql: ') : '';
  const words = program.trim() === '' ? '' : await ask('Only with this option or word, e.g. --stat (may be empty): ');
  return {
    summary,
    ...(mistake.trim() === '' ? {} : { mistake }),
    ...(fix.trim() === '' ? {} : { fix }),
    ...(program.trim() === '' ? {} : { program: [program] }),
    ...(file.trim() === '' ? {} : { file: [file.trim()] }),
    ...(words.trim() === '' ? {} : { with: words.trim().split(/\s+/) }),
  };
}
