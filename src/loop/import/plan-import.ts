/**
 * Plans an import lesson by lesson against the stored lessons, saves the plan, and makes the import report. Planning is
 * pure, so a dry run is the plan alone. Saving writes the whole plan or nothing, and only if the stored lessons are
 * still those that the plan was made with.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../base/contracts/store.ts';
import { UserError } from '../../base/errors.ts';
import { addForm, type Evidence, type Lesson, type LessonStatus } from '../../base/model/lesson.ts';
import { isWithinScope } from '../../base/model/lesson-scope.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { compareTexts } from '../../base/records.ts';
import { isSameChecklist } from '../../distill/lessons/same-checklist.ts';
import { UNDONE } from '../../promote/undo-change.ts';
import type { ImportFormat, Refused } from './candidate.ts';
import { toSharedLesson } from './lesson-words.ts';
import type { ParsedImport } from './parse-import.ts';
import { type Incoming, type Prepared, toImportSlug } from './prepare-import.ts';

type PlanAction = 'new' | 'merged' | 'unchanged' | 'refused';

export interface PlanRow {
  readonly action: PlanAction;
  /** Its name in the file. */
  readonly name: string;
  readonly slug?: string;
  readonly status?: LessonStatus;
  /** Why it was merged with a stored lesson, if that is not obvious. */
  readonly merge?: string;
  /** Why it is a draft, unchanged or refused. */
  readonly reasons: readonly string[];
  /** Fields of the file that were left out; absent if there are none. */
  readonly dropped?: readonly string[];
  /** How a difference between file and store was resolved. */
  readonly conflict?: string;
}

interface PlannedSave {
  readonly lesson: Lesson;
  /** The stored lesson that the plan was made with. */
  readonly before?: Lesson;
  readonly reasons: readonly string[];
  readonly hasOwnId: boolean;
}

interface ImportPlan {
  readonly rows: readonly PlanRow[];
  readonly saves: readonly PlannedSave[];
}

const MAX_EVIDENCE = 10;
/** Maximum number of checklist pairs to compare (about ten seconds), because a file may have a hundred thousand. */
const MAX_COMPARED = 200_000;

export function planImport(
  { incoming, refused }: Prepared,
  existing: readonly Lesson[],
  toProjectId: ToProjectId,
): ImportPlan {
  const known = makeKnown(existing, toProjectId);
  const rows: PlanRow[] = [];
  const saves = new Map<string, PlannedSave>();
  for (const one of incoming) {
    const same = known.find(one);
    const near = same === undefined ? known.findNear(one) : undefined;
    const local = same ?? near;
    const { row, lesson } =
      near !== undefined ? count(one, near) : same !== undefined ? decide(one, same) : toNew(one, known);
    rows.push(one.dropped.length === 0 ? row : { ...row, dropped: one.dropped });
    if (lesson === undefined) continue;
    const before = saves.has(lesson.id) ? saves.get(lesson.id)?.before : local;
    const { reasons, hasOwnId } = one;
    saves.set(lesson.id, { lesson, reasons, hasOwnId, ...(before === undefined ? {} : { before }) });
    known.add(lesson);
  }
  return { rows: [...rows, ...refused.map(toRefusedRow)], saves: [...saves.values()] };
}

interface Decision {
  readonly row: PlanRow;
  /** To be saved. */
  readonly lesson?: Lesson;
}

function toNew({ name, lesson, reasons, hasOwnId }: Incoming, known: Known): Decision {
  // A generated slug ends in four random characters.
  const words = hasOwnId ? lesson.slug.replace(/-[a-z0-9]{4}$/, '') : lesson.slug;
  const slug = known.hasSlug(lesson.slug) ? toImportSlug(lesson, known.hasSlug, words) : lesson.slug;
  const { status } = lesson;
  return { row: { action: 'new', name, slug, status, reasons }, lesson: { ...lesson, slug } };
}

/** Nearly the same checklist: the stored one keeps its text and counts the imported one, once per form. */
function count({ name, lesson }: Incoming, local: Lesson): Decision {
  const row = { name, slug: local.slug, status: local.status };
  const { triggers, tags, remediation } = lesson;
  const known = local.learnedAs ?? [];
  if (
    known.some((form) => form.remediation === remediation && isDeepStrictEqual(toJson(form.triggers), toJson(triggers)))
  )
    return { row: { ...row, action: 'unchanged', reasons: ['it already exists, in other words'] } };
  const counted = {
    ...local,
    occurrences: local.occurrences + Math.max(1, lesson.occurrences),
    tags: [...new Set([...local.tags, ...tags])],
    learnedAs: addForm(known, lesson),
    ...(isUntouched(local) ? { priority: Math.max(local.priority, lesson.priority) } : {}),
    updatedAt: lesson.updatedAt,
  };
  const why = `nearly the same checklist as ${local.slug}: that lesson keeps its words and adds these counts`;
  return { row: { ...row, action: 'merged', merge: why, reasons: [] }, lesson: counted };
}

