/**
 * What other lessons mean for a finding: a lesson that the same failing call taught before (it counts the call once, and
 * a person's decision about it also holds for the call), other lessons about the same failure, and a lesson that the agent
 * was shown before it.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Cure } from '../../base/model/cure.ts';
import type { Finding, PastFinding } from '../../base/model/finding.ts';
import type { ArchivalCause, Evidence, Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { BASH, parseCommand } from '../../base/shell/parse-command.ts';
import { dropEvidence } from '../../distill/lessons/drop-evidence.ts';
import { RECURRENCE } from '../../distill/propose/recurrence.ts';
import { REJECTED_WORD } from '../../distill/propose/rejected-words/rejected-word.ts';
import { REPAIR } from '../../distill/propose/repair/repair.ts';
import { addCommand, COMMAND_CHARS, SUMMARY_CHARS, toSentence } from '../../distill/text/edit-text.ts';
import { toEditedCommand } from '../../distill/text/to-short-command.ts';
import { chooseCure } from '../../match/cure-book.ts';
import { isArchivedForGood } from '../../promote/lesson-states.ts';
import { supersedeLesson } from '../../promote/merge-lessons.ts';
import { firesAt } from './past-calls.ts';

/** The author of these changes in the history. */
const RELEARNED_BY = 'scan/again@1';

/** What was learned from the failing call before. */
export interface Taught {
  readonly taught: readonly Lesson[];
  /** A person decided about one of its lessons. */
  readonly isDecided: boolean;
  /** The call was learned from, but the result is no longer known. */
  readonly isUnclear: boolean;
  /** When the call failed, if its refusal alone was learned from. See `isRefusedOnly`. */
  readonly refusedAt?: string;
}

/**
 * Reads what was learned from a failing call before, to learn from it again with the current rules. A lesson does not
 * count the call twice. A lesson of an older form hands the evidence to the new lesson and is superseded when none is
 * left. A person's decision or deletion also applies to the failures that taught the lesson. `past`: the earlier
 * findings of the call. `isKnown`: it was learned from before.
 */
export async function readTaught(store: Store, past: readonly PastFinding[], isKnown: boolean): Promise<Taught> {
  const ids = [...new Set(past.flatMap(({ lessonId }) => lessonId ?? []))];
  const lessons = await Promise.all(ids.map((id) => store.findLesson(id)));
  const taught = lessons.filter((lesson) => lesson !== undefined);
  // The lesson was deleted; the finding may no longer name it.
  const isGone = taught.length < ids.length || past.some((one) => one.verdict !== 'dropped' && !one.lessonId);
  return {
    taught,
    isDecided: isGone || taught.some(isDecided),
    isUnclear: isKnown && past.length === 0,
  };
}

/** A superseded lesson does not count as decided, because its successor does. */
function isDecided(lesson: Lesson): boolean {
  const isRefused = isArchivedForGood(lesson) && lesson.archival?.cause !== 'superseded';
  return isRefused || lesson.reviewedBy !== undefined || lesson.file !== undefined;
}

/**
 * A live session shows the refusal of a word before the call that does without it. So the refusal alone may have become
 * evidence, with advice in the place of the fix; the pair of calls takes its place.
 */
export function isRefusedOnly(past: readonly PastFinding[], { kind, detector }: Finding): boolean {
  return detector !== REJECTED_WORD && past.findLast((one) => one.kind === kind)?.detector === REJECTED_WORD;
}

/** Undefined if the lesson rests on that refusal alone: then `withdrawEvidence` puts the new one in its place. */
export function withoutRefusal(
  lesson: Lesson,
  { agent, sessionId }: Finding,
  { refusedAt }: Taught,
): Lesson | undefined {
  if (refusedAt === undefined) return lesson;
  const toDistanceMs = ({ at }: Evidence): number => Math.abs(Date.parse(at) - Date.parse(refusedAt));
  const [nearest] = lesson.evidence
    .filter((one) => one.agent === agent && one.sessionId === sessionId && toDistanceMs(one) <= SAME_CALL_MS)
    .toSorted((a, b) => toDistanceMs(a) - toDistanceMs(b));
  return dropEvidence(lesson, (one) => one === nearest);
}

/** The hook and the transcript tell the time of one call a little differently. */
const SAME_CALL_MS = 60_000;

