/**
 * Finds the stored lesson that a finding is more evidence of, also when learning has seen the failing call before.
 * `mayWiden` decides whether the lesson of another project may match; a match makes that lesson one for every project.
 * A lesson counts a failing call only once, and a person's decision about a lesson also holds for the failures that
 * taught it.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { Cure } from '../../base/model/cure.ts';
import type { Episode, EpisodeStart, Finding, KeptFinding, PastFinding } from '../../base/model/finding.ts';
import type { ArchivalCause, Evidence, LearnedForm, Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import { type AreDifferent, makeAreDifferent, makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { dropEvidence } from '../../distill/lessons/drop-evidence.ts';
import { toMergeKey } from '../../distill/lessons/hash-lesson.ts';
import { isSameChecklist } from '../../distill/lessons/same-checklist.ts';
import { isSameRule, USER_RULE } from '../../distill/lessons/same-rule.ts';
import { RECURRENCE } from '../../distill/propose/recurrence.ts';
import { REJECTED_WORD } from '../../distill/propose/rejected-words/rejected-word.ts';
import { REPAIR } from '../../distill/propose/repair/repair.ts';
import { SUMMARY_CHARS, toSentence } from '../../distill/text/edit-text.ts';
import { chooseCure } from '../../match/cure-book.ts';
import { isArchivedForGood } from '../../promote/lesson-states.ts';
import { supersedeLesson } from '../../promote/merge-lessons.ts';

export async function findKnownLesson(
  store: Store,
  finding: Finding,
  toProjectId: ToProjectId,
  mayWiden: (projectId: string) => boolean = () => true,
): Promise<Lesson | undefined> {
  const isOnlyElsewhere = ({ scope }: Lesson): boolean =>
    scope.kind === 'project' && !isInScope(scope, finding, toProjectId) && !mayWiden(scope.id ?? '');
  const key = toMergeKey(finding, toProjectId(finding.projectId));
  const toKey = (form: LearnedForm, { origin }: Lesson): string =>
    toKnownKey(form, origin, form.scope.id && toProjectId(form.scope.id));
  const lessons = (await store.listLessons()).filter(
    (lesson) => !isOver(lesson) && !isFromElsewhere(lesson, finding, toProjectId) && !isOnlyElsewhere(lesson),
  );
  const found =
    lessons.find((lesson) => toKey(lesson, lesson) === key) ??
    lessons.find((lesson) => lesson.learnedAs?.some((form) => toKey(form, lesson) === key)) ??
    findChecklist(lessons, finding, toProjectId) ??
    findRule(lessons, finding, toProjectId);
  return found && findSuccessor(found, lessons);
}

/** A checklist with nearly the same items that applies here, too. */
function findChecklist(
  lessons: readonly Lesson[],
  { body, projectId }: Finding,
  toProjectId: ToProjectId,
): Lesson | undefined {
  if (body === undefined || !('items' in body)) return undefined;
  return lessons.find(
    (lesson) => isInScope(lesson.scope, { projectId }, toProjectId) && isSameChecklist(lesson.body, body),
  );
}

/** A rule that the user stated before, perhaps in other words, and that applies here, too. */
function findRule(lessons: readonly Lesson[], finding: Finding, toProjectId: ToProjectId): Lesson | undefined {
  if (!finding.tags.includes(USER_RULE)) return undefined;
  return lessons.find(
    (lesson) =>
      lesson.tags.includes(USER_RULE) && isInScope(lesson.scope, finding, toProjectId) && isSameRule(lesson, finding),
  );
}

/** Caches keys by lesson object: the store returns the same object until a lesson changes, and every finding is compared with all lessons. */
const keys = new WeakMap<LearnedForm, { readonly projectId: string | undefined; readonly key: string }>();

function toKnownKey(form: LearnedForm, origin: Lesson['origin'], projectId: string | undefined): string {
  const known = keys.get(form);
  if (known !== undefined && known.projectId === projectId) return known.key;
  const key = toMergeKey({ ...form, origin }, projectId);
  keys.set(form, { projectId, key });
  return key;
}

/** A lesson that comes only from a repository file must not absorb a finding, which is learned as a lesson of its own. */
function isFromElsewhere(lesson: Lesson, { projectId }: Finding, toProjectId: ToProjectId): boolean {
  if (lesson.file === undefined) return false;
  const isSilent = lesson.status === 'draft' || lesson.archival?.cause === 'removed';
  return isSilent || toProjectId(lesson.scope.id ?? '') !== toProjectId(projectId);
}

/** An ended session may be resumed and fail the same way; then the lesson is learned again, unless a person decided otherwise. */
function isOver(lesson: Lesson): boolean {
  return lesson.scope.kind === 'session' && lesson.status === 'archived' && !isArchivedForGood(lesson);
}