function decide(one: Incoming, local: Lesson): Decision {
  const { name, lesson, reasons, isTrusted } = one;
  const isSame = isTrusted ? isEqual(lesson, local) : isSaying(lesson, local);
  const row = { name, slug: local.slug, status: local.status };
  if (isUndone(local) && lesson.status !== 'archived') {
    const back = merge(lesson, local);
    const why = 'you undid this lesson before; the import restores it';
    return { row: { ...row, action: 'merged', status: back.status, merge: why, reasons }, lesson: back };
  }
  if (isSame) return { row: { ...row, action: 'unchanged', reasons: [renderThere(local)] } };
  const differs = isSaying(lesson, local) ? {} : { conflict: `differs from ${local.slug}` };
  const isNewer = Date.parse(lesson.updatedAt) > Date.parse(local.updatedAt);
  if (!isTrusted && !isUntouched(local))
    return keep(row, differs, 'your lesson stays; with --trust, a newer one of your own export replaces it');
  if (!isNewer) return keep(row, differs, 'the existing lesson is newer or as old, and stays');
  const merged = merge(lesson, local);
  const conflict = 'conflict' in differs ? { conflict: `${differs.conflict}: the file is newer and wins` } : {};
  return { row: { ...row, action: 'merged', status: merged.status, reasons, ...conflict }, lesson: merged };
}

function renderThere({ status, slug }: Lesson): string {
  return status === 'archived'
    ? `it already exists, archived: oncebitten lessons restore ${slug}`
    : 'it already exists';
}

function keep(row: Omit<PlanRow, 'action' | 'reasons'>, differs: Pick<PlanRow, 'conflict'>, why: string): Decision {
  const conflict = differs.conflict === undefined ? {} : { conflict: `${differs.conflict}: ${why}` };
  return { row: { ...row, action: 'unchanged', reasons: [why], ...conflict } };
}

/** Archived by `lessons undo`, not by a decision about it, so importing it again restores it. */
function isUndone({ status, archival }: Lesson): boolean {
  return status === 'archived' && archival?.cause === 'archived' && archival.reason === UNDONE;
}

/** Imported before, and not reviewed since. */
function isUntouched({ origin, status, reviewedBy }: Lesson): boolean {
  return origin.kind === 'import' && origin.trust === 'foreign' && status === 'draft' && reviewedBy === undefined;
}

function isSaying(a: Lesson, b: Lesson): boolean {
  return (
    a.contentHash === b.contentHash && a.summary === b.summary && isDeepStrictEqual(toJson(a.body), toJson(b.body))
  );
}

