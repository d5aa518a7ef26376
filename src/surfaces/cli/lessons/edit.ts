/**
 * `oncebitten lessons edit`: changes a lesson with flags, with JSON, or in the user's own editor. If the summary quotes
 * the old fix word for word, it gets the new fix too, because an agent would otherwise read both.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { Lesson, Scope } from '../../../base/model/lesson.ts';
import { dropAbsent, isRecord } from '../../../base/records.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { toContentHash } from '../../../distill/lessons/hash-lesson.ts';
import { lessonPatchSchema } from '../../../keep/schemas/lesson-input-schema.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { editLesson, type LessonPatch } from '../../../promote/edit-lesson.ts';
import { listChanged } from '../../../promote/undo-change.ts';
import { getNamed } from '../arguments/lessons.ts';
import { findChoice } from '../arguments/options.ts';
import type { CommandInput, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { changeLessons, getMoved, makeAct } from './change-lessons.ts';
import { findWarning, renderReach } from './lesson-details.ts';
import {
  checkBody,
  checkTrigger,
  cleanLessonInput,
  parseLesson,
  parseLessonJson,
  toFlagWish,
  type WishSource,
} from './lesson-input.ts';

/** Fields that change as a consequence of an edit. */
const BESIDE = new Set(['contentHash', 'reviewedBy', 'learnedAs', 'tested', 'replacement', 'edit']);

export const run: Handler = async (input) => {
  const act = makeAct(input);
  const seen = await readHome(input, ({ store }) => getNamed(store, input.arguments[0] ?? ''));
  const patch = await readPatch(input, seen);
  let before = seen;
  const [lesson = seen] = await changeLessons(input, [seen.id], ([now = seen]) => {
    before = now;
    const edited = getMoved(now, editLesson(now, followFix(now, patch), act, toContentHash));
    if (patch.triggers !== undefined) checkTrigger(edited.triggers);
    if (patch.body !== undefined) checkBody(edited);
    const reason = `edited: ${act.reason ?? listEdited(now, edited, patch).join(', ')}`;
    return [{ lesson: edited, change: { ...act, reason } }];
  });
  const changed = listEdited(before, lesson, patch);
  const stale = findStaleSummary(before, patch, lesson);
  return {
    json: { lesson, changed, ...dropAbsent({ warning: stale }) },
    text: `Edited ${lesson.slug}: ${changed.join(', ')}. ${renderStale(stale, lesson)}${renderNow(lesson, input)}${renderMode(lesson, patch, input)} Undo: oncebitten lessons undo ${lesson.slug}`,
  };
};

function renderStale(stale: string | undefined, { slug }: Lesson): string {
  if (stale === undefined) return '';
  return `But ${stale}. If that is the old fix, change it: oncebitten lessons edit ${slug} --summary '…'\n`;
}

function renderNow(lesson: Lesson, { home, env }: CommandInput): string {
  const warning = findWarning(lesson, readSettings(home.configFile, env));
  return `It fires on: ${renderTriggers(lesson.triggers)}.${warning === undefined ? '' : ` But ${warning}.`}`;
}

/** Says how far the lesson acts, if the user changed its mode. */
function renderMode(lesson: Lesson, patch: LessonPatch, { home, env }: CommandInput): string {
  if (patch.mode === undefined) return '';
  return ` It is shown as: ${renderReach(lesson, readSettings(home.configFile, env).delivery.maxMode)}.`;
}

/** A body that is dropped because the text changed does not count as a change by the user. */
function listEdited(before: Lesson, after: Lesson, patch: LessonPatch): readonly string[] {
  const isMeant = (key: string): boolean => !BESIDE.has(key) && (key !== 'body' || patch.body !== undefined);
  // Who set the mode is part of it.
  const changed = listChanged(before, after).map((key) => (key === 'modeBy' ? 'mode' : key));
  return [...new Set(changed)].filter(isMeant);
}

async function readPatch(input: CommandInput, lesson: Lesson): Promise<LessonPatch> {
  const { options, readStdin, ask, env } = input;
  if (options.stdin === true) return toPatch(parseLessonJson(await readStdin()));
  const { reason: _, ...flags } = options;
  if (Object.keys(flags).length > 0) return toPatch(toFlagPatch(input, lesson), 'flags');
  if (ask === undefined) {
    const next = 'give flags, or JSON with --stdin: oncebitten lessons edit --help';
    throw userError('lessons edit', 'got no changes, and there is no terminal to ask for them', next);
  }
  const edited = editInEditor(`${JSON.stringify(toEditable(lesson), null, 2)}\n`, `${lesson.slug}.json`, env);
  try {
    const patch = await toPatch(dropSame(parseLessonJson(edited.text), lesson));
    if (patch.triggers !== undefined) checkTrigger(patch.triggers);
    edited.remove();
    return patch;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const next = `correct ${edited.file}, then: oncebitten lessons edit ${lesson.slug} --stdin < ${edited.file}`;
    throw userError(error.subject, error.reason, next, error);
  }
}