/** Evidence of a superseded lesson belongs to its successor, if that still exists. */
function findSuccessor(lesson: Lesson, lessons: readonly Lesson[]): Lesson {
  const seen = new Set<string>();
  let last = lesson;
  for (let next: Lesson | undefined = lesson; next !== undefined && !seen.has(next.id); ) {
    last = next;
    seen.add(last.id);
    const { supersededBy } = last.validity;
    next = supersededBy === undefined ? undefined : lessons.find(({ id }) => id === supersededBy);
  }
  return last;
}

/** The author of these changes in the history. */
const RELEARNED_BY = 'scan/again@1';

/** What was learned from the failing call before. */
export interface Taught {
  readonly taught: readonly Lesson[];
  /** A person decided about one of its lessons. */
  readonly isDecided: boolean;
  /** The call was learned from, but the result is no longer known. */
  readonly isUnclear: boolean;
}

/**
 * Reads what was learned from a failing call before, to learn from it again with the current rules. A lesson does not
 * count the call twice. A lesson of an older form hands the evidence to the new lesson and is superseded when none is
 * left. A person's decision or deletion also applies to the failures that taught the lesson.
 */
export async function readTaught(store: Store, learning: Learning, start: EpisodeStart): Promise<Taught> {
  const past = learning.listPast(start);
  const ids = [...new Set(past.flatMap(({ lessonId }) => lessonId ?? []))];
  const lessons = await Promise.all(ids.map((id) => store.findLesson(id)));
  const taught = lessons.filter((lesson) => lesson !== undefined);
  // The lesson was deleted; the finding may no longer name it.
  const isGone = taught.length < ids.length || past.some((one) => one.verdict !== 'dropped' && !one.lessonId);
  return {
    taught,
    isDecided: isGone || taught.some(isDecided),
    isUnclear: learning.isKnown(start) && past.length === 0,
  };
}

/** A superseded lesson does not count as decided, because its successor does. */
function isDecided(lesson: Lesson): boolean {
  const isRefused = isArchivedForGood(lesson) && lesson.archival?.cause !== 'superseded';
  return isRefused || lesson.reviewedBy !== undefined || lesson.file !== undefined;
}

/** The lesson already counts this failure. */
export function isCounted(known: Lesson | undefined, { taught, isUnclear }: Taught): boolean {
  if (known === undefined) return false;
  return isUnclear || taught.some(({ id, validity }) => id === known.id || validity.supersededBy === known.id);
}

export async function withdrawEvidence(
  store: Store,
  taught: readonly Lesson[],
  { evidence }: Finding,
  into: Lesson,
): Promise<void> {
  const others = taught.filter(({ id, status }) => id !== into.id && status !== 'archived');
  for (const { id } of others) {
    const at = new Date().toISOString();
    await store.updateLessons([id], ([lesson]) => {
      if (lesson === undefined || lesson.status === 'archived' || isDecided(lesson)) return [];
      const left = withoutEvidence(lesson, evidence);
      const reason = `learned again as ${into.slug}`;
      const after = left ?? supersedeLesson(lesson, into, { by: RELEARNED_BY, at, reason });
      return [{ lesson: { ...after, updatedAt: at }, change: { by: RELEARNED_BY, reason, at } }];
    });
  }
}

/**
 * A known fix, a pair of calls alone, and a failure that only came again give way to any other lesson about the failure,
 * also to a draft, and to one that a person or a measurement put aside. A pair gives way to all, a known fix to a pair
 * that is active.
 */
export async function isToldBefore(store: Store, { toProjectId }: Learning, finding: Finding): Promise<boolean> {
  const isFix = finding.triggers.failure === true;
  if (!isFix && finding.detector !== RECURRENCE && finding.detector !== REPAIR) return false;
  return (await store.listLessons()).some(
    (lesson) =>
      !isReplaceable(lesson) &&
      !(isFix && lesson.origin.by === REPAIR && lesson.status !== 'active') &&
      lesson.triggers.failure !== true &&
      lesson.origin.by !== finding.detector &&
      lesson.signatureId === finding.signature.id &&
      isInScope(lesson.scope, finding, toProjectId),
  );
}

/** It is gone for a reason that says nothing against it. */
function isReplaceable({ archival }: Lesson): boolean {
  return archival !== undefined && REPLACEABLE.has(archival.cause);
}

const REPLACEABLE: ReadonlySet<ArchivalCause> = new Set(['superseded', 'expired', 'unused', 'over', 'removed']);

/**
 * A failure that nothing in its session mended tells how other sessions got past it, if they agree. `command`: the failed
 * line, because the same message may be about another word.
 */
export async function addKnownFix(
  store: Store,
  { toProjectId }: Learning,
  finding: Finding,
  command: string | undefined,
): Promise<Finding> {
  if (finding.detector !== RECURRENCE && finding.detector !== REJECTED_WORD) return finding;
  const cures = await store.listCures({ signatureIds: [finding.signature.id], limit: MAX_CURES });
  const isHere = ({ projectId }: Cure): boolean => toProjectId(projectId) === toProjectId(finding.projectId);
  const known = chooseCure(cures.filter(isHere), command);
  if (known === undefined || known.text !== known.cures[0]?.text) return finding;
  const summary = `${finding.summary}: ${known.text}`;
  return {
    ...finding,
    summary: summary.length <= SUMMARY_CHARS ? summary : finding.summary,
    remediation: toSentence(known.text),
  };
}