/** Equal except for the machine and place where it was seen. */
function isEqual(a: Lesson, b: Lesson): boolean {
  const [one, other] = [a, b].map((lesson) => toSharedLesson(lesson, { withEvidence: false }));
  return isDeepStrictEqual(toJson(one), toJson({ ...other, id: a.id, slug: a.slug }));
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Text and rank of the newer lesson, evidence of both. */
function merge(newer: Lesson, local: Lesson): Lesson {
  return {
    ...newer,
    id: local.id,
    slug: local.slug,
    createdAt: newer.createdAt < local.createdAt ? newer.createdAt : local.createdAt,
    evidence: mergeEvidence(local.evidence, newer.evidence),
    occurrences: Math.max(newer.occurrences, local.occurrences),
    sessions: Math.max(newer.sessions, local.sessions),
    projects: Math.max(newer.projects, local.projects),
  };
}

function mergeEvidence(local: readonly Evidence[], imported: readonly Evidence[]): readonly Evidence[] {
  const key = ({ agent, sessionId, at, excerpt }: Evidence): string => JSON.stringify([agent, sessionId, at, excerpt]);
  const all = new Map([...imported, ...local].map((one) => [key(one), one]));
  return [...all.values()].sort((a, b) => compareTexts(a.at, b.at)).slice(-MAX_EVIDENCE);
}

function toRefusedRow({ name, reason }: Refused): PlanRow {
  return { action: 'refused', name, reasons: [reason] };
}

interface Known {
  find(one: Incoming): Lesson | undefined;
  /** A checklist of the same scope with nearly the same text. */
  findNear(one: Incoming): Lesson | undefined;
  hasSlug(slug: string): boolean;
  add(lesson: Lesson): void;
}

/** Finds stored lessons by id, by content in the same scope, and by the name of an earlier import. */
function makeKnown(existing: readonly Lesson[], toProjectId: ToProjectId): Known {
  const byId = new Map<string, Lesson>();
  const bySlug = new Map<string, Lesson>();
  const ids = new Set(existing.map(({ id }) => id));
  const byHash = new Map<string, Map<string, Lesson>>();
  const lists = new Map<string, Lesson>();
  let left = MAX_COMPARED;
  const add = (lesson: Lesson): void => {
    byId.set(lesson.id, lesson);
    bySlug.set(lesson.slug, lesson);
    if (lesson.type === 'checklist') lists.set(lesson.id, lesson);
    const same = byHash.get(lesson.contentHash) ?? new Map<string, Lesson>();
    byHash.set(lesson.contentHash, same.set(lesson.id, lesson));
  };
  for (const lesson of existing) add(lesson);
  return {
    add,
    hasSlug: (slug) => bySlug.has(slug),
    findNear({ lesson, isTrusted }) {
      if (isTrusted || lesson.type !== 'checklist') return undefined;
      const isNear = (local: Lesson): boolean =>
        left-- > 0 &&
        local.status !== 'archived' &&
        isSamePlace(local, lesson, toProjectId) &&
        isSameChecklist(local.body, lesson.body);
      return [...lists.values()].find(isNear);
    },
    find({ lesson, hasOwnId, isTrusted }) {
      const own = hasOwnId ? byId.get(lesson.id) : undefined;
      const alike = [...(byHash.get(lesson.contentHash)?.values() ?? [])];
      // Two lessons of the user's own export stay two, because one may be archived.
      const others = isTrusted ? alike.filter(({ id }) => ids.has(id)) : alike;
      const same = others.find((local) => isSamePlace(local, lesson, toProjectId));
      const named = bySlug.get(lesson.slug);
      return own ?? same ?? (named?.origin.by === lesson.origin.by && !hasOwnId ? named : undefined);
    },
  };
}

/** The same lesson in another project is a new one. Lessons without mistake and remedy are compared by their summary. */
function isSamePlace(local: Lesson, lesson: Lesson, toProjectId: ToProjectId): boolean {
  const isBare = lesson.mistake === '' && lesson.remediation === '';
  return isWithinScope(lesson.scope, local.scope, toProjectId) && (!isBare || local.summary === lesson.summary);
}

interface SaveWish {
  readonly by: string;
  readonly at: string;
  readonly command?: string;
  /** The source, for the history. */
  readonly from: string;
}

const MAX_TRIES = 5;
const MAX_REASON = 500;

class Stale extends Error {}

/** The plan for the lessons that are stored now. */
export async function previewImport(store: Store, prepared: Prepared): Promise<ImportPlan> {
  return planImport(prepared, await store.listLessons(), makeToProjectId(await store.listProjectAliases()));
}

/** Saves the whole plan or nothing, and only if the stored lessons did not change since it was made. */
export async function saveImport(store: Store, prepared: Prepared, wish: SaveWish): Promise<ImportPlan> {
  for (let n = 0; n < MAX_TRIES; n++) {
    const plan = await previewImport(store, prepared);
    if (await trySave(store, plan, wish)) return plan;
  }
  throw new UserError({
    subject: 'the lessons',
    reason: 'are being changed by another process; nothing was imported',
    next: 'try again',
  });
}

async function trySave(store: Store, { saves }: ImportPlan, wish: SaveWish): Promise<boolean> {
  // A newly generated id is unique, so it needs no check.
  const asked = saves.filter(({ before, hasOwnId }) => before !== undefined || hasOwnId);
  if (saves.length === 0) return true;
  try {
    await store.updateLessons(
      asked.map(({ lesson }) => lesson.id),
      (found) => {
        if (asked.some(({ before }, n) => !isAsPlanned(before, found[n]))) throw new Stale();
        return saves.map((save) => toUpdate(save, wish));
      },
    );
    return true;
  } catch (error) {
    if (error instanceof Stale || (error instanceof Error && error.cause instanceof Stale)) return false;
    throw error;
  }
}

function isAsPlanned(before: Lesson | undefined, now: Lesson | undefined): boolean {
  return (
    before?.updatedAt === now?.updatedAt && before?.status === now?.status && before?.contentHash === now?.contentHash
  );
}

function toUpdate({ lesson, reasons }: PlannedSave, { from, ...act }: SaveWish) {
  const why = [`imported from ${from}`, ...reasons].join('; ');
  return { lesson, change: { ...act, reason: why.length <= MAX_REASON ? why : `${why.slice(0, MAX_REASON - 1)}…` } };
}

export interface ImportReport {
  readonly file: string;
  readonly format: ImportFormat;
  readonly dryRun: boolean;
  readonly counts: Readonly<Record<PlanAction | 'drafts' | 'conflicts', number>>;
  /** Entries of a rule list that state no rule. */
  readonly skipped: number;
  readonly lessons: readonly PlanRow[];
}

/** The result of an import, or of its dry run. */
export function toImportReport(
  { rows }: ImportPlan,
  { parsed, file, dryRun }: { readonly parsed: ParsedImport; readonly file: string; readonly dryRun: boolean },
): ImportReport {
  const count = (is: (row: PlanRow) => boolean): number => rows.filter(is).length;
  const isSaved = ({ action }: PlanRow): boolean => action === 'new' || action === 'merged';
  return {
    file,
    format: parsed.format,
    dryRun,
    counts: {
      new: count(({ action }) => action === 'new'),
      merged: count(({ action }) => action === 'merged'),
      unchanged: count(({ action }) => action === 'unchanged'),
      refused: count(({ action }) => action === 'refused'),
      drafts: count((row) => isSaved(row) && row.status === 'draft'),
      conflicts: count(({ conflict }) => conflict !== undefined),
    },
    skipped: parsed.skipped,
    lessons: rows,
  };
}
