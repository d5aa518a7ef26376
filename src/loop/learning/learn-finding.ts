/** Distill -> keep: a finding that passes the gate becomes a lesson, or more evidence of one that is known. */

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
  findKnownLesson,
  isCounted,
  type Learning,
  openLearning,
  readTaught,
  type Taught,
  withdrawEvidence,
} from './known-lessons.ts';
import { holdsInPast, type PastCalls, readPast } from './past-calls.ts';

/** Red, an edit, green: that the edit made it green is likely, not certain. */
const CYCLE_CONFIDENCE = 0.6;
/** Another process changed a lesson meanwhile: far more often than that, something else is wrong. */
const MAX_TRIES = 50;

/** What findings are learned with. */
interface Lore {
  readonly store: Store;
  readonly past: PastCalls;
  readonly weights: ScoringWeights;
  /** What was learned from before is learned from once more, and counted once. */
  readonly isAgain?: boolean;
}

/** True when a lesson is new or changed. */
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
  if (before.isDecided) return false;
  const found = lacksCure(told) ? knowCure(told, await store.listLessons()) : told;
  const calls = isEpisode(found) ? [] : await readPast(past, found, window);
  const gate = gateFinding(found, calls, holdsInPast);
  if (gate.verdict === 'dropped') return keepDropped(store, learning, found, gate, before.taught.length > 0);
  const failing = window.find(({ callId }) => callId === found.failingCallId);
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
  // Two folders of one repository are no proof that a lesson holds anywhere else.
  const mayWidenFrom = (projectId: string): boolean => mayWiden && areDifferent(projectId, found.projectId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await store.readLessonStamp();
    const known = await findKnownLesson(store, found, toProjectId, mayWidenFrom);
    if (isCounted(known, before)) return false;
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
    return saved === 'saved' && lesson !== known;
  }
  return false;
}

/** What happened is kept, and no lesson comes of it. */
function isEpisode({ kind, episodeOnly }: Finding): boolean {
  return kind === 'code-edit' || episodeOnly !== undefined;
}

/** What would not be learned today is not to speak because it was learned when less was known. */
async function keepDropped(
  store: Store,
  learning: Learning,
  found: Finding,
  gate: Gate,
  isTaught: boolean,
): Promise<boolean> {
  const episode = isEpisode(found) ? toEpisode(found, { confidence: CYCLE_CONFIDENCE }) : undefined;
  // The lesson that it taught before still rests on it.
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
 * Where the lesson was shown or withheld, what came of it is measured: that is no repetition that nobody counted. Nor is
 * what happened while it was quiet, muted or waiting for a person: it was not there to be heeded.
 */
async function toEvidence(store: Store, known: Lesson | undefined, finding: Finding): Promise<Finding['evidence']> {
  const { evidence } = finding;
  if (known === undefined) return evidence;
  const isMeasured = (await wasAsked(store, known, finding)) || (await wasHushed(store, known, finding));
  return isMeasured ? { ...evidence, measured: true } : evidence;
}

async function wasAsked(store: Store, known: Lesson, { agent, sessionId }: Finding): Promise<boolean> {
  if (known.lastMatchedAt === undefined) return false;
  // It spoke once, and was put aside since.
  if (known.needsReview) return true;
  const deliveries = await store.listDeliveries({ agent, sessionId, lessonId: known.id });
  return deliveries.some(({ kind }) => kind === 'call');
}

/** The failure may be known as missed by now, or only what was left unsaid at it. */
async function wasHushed(store: Store, { id: lessonId }: Lesson, finding: Finding): Promise<boolean> {
  const { agent, sessionId, failingCallId: callId } = finding;
  const unsaid = await store.listSkipped({ agent, sessionId, callId });
  const missed = await store.listMissed({ agent, sessionId, lessonId });
  return [...unsaid, ...missed.filter((one) => one.callId === callId)].some(
    (one) => one.lessonId === lessonId && (one.reason === 'quiet' || one.reason === 'muted'),
  );
}

/** What only time had put aside is open again; this very evidence told twice opens nothing. */
function growLesson(known: Lesson, finding: Finding, at: string, gate: Gate, weights: ScoringWeights): Lesson {
  const open = reviveLesson(known);
  const grown = mergeLesson(open, finding, at, gate, weights);
  return grown === open ? known : grown;
}

/** The project as the lesson names it: the ids of a joined project are no second one. */
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

/** The project as it was seen: a lesson may name another that it was joined into. */
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
