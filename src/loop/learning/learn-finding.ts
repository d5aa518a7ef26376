/** Distill -> keep: turns a finding that passes the gate into a lesson, or into evidence of a known lesson. */

import type { Store } from '../../base/contracts/store.ts';
import { makeId } from '../../base/ids.ts';
import type { Episode, Finding, KeptFinding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import type { ScoringWeights } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { doubtLesson } from '../../distill/gate/doubt-lesson.ts';
import { type Gate, gateFinding, type PastCall } from '../../distill/gate/gate-finding.ts';
import { isRepositoryCause } from '../../distill/gate/is-repository-cause.ts';
import { addProvisional, isProvenByOwn } from '../../distill/gate/make-provisional.ts';
import { knowCure, lacksCure } from '../../distill/lessons/know-cure.ts';
import { makeLesson, mergeLesson } from '../../distill/lessons/make-lesson.ts';
import { reviveLesson } from '../../promote/lesson-states.ts';
import type { Found } from '../digest-events.ts';
import {
  addKnownFix,
  findKnownLesson,
  isCounted,
  isToldBefore,
  type Learning,
  openLearning,
  readTaught,
  replaceKnownFixes,
  type Taught,
  withdrawEvidence,
} from './known-lessons.ts';
import { holdsInPast, type PastCalls, readPast } from './past-calls.ts';

/** Confidence of "check failed, code was edited, check passed": the edit is likely, but not certainly, the cause. */
const CYCLE_CONFIDENCE = 0.6;
/** Retries after another process changed a lesson; more failures mean a different problem. */
const MAX_TRIES = 50;

/** What learning needs. */
interface Lore {
  readonly store: Store;
  readonly past: PastCalls;
  readonly weights: ScoringWeights;
  /** Learn from known calls again, but count them once. */
  readonly isAgain?: boolean;
}

/** Returns true if a lesson is new or changed. */
export async function learnFindings(lore: Lore, found: readonly Found[]): Promise<boolean> {
  if (found.length === 0) return false;
  const learning = await openLearning(
    lore.store,
    found.map(({ finding }) => finding),
    lore.isAgain,
  );
  let isLearned = false;
  try {
    for (const one of found) isLearned = (await learnOne(lore, learning, one)) || isLearned;
  } finally {
    await learning.close();
  }
  return isLearned;
}

async function learnOne(lore: Lore, learning: Learning, { finding: told, window }: Found): Promise<boolean> {
  const { store, past } = lore;
  if (lore.isAgain ? learning.isDone(told) : learning.isKnown(told)) return false;
  const before = await readTaught(store, learning, told);
  if (before.isDecided || (await isToldBefore(store, learning, told))) return false;
  const failing = window.find(({ callId }) => callId === told.failingCallId);
  const found = lacksCure(told)
    ? knowCure(told, await store.listLessons())
    : await addKnownFix(store, learning, told, failing?.command);
  const calls = isEpisode(found) ? [] : await readPast(past, found, window);
  const gate = gateFinding(found, calls, holdsInPast);
  if (gate.verdict === 'dropped') return keepDropped(store, learning, found, gate, before.taught.length > 0);
  return learnPassed(lore, learning, { found, calls, gate, before, mayWiden: !isRepositoryCause(found, failing) });
}

/** A finding that passed the gate. */
interface Passed {
  readonly found: Finding;
  readonly calls: readonly PastCall[];
  readonly gate: Gate;
  readonly before: Taught;
  readonly mayWiden: boolean;
}

async function learnPassed(lore: Lore, learning: Learning, passed: Passed): Promise<boolean> {
  const { store, weights } = lore;
  const { found, calls, gate, before, mayWiden } = passed;
  const { toProjectId, areDifferent } = learning;
  // Two folders of one repository do not prove that a lesson applies to other projects.
  const mayWidenFrom = (projectId: string): boolean => mayWiden && areDifferent(projectId, found.projectId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await store.readLessonStamp();
    const known = await findKnownLesson(store, found, toProjectId, mayWidenFrom);
    if (isCounted(known, before)) {
      // Other proposers tell the same failure, and it is learned from once.
      learning.note(found);
      return false;
    }
    const evidence = await toEvidence(store, known, found);
    const finding = { ...found, evidence, projectId: toScopeId(known, found, toProjectId) };
    const at = new Date().toISOString();
    const made =
      known === undefined ? makeLesson(finding, gate, at, weights) : growLesson(known, finding, at, gate, weights);
    const lesson = made !== known && isProvenByOwn(finding, calls, holdsInPast) ? addProvisional(made, finding) : made;
    const change = lesson === known ? {} : { change: { by: finding.detector, reason: toReason(known, gate), at } };
    const kept = toKept(found, { ...toVerdict(known, lesson, gate), lessonId: lesson.id });
    const again = lore.isAgain ? ({ isAgain: true } as const) : {};
    const learned = { lesson, ...change, episode: toEpisode(finding, lesson), finding: kept, stamp, ...again };
    const saved = await store.saveLearned(learned);
    if (saved === 'stale') continue;
    learning.note(found);
    if (saved === 'saved') await withdrawEvidence(store, before.taught, finding, lesson);
    if (saved === 'saved') await replaceKnownFixes(store, learning, lesson);
    return saved === 'saved' && lesson !== known;
  }
  return false;
}

/** The finding is stored as an episode and never becomes a lesson. */
function isEpisode({ kind, episodeOnly }: Finding): boolean {
  return kind === 'code-edit' || episodeOnly !== undefined;
}

/** A lesson that the current rules would drop becomes a draft, although it was learned before. */
async function keepDropped(
  store: Store,
  learning: Learning,
  found: Finding,
  gate: Gate,
  isTaught: boolean,
): Promise<boolean> {
  const episode = isEpisode(found) ? toEpisode(found, { confidence: CYCLE_CONFIDENCE }) : undefined;
  // Otherwise the earlier lesson still has it as evidence.
  if (!isTaught) learning.keep(toKept(found, { verdict: 'dropped', reason: gate.reason }), episode);
  if (gate.falseAlarms === 0) return false;
  const known = await findKnownLesson(store, found, learning.toProjectId);
  if (known === undefined) return false;
  const at = new Date().toISOString();
  const change = { by: found.detector, reason: `tested again, draft: ${gate.reason}`, at };
  const changed = await store.updateLessons([known.id], ([now]) => {
    const lesson = now && doubtLesson(now, found, gate, at);
    return lesson === undefined ? [] : [{ lesson, change }];
  });
  return changed.length > 0;
}

/**
 * A failure after a shown or withheld delivery is measured there and does not count as an ignored repetition. Neither
 * does a failure while the lesson was quiet, muted or in review, because agents did not see it.
 */
async function toEvidence(store: Store, known: Lesson | undefined, finding: Finding): Promise<Finding['evidence']> {
  const { evidence } = finding;
  if (known === undefined) return evidence;
  const isMeasured = (await wasAsked(store, known, finding)) || (await wasHushed(store, known, finding));
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
async function wasHushed(store: Store, { id: lessonId }: Lesson, finding: Finding): Promise<boolean> {
  const { agent, sessionId, failingCallId: callId } = finding;
  const unsaid = await store.listSkipped({ agent, sessionId, callId });
  const missed = await store.listMissed({ agent, sessionId, lessonId });
  return [...unsaid, ...missed.filter((one) => one.callId === callId)].some(
    (one) => one.lessonId === lessonId && (one.reason === 'quiet' || one.reason === 'muted'),
  );
}

/** New evidence restores a lesson that only its age had archived; the same evidence twice does not. */
function growLesson(known: Lesson, finding: Finding, at: string, gate: Gate, weights: ScoringWeights): Lesson {
  const open = reviveLesson(known);
  const grown = mergeLesson(open, finding, at, gate, weights);
  return grown === open ? known : grown;
}

/** The project id that the lesson uses, because a joined project has several ids. */
function toScopeId(known: Lesson | undefined, { projectId }: Finding, toProjectId: ToProjectId): string {
  const id = toProjectId(projectId);
  const scopeId = known?.scope.id;
  return scopeId !== undefined && toProjectId(scopeId) === id ? scopeId : id;
}

function toEpisode(finding: Finding, { confidence }: Pick<Lesson, 'confidence'>): Episode {
  const { agent, sessionId, failingCallId, fixingCallId, kind, intentKey, steps } = finding;
  const id = makeId('epi', Date.now());
  return { id, agent, sessionId, failingCallId, fixingCallId, kind, intentKey, steps, confidence };
}

/** Stores the project id of the call; the lesson may name the project that it was joined into. */
function toKept(finding: Finding, became: Pick<KeptFinding, 'verdict' | 'reason' | 'lessonId'>): KeptFinding {
  const { detector, kind, agent, sessionId, projectId, failingCallId, fixingCallId, signature, evidence } = finding;
  const { file, lines, at } = evidence;
  return {
    id: makeId('fnd', Date.now()),
    ...{ detector, kind, agent, sessionId, projectId, failingCallId, fixingCallId, signatureId: signature.id },
    ...dropAbsent({ file, lines }),
    ...{ at, ...became },
  };
}

function toVerdict(known: Lesson | undefined, lesson: Lesson, gate: Gate): Pick<KeptFinding, 'verdict' | 'reason'> {
  if (known === undefined) return { verdict: gate.verdict === 'active' ? 'new' : 'draft', reason: gate.reason };
  return { verdict: 'merged', reason: lesson === known ? 'this evidence is already known' : gate.reason };
}

function toReason(known: Lesson | undefined, gate: Gate): string {
  return known === undefined ? `learned, ${gate.verdict}: ${gate.reason}` : `seen again: ${gate.reason}`;
}