async function toPatch(wish: unknown, from: WishSource = 'text'): Promise<LessonPatch> {
  const parsed = parseLesson(lessonPatchSchema, wish, { command: 'edit', from });
  return (await cleanLessonInput(dropAbsent(parsed) as LessonPatch)) as LessonPatch;
}

/** Flags change the part that they name: other conditions of the trigger stay. */
function toFlagPatch({ options, cwd }: CommandInput, lesson: Lesson): object {
  const given = options as Readonly<Record<string, string | undefined>>;
  const { triggers, ...wish } = toFlagWish(options);
  return dropAbsent({
    ...wish,
    triggers: triggers === undefined ? undefined : toMixed(lesson, triggers),
    mode: given.mode,
    scope: toScope(given.scope, cwd),
    validFrom: given.validFrom === 'none' ? null : given.validFrom,
    validUntil: given.validUntil === 'none' ? null : given.validUntil,
  });
}

function toMixed({ triggers }: Lesson, given: { readonly programs?: unknown; readonly tools?: unknown }): object {
  const { tools } = triggers;
  // A program brings its tool along only where the lesson has none.
  const keepsTools = given.programs !== undefined && tools?.includes('shell') === true;
  return { ...triggers, ...given, ...(keepsTools ? { tools } : {}) };
}

function toScope(given: unknown, cwd: string): Scope | undefined {
  const kind = findChoice('--scope', given, ['user', 'team', 'project']);
  return kind === 'project' ? { kind, id: identifyProject(cwd).id } : kind && { kind };
}

/** Checks only changed parts, because a draft may have an invalid trigger. */
function dropSame(wish: unknown, lesson: Lesson): unknown {
  if (!isRecord(wish)) return wish;
  const before = Object.entries(toEditable(lesson)).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const changed = Object.entries(wish).filter(([key, value]) => !before.includes(`${key} ${JSON.stringify(value)}`));
  return Object.fromEntries(changed);
}

function toEditable(lesson: Lesson): LessonPatch {
  const { type, summary, mistake, remediation, body, triggers, priority, mode, scope, tags, validity } = lesson;
  const parts = body === undefined ? {} : { body };
  const { from: validFrom = null, until: validUntil = null } = validity;
  return {
    type,
    summary,
    mistake,
    remediation,
    ...parts,
    triggers,
    priority,
    mode,
    scope,
    tags,
    validFrom,
    validUntil,
  };
}

const MAX_SUMMARY = 300;

type Words = Pick<Lesson, 'summary' | 'remediation'>;

/**
 * If the summary quotes the old fix, it gets the new fix, too, because an agent would otherwise read both. If it does not
 * quote the old fix word for word, only the user can say what it should be.
 */
export function followFix(before: Words, patch: LessonPatch): LessonPatch {
  const { remediation } = patch;
  if (remediation === undefined || patch.summary !== undefined) return patch;
  const summary = replaceWords(before.summary, before.remediation.trim(), remediation.trim());
  return summary === undefined ? patch : { ...patch, summary };
}

/** Warns that the summary may still contain the old fix; undefined if it contains the new one or was just edited. */
export function findStaleSummary(before: Words, patch: LessonPatch, after: Words): string | undefined {
  if (patch.remediation === undefined || patch.summary !== undefined) return undefined;
  if (patch.remediation === before.remediation || after.summary !== before.summary) return undefined;
  const fix = after.remediation.trim();
  if (fix !== '' && after.summary.includes(fix)) return undefined;
  return `its summary still says: ${after.summary}`;
}

/** Undefined where the words are not in the text, or the text would no longer be one line of its length. */
function replaceWords(text: string, words: string, by: string): string | undefined {
  if (words === '' || by === '' || words === by || /[\n\r]/.test(by)) return undefined;
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Not in the middle of another word: `npm i` is not in `pnpm install`.
  const changed = text.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g'), () => by);
  return changed === text || changed.length > MAX_SUMMARY ? undefined : changed;
}

interface EditedText {
  readonly text: string;
  /** Stays until it is removed: what a person typed is not thrown away because of a missing comma. */
  readonly file: string;
  remove(): void;
}

/** A text in the person's own editor, from a file that only they can read. */
function editInEditor(text: string, name: string, env: NodeJS.ProcessEnv): EditedText {
  const file = join(mkdtempSync(join(tmpdir(), 'oncebitten-edit-')), name);
  const remove = (): void => rmSync(dirname(file), { recursive: true, force: true });
  writeFileSync(file, text, { mode: 0o600 });
  const editor = env.VISUAL || env.EDITOR || 'vi';
  // An editor may be given with options: `code --wait`.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
  if (status !== 0) {
    remove();
    const next = 'set EDITOR to a program that exists, or use flags or --stdin: oncebitten lessons edit --help';
    throw userError(`editor ${editor}`, 'failed; nothing was changed', next);
  }
  return { text: readFileSync(file, 'utf8'), file, remove };
}
