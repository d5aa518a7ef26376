/**
 * Merges a lesson's file with its row in the store. The words come from the file; measurements and decisions made here
 * come from the store. A person's decision here stands, whatever the file says.
 */
import type { ConfirmedFile, Lesson, LessonFile, LessonUpdate, Origin } from '../../base/model/lesson.ts';
import type { LessonFileContent } from './lesson-file.ts';
import { hashLessonFile } from './lesson-file.ts';

export interface ReconcileContext {
  readonly projectId: string;
  /** For a lesson that is new here. */
  readonly id: string;
  /** The slug in the store, for a lesson that is new here. */
  readonly slug: string;
  readonly at: string;
  readonly toContentHash: (content: Pick<Lesson, 'mistake' | 'remediation' | 'triggers'>) => string;
  /** Why its words must not be shown before a person confirms them; empty if they may. */
  readonly judge: (content: LessonFileContent) => readonly string[];
  /** The name of a lesson with the same content that a person here rejected or archived. */
  readonly findRefused: (content: LessonFileContent, contentHash: string) => string | undefined;
  /** The file exists but is not a valid lesson. */
  readonly isBroken: boolean;
}

/** The author of changes that come from the repository. */
const BY_REPOSITORY = 'repository';
/** The confidence of a lesson that somebody wrote for this project but that has not proven itself here. */
const REPOSITORY_CONFIDENCE = 0.7;
const MAX_CONFIRMED = 10;
const FOREIGN: Origin = { kind: 'import', by: BY_REPOSITORY, trust: 'foreign' };

/** Undefined if nothing changes. */
export function reconcileLessonFile(
  row: Lesson | undefined,
  content: LessonFileContent | undefined,
  context: ReconcileContext,
): LessonUpdate | undefined {
  if (row === undefined) return content === undefined ? undefined : add(content, context);
  const { file } = row;
  // The lesson was just moved back into the store.
  if (file === undefined) return undefined;
  if (content === undefined) return file.isGone ? undefined : lose(row, file, context);
  const hash = hashLessonFile(content);
  if (hash !== file.hash) return change(row, file, content, context);
  return file.isGone ? toUpdate(bringBack(row), 'its file exists again', context) : undefined;
}

function add(content: LessonFileContent, context: ReconcileContext): LessonUpdate {
  const { id, slug, projectId, at } = context;
  const words = toWords(content, context);
  const lesson: Lesson = {
    ...{ id, slug, ...words.fields },
    confidence: REPOSITORY_CONFIDENCE,
    ...toStatus(words.reasons),
    scope: { kind: 'project', id: projectId },
    origin: FOREIGN,
    ...{ evidence: [], occurrences: 0, sessions: 0, projects: 1 },
    validity: { models: [], agentVersions: [] },
    file: { slug: content.slug, hash: words.hash, contentHash: words.fields.contentHash },
    ...{ createdAt: at, updatedAt: at },
  };
  const refused = context.findRefused(content, lesson.contentHash);
  if (refused === undefined) return toUpdate(lesson, `read from the repository${toHeld(words.reasons)}`, context);
  const reason = `the same as ${refused}, which was archived here`;
  const from = lesson.status === 'active' ? ('active' as const) : ('draft' as const);
  return toUpdate({ ...lesson, status: 'archived', archival: { cause: 'rejected', reason, from } }, reason, context);
}

function lose(row: Lesson, file: LessonFile, context: ReconcileContext): LessonUpdate {
  const reason = context.isBroken ? 'its file is no longer a lesson' : 'its file is gone from the repository';
  const gone: Lesson = { ...row, file: { ...file, isGone: true } };
  if (row.status === 'archived') return toUpdate(gone, reason, context);
  const archival = { cause: 'removed', reason, from: row.status } as const;
  return toUpdate({ ...gone, status: 'archived', archival }, reason, context);
}

function bringBack(row: Lesson): Lesson {
  const { archival, file, ...rest } = row;
  const { isGone: _, ...there } = file ?? { slug: row.slug, hash: '', contentHash: '' };
  if (row.status === 'archived' && archival?.cause === 'removed')
    return { ...rest, status: archival.from, file: there };
  return { ...rest, ...(archival === undefined ? {} : { archival }), file: there };
}