/** The lesson already counts this failure. */
export function isCounted(known: Lesson | undefined, { taught, isUnclear, refusedAt }: Taught): boolean {
  if (known === undefined || refusedAt !== undefined) return false;
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
export async function isCoveredByLesson(store: Store, toProjectId: ToProjectId, finding: Finding): Promise<boolean> {
  const isFix = finding.triggers.failure === true;
  if (!isFix && finding.detector !== RECURRENCE && finding.detector !== REPAIR) return false;
  return (await store.listLessons()).some(
    (lesson) =>
      !isReplaceable(lesson) &&
      !(isFix && lesson.origin.by === REPAIR && lesson.status !== 'active') &&
      lesson.triggers.failure !== true &&
      lesson.origin.by !== finding.detector &&
      lesson.signatureId === finding.signature.id &&
      isSameProgram(lesson, finding) &&
      isInScope(lesson.scope, finding, toProjectId),
  );
}

/** What a shell says has one signature, whatever program it did not run. */
function isSameProgram(a: Pick<Lesson, 'tags'>, b: Pick<Lesson, 'tags'>): boolean {
  const [own, other] = [a, b].map(({ tags }) => tags.find((tag) => tag.startsWith('tool:')));
  return own === undefined || other === undefined || own === other;
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
  toProjectId: ToProjectId,
  finding: Finding,
  command: string | undefined,
): Promise<Finding> {
  if (finding.detector !== RECURRENCE && finding.detector !== REJECTED_WORD) return finding;
  const cures = await store.listCures({ signatureIds: [finding.signature.id], limit: MAX_CURES });
  const isHere = ({ projectId }: Cure): boolean => toProjectId(projectId) === toProjectId(finding.projectId);
  const known = chooseCure(cures.filter(isHere), command);
  if (known === undefined || known.text !== known.cures[0]?.text) return finding;
  const summary = `${finding.summary}: ${known.text}`;
  const { edit } = known.cures[0] ?? {};
  const failed = parseCommand(command ?? '', BASH).find(({ program }) => program === edit?.program);
  const edited = edit && failed && toEditedCommand(edit, failed, COMMAND_CHARS);
  return {
    ...finding,
    summary: summary.length <= SUMMARY_CHARS ? summary : finding.summary,
    remediation: toSentence(addCommand(known.text, edited)),
  };
}

const MAX_CURES = 50;

/**
 * What a model proposes about a failure that an active lesson, or another proposal, fires on already is more evidence of
 * that lesson, in its words.
 */
export async function toEvidenceOfKnown(
  store: Store,
  toProjectId: ToProjectId,
  finding: Finding,
  failing: LiveCall | undefined,
): Promise<Finding> {
  if (failing === undefined) return finding;
  // A lesson that is shown with the error is one with another such lesson, whatever the words.
  const isSame = (lesson: Lesson): boolean =>
    finding.triggers.failure === true
      ? lesson.triggers.failure === true
      : lesson.triggers.failure !== true && firesAt(lesson, failing);
  const known = (await store.listLessons()).find(
    (lesson) =>
      (lesson.status === 'active' || (lesson.status === 'draft' && lesson.origin.kind === 'model')) &&
      lesson.signatureId === finding.signature.id &&
      isInScope(lesson.scope, finding, toProjectId) &&
      isSame(lesson),
  );
  if (known === undefined) return finding;
  const { triggers, tags, summary, mistake, remediation } = known;
  return { ...finding, triggers, tags, summary, mistake, remediation };
}

/** A lesson that fires before the call takes the place of the known fixes, and of drafts from pairs, of the same failure. */
export async function replaceKnownFixes(store: Store, toProjectId: ToProjectId, lesson: Lesson): Promise<void> {
  const { triggers, status, signatureId, scope } = lesson;
  if (triggers.failure === true || status !== 'active' || signatureId === undefined) return;
  // What a model read takes the place of drafts alone: what calls have proved stays.
  const mayReplace = ({ triggers: { failure }, origin, status: state }: Lesson): boolean =>
    lesson.origin.kind === 'model' ? state === 'draft' : failure === true || origin.by === REPAIR;
  const isReplaced = (one: Lesson): boolean =>
    mayReplace(one) &&
    one.id !== lesson.id &&
    one.signatureId === signatureId &&
    isSameProgram(one, lesson) &&
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

/**
 * A failure after a shown or withheld delivery is measured there and does not count as an ignored repetition. Neither
 * does a failure while the lesson was quiet, muted or in review, because agents did not see it.
 */
export async function toEvidence(
  store: Store,
  known: Lesson | undefined,
  finding: Finding,
): Promise<Finding['evidence']> {
  const { evidence } = finding;
  if (known === undefined) return evidence;
  const isMeasured = (await wasAsked(store, known, finding)) || (await wasSilent(store, known, finding));
  return isMeasured ? { ...evidence, measured: true } : evidence;
}

async function wasAsked(store: Store, known: Lesson, { agent, sessionId }: Finding): Promise<boolean> {
  if (known.lastMatchedAt === undefined) return false;
  // It was shown before and now waits for review.
  if (known.needsReview) return true;
  const deliveries = await store.listDeliveries({ agent, sessionId, lessonId: known.id });
  return deliveries.some(({ kind }) => kind === 'call');
}

/** The reason may be in a recorded miss, or in the skipped lessons of the call. */
async function wasSilent(store: Store, { id: lessonId }: Lesson, finding: Finding): Promise<boolean> {
  const { agent, sessionId, failingCallId: callId } = finding;
  const skipped = await store.listSkipped({ agent, sessionId, callId });
  const missed = await store.listMissed({ agent, sessionId, lessonId });
  return [...skipped, ...missed.filter((one) => one.callId === callId)].some(
    (one) => one.lessonId === lessonId && (one.reason === 'quiet' || one.reason === 'muted'),
  );
}

/** A lesson with much evidence keeps only some of it; its count stands for the rest. */
function withoutEvidence(lesson: Lesson, gone: Evidence): Lesson | undefined {
  const left = dropEvidence(lesson, (one) => one.sessionId === gone.sessionId && one.at === gone.at);
  if (left !== lesson) return left;
  return lesson.occurrences > 1 ? { ...lesson, occurrences: lesson.occurrences - 1 } : undefined;
}