const MAX_CURES = 50;

/** A lesson that fires before the call takes the place of the known fixes, and of drafts from pairs, of the same failure. */
export async function replaceKnownFixes(store: Store, { toProjectId }: Learning, lesson: Lesson): Promise<void> {
  const { triggers, status, signatureId, scope } = lesson;
  if (triggers.failure === true || status !== 'active' || signatureId === undefined) return;
  const isReplaced = (one: Lesson): boolean =>
    (one.triggers.failure === true || one.origin.by === REPAIR) &&
    one.id !== lesson.id &&
    one.signatureId === signatureId &&
    one.status !== 'archived' &&
    !isDecided(one) &&
    one.scope.kind === 'project' &&
    (scope.kind !== 'project' || toProjectId(one.scope.id ?? '') === toProjectId(scope.id ?? ''));
  const replaced = (await store.listLessons()).filter(isReplaced).map(({ id }) => id);
  if (replaced.length === 0) return;
  const at = new Date().toISOString();
  const reason = `${lesson.slug} tells it before the call`;
  await store.updateLessons(replaced, (known) =>
    known.flatMap((one) => {
      if (one === undefined || !isReplaced(one)) return [];
      const change = { by: lesson.origin.by, reason, at };
      return [{ lesson: { ...supersedeLesson(one, lesson, change), updatedAt: at }, change }];
    }),
  );
}

/** A lesson with much evidence keeps only some of it; its count stands for the rest. */
function withoutEvidence(lesson: Lesson, gone: Evidence): Lesson | undefined {
  const left = dropEvidence(lesson, (one) => one.sessionId === gone.sessionId && one.at === gone.at);
  if (left !== lesson) return left;
  return lesson.occurrences > 1 ? { ...lesson, occurrences: lesson.occurrences - 1 } : undefined;
}

/**
 * State shared while a batch of findings is learned: known findings are read once, and dropped findings, which are most,
 * are saved together.
 */
export interface Learning {
  readonly toProjectId: ToProjectId;
  readonly areDifferent: AreDifferent;
  /** The failing call was learned from before. */
  isKnown(start: EpisodeStart): boolean;
  /** Earlier findings of its failing call; empty unless everything is learned again. */
  listPast(start: EpisodeStart): readonly PastFinding[];
  /** The failing call was learned from in this batch. */
  isDone(start: EpisodeStart): boolean;
  note(start: EpisodeStart): void;
  /** Adds a finding that is saved at the end of the batch. */
  keep(finding: KeptFinding, episode: Episode | undefined): void;
  close(): Promise<void>;
}

/** `starts`: the failing calls of all findings. `isAgain`: learn from known calls, too. */
export async function openLearning(store: Store, starts: readonly EpisodeStart[], isAgain = false): Promise<Learning> {
  const asked = await store.hasEpisodes(starts);
  const known = new Set(starts.filter((_, i) => asked[i]).map(toKey));
  const aliases = starts.length === 0 ? [] : await store.listProjectAliases();
  const areDifferent = await readAreDifferent(store);
  const past = Map.groupBy(isAgain ? await store.listPastFindings(starts) : [], toCallKey);
  const findings: KeptFinding[] = [];
  const episodes: Episode[] = [];
  const done = new Set<string>();
  const note = (start: EpisodeStart): void => {
    known.add(toKey(start));
    done.add(toKey(start));
  };
  return {
    toProjectId: makeToProjectId(aliases),
    areDifferent,
    isKnown: (start) => known.has(toKey(start)),
    listPast: (start) => past.get(toCallKey(start)) ?? [],
    isDone: (start) => done.has(toKey(start)),
    note,
    keep(finding, episode) {
      findings.push(finding);
      if (episode === undefined) return;
      episodes.push(episode);
      note(episode);
    },
    close: () => store.saveFindings(findings, episodes),
  };
}

/** Reads which projects are proven to be different repositories. */
export async function readAreDifferent(
  store: Pick<Store, 'listProjects' | 'listProjectRoots' | 'listProjectAliases'>,
): Promise<AreDifferent> {
  return makeAreDifferent(await store.listProjects(), await store.listProjectRoots(), await store.listProjectAliases());
}

function toCallKey({ agent, sessionId, failingCallId }: Omit<EpisodeStart, 'kind'>): string {
  return [agent, sessionId, failingCallId].join('\n');
}

function toKey({ agent, sessionId, failingCallId, kind }: EpisodeStart): string {
  return [agent, sessionId, failingCallId, kind].join('\n');
}