function change(row: Lesson, before: LessonFile, content: LessonFileContent, context: ReconcileContext): LessonUpdate {
  const words = toWords(content, context);
  const confirmed = toConfirmed(row, before);
  const file: LessonFile = {
    ...{ slug: content.slug, hash: words.hash, contentHash: words.fields.contentHash },
    ...(confirmed.length === 0 ? {} : { confirmed }),
  };
  const back = bringBack(row);
  if (row.contentHash !== before.contentHash)
    return toUpdate({ ...back, file }, 'its file changed; what was written here stays', context);
  const isChanged = words.fields.contentHash !== row.contentHash;
  const moved = isChanged ? { confidence: REPOSITORY_CONFIDENCE, needsReview: false } : {};
  const kept = isChanged ? dropProven(dropBody(back)) : dropBody(back);
  const next: Lesson = { ...kept, ...words.fields, ...moved, file };
  if (isDecided(row)) return toUpdate(next, 'its file changed; it stays archived', context);
  const by = confirmed.find(({ hash }) => hash === words.hash)?.by;
  if (by !== undefined) {
    const { archival: _, ...open } = next;
    return toUpdate(
      { ...open, status: 'active', needsReview: false, reviewedBy: by },
      'its file is as it was confirmed',
      context,
    );
  }
  const { reviewedBy: _, archival: __, provisional: ___, ...foreign } = next;
  const reason = `its file was changed by somebody${toHeld(words.reasons)}`;
  return toUpdate({ ...foreign, ...toStatus(words.reasons, next.needsReview), origin: FOREIGN }, reason, context);
}

/** A person rejected or archived the lesson, and a changed file must not bring it back. */
function isDecided({ status, archival }: Lesson): boolean {
  return status === 'archived' && ['rejected', 'archived', 'superseded'].includes(archival?.cause ?? '');
}

function toConfirmed({ reviewedBy, status }: Lesson, { hash, confirmed = [] }: LessonFile): readonly ConfirmedFile[] {
  const others = confirmed.filter((one) => one.hash !== hash);
  const isConfirmed = reviewedBy !== undefined && status === 'active';
  return (isConfirmed ? [...others, { hash, by: reviewedBy }] : confirmed).slice(-MAX_CONFIRMED);
}

type Words = Omit<LessonFileContent, 'slug'> & Pick<Lesson, 'contentHash'>;

/** Only the fields of a lesson; the file may contain more. */
function toWords(
  content: LessonFileContent,
  { toContentHash, judge }: ReconcileContext,
): { readonly fields: Words; readonly hash: string; readonly reasons: readonly string[] } {
  const { type, summary, mistake, remediation, body, triggers, priority, mode, tags } = content;
  const fields = {
    ...{ type, summary, mistake, remediation, ...(body === undefined ? {} : { body }) },
    ...{ triggers, priority, mode, tags, contentHash: toContentHash({ mistake, remediation, triggers }) },
  };
  return { fields, hash: hashLessonFile(content), reasons: judge(content) };
}

function toStatus(reasons: readonly string[], needsReview = false): Pick<Lesson, 'status' | 'needsReview'> {
  return reasons.length === 0 ? { status: 'active', needsReview } : { status: 'draft', needsReview: true };
}

function toHeld(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `, held back: ${reasons.join(', ')}`;
}

function dropBody({ body: _, ...lesson }: Lesson): Lesson {
  return lesson;
}

/** Results of calls, and the mode that a person set, belong to the earlier words. */
function dropProven({ tested: _, replacement: __, modeBy: ___, edit: ____, ...lesson }: Lesson): Lesson {
  return lesson;
}

function toUpdate(lesson: Lesson, reason: string, { at }: ReconcileContext): LessonUpdate {
  return { lesson: { ...lesson, updatedAt: at }, change: { by: BY_REPOSITORY, reason, at } };
}
