/** Distill -> keep: turns a finding that passes the gate into a lesson, or into evidence of a known lesson. */

import type { Store } from '../../base/contracts/store.ts';
import { makeId } from '../../base/ids.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Episode, EpisodeStart, Finding, KeptFinding, PastFinding } from '../../base/model/finding.ts';
import type { LearnedForm, Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import { type AreDifferent, makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import type { ScoringWeights } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { mayHold } from '../../base/triggers/may-hold.ts';
import { findAbsentPath } from '../../distill/gate/contradicts.ts';
import { doubtLesson, type Gate, gateFinding, type PastCall, toWholeProgram } from '../../distill/gate/gate-finding.ts';
import { isKnownFixForAllProjects, isRepositoryCause } from '../../distill/gate/is-repository-cause.ts';
import { isAboutProgram, toMergeKey } from '../../distill/lessons/hash-lesson.ts';
import { addProvisional, isProvenByOwn, makeLesson, mergeLesson } from '../../distill/lessons/make-lesson.ts';
import { isSameChecklist } from '../../distill/lessons/same-checklist.ts';
import { isSameRule, USER_RULE } from '../../distill/lessons/same-rule.ts';
import { widenRepair } from '../../distill/propose/repair/repair.ts';
import { REPAIRED } from '../../distill/text/edit-text.ts';
import { isArchivedForGood, reviveLesson } from '../../promote/lesson-states.ts';
import type { Found } from '../digest-events.ts';
import { readAreDifferent } from '../projects/repair-lessons.ts';
import { holdsInPast, type PastCalls, toBrief, toLine } from './past-calls.ts';
import {
  addKnownFix,
  isCounted,
  isCoveredByLesson,
  isRefusedOnly,
  readTaught,
  replaceKnownFixes,
  type Taught,
  toEvidence,
  toEvidenceOfKnown,
  withdrawEvidence,
  withoutRefusal,
} from './related-lessons.ts';

/** Confidence of "check failed, code was edited, check passed": the edit is likely, but not certainly, the cause. */
const CYCLE_CONFIDENCE = 0.6;
/** Retries after another process changed a lesson; more failures mean a different problem. */
const MAX_TRIES = 50;

interface LearnContext {
  readonly store: Store;
  readonly past: PastCalls;
  readonly weights: ScoringWeights;
  /** Learn from known calls again, but count them once. */
  readonly isAgain?: boolean;
  /** Told what became of each finding. */
  readonly onKept?: (kept: KeptFinding) => void;
}

/** Returns true if a lesson is new or changed. */
export async function learnFindings(context: LearnContext, findings: readonly Found[]): Promise<boolean> {
  if (findings.length === 0) return false;
  const learning = await openLearning(
    context.store,
    findings.map(({ finding }) => finding),
    context.isAgain,
  );
  let isLearned = false;
  try {
    for (const found of findings) isLearned = (await learnOne(context, learning, found)) || isLearned;
  } finally {
    await learning.close();
  }
  return isLearned;
}

/**
 * The usual way: `testOnPast` tests the finding on past calls, `learnPassed` makes a lesson of it or adds it to a known
 * one. The other helpers handle failures that are learned again, known fixes and repairs.
 */
async function learnOne(context: LearnContext, learning: Learning, found: Found): Promise<boolean> {
  const { window } = found;
  const failing = window.find(({ callId }) => callId === found.finding.failingCallId);
  const before = await readBefore(context, learning, found.finding, failing);
  if (before === undefined) return false;
  const finding = await addKnown(context.store, learning.toProjectId, found.finding, failing);
  const wider = finding.tags.includes(REPAIRED) ? await findWider(context, learning, finding, window) : undefined;
  if (wider !== undefined) return learnPassed(context, learning, { ...wider, before, mayWiden: false });
  const tested = await testOnPast(context.past, finding, window);
  const { gate } = tested;
  if (gate.verdict === 'dropped') {
    context.onKept?.(toKept(finding, { verdict: 'dropped', reason: gate.reason }));
    return keepDropped(context.store, learning, finding, gate, before.taught.length > 0);
  }
  const isEverywhereAtOnce = finding.scope === undefined && isKnownFixForAllProjects(finding, failing);
  return learnPassed(context, learning, {
    ...tested,
    finding: isEverywhereAtOnce ? { ...finding, scope: 'user' } : finding,
    before,
    mayWiden: !isRepositoryCause(finding, failing),
  });
}

/** What the failing call taught before: nothing, as a rule. Undefined if it must not teach again. */
async function readBefore(
  context: LearnContext,
  learning: Learning,
  finding: Finding,
  failing: LiveCall | undefined,
): Promise<Taught | undefined> {
  const { store, isAgain } = context;
  const past = learning.listPast(finding);
  const refusedAt = !isAgain && isRefusedOnly(past, finding) ? failing?.occurredAt : undefined;
  if (isAgain ? learning.isDone(finding) : learning.isKnown(finding) && refusedAt === undefined) {
    context.onKept?.(toKept(finding, { verdict: 'merged', reason: 'this failure taught a lesson before' }));
    return undefined;
  }
  const earlier = isAgain || refusedAt !== undefined ? past : [];
  const before = { ...(await readTaught(store, earlier, learning.isKnown(finding))), ...dropAbsent({ refusedAt }) };
  const mayTeach = !before.isDecided && !(await isCoveredByLesson(store, learning.toProjectId, finding));
  return mayTeach ? before : undefined;
}

/** The finding with what other lessons know about the same failure: nothing, as a rule. */
async function addKnown(
  store: Store,
  toProjectId: ToProjectId,
  finding: Finding,
  failing: LiveCall | undefined,
): Promise<Finding> {
  if (finding.kind === 'proposed') return toEvidenceOfKnown(store, toProjectId, finding, failing);
  return addKnownFix(store, toProjectId, finding, failing?.command);
}

type TestedFinding = Pick<Passed, 'finding' | 'calls' | 'gate'>;

async function testOnPast(past: PastCalls, finding: Finding, window: readonly LiveCall[]): Promise<TestedFinding> {
  const calls = isEpisode(finding) ? [] : await readPast(past, finding, window);
  return { finding, calls, gate: gateFinding(finding, calls, holdsInPast) };
}

/** A repair of the same failure with other words: what both have in common, if that passes the gate. */
async function findWider(
  { store, past }: LearnContext,
  { toProjectId }: Learning,
  finding: Finding,
  window: readonly LiveCall[],
): Promise<TestedFinding | undefined> {
  const [failing, fixing] = [finding.failingCallId, finding.fixingCallId].map((id) =>
    window.find(({ callId }) => callId === id),
  );
  if (failing === undefined || fixing === undefined || (await findKnownLesson(store, finding, toProjectId)))
    return undefined;
  for (const lesson of await store.listLessons()) {
    const isSameFailure = lesson.origin.by === finding.detector && lesson.signatureId === finding.signature.id;
    const isFree = lesson.status !== 'archived' && lesson.reviewedBy === undefined && lesson.file === undefined;
    if (!isSameFailure || !isFree || !isInScope(lesson.scope, finding, toProjectId)) continue;
    const wider = widenRepair(finding, lesson, { failing, fixing, worked: [] });
    const tested = wider && (await testOnPast(past, wider, window));
    // One hit is its own call, another one the mistake that the lesson was learned from.
    if (tested !== undefined && tested.gate.verdict !== 'dropped' && tested.gate.hits > 1) return tested;
  }
  return undefined;
}

/** A finding that passed the gate. */
interface Passed {
  readonly finding: Finding;
  readonly calls: readonly PastCall[];
  readonly gate: Gate;
  readonly before: Taught;
  /** A lesson of another project may be the same one, and then holds in all projects. */
  readonly mayWiden: boolean;
}

async function learnPassed(context: LearnContext, learning: Learning, passed: Passed): Promise<boolean> {
  const { store, weights } = context;
  const { finding, calls, gate, before, mayWiden } = passed;
  const { toProjectId, areDifferent } = learning;
  // Two folders of one repository do not prove that a lesson applies to other projects.
  const mayWidenFrom = (projectId: string): boolean => mayWiden && areDifferent(projectId, finding.projectId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await store.readLessonStamp();
    const known = await findKnownLesson(store, finding, toProjectId, mayWidenFrom);
    if (isCounted(known, before)) {
      // Other proposers tell the same failure, and it is learned from once.
      learning.note(finding);
      return false;
    }
    // The project id is the one that the lesson uses; what became of the finding is kept under its own.
    const evidence = await toEvidence(store, known, finding);
    const scoped = { ...finding, evidence, projectId: toScopeId(known, finding, toProjectId) };
    const at = new Date().toISOString();
    const rest = known && withoutRefusal(known, scoped, before);
    const made = growLesson(rest, scoped, at, gate, weights) ?? makeLesson(scoped, gate, at, weights);
    const lesson = made !== known && isProvenByOwn(scoped, calls, holdsInPast) ? addProvisional(made, scoped) : made;
    const change =
      lesson === known ? {} : { change: { by: finding.detector, reason: toChangeReason(known, gate), at } };
    const kept = toKept(finding, { ...toBecame(known, lesson, gate), lessonId: lesson.id });
    const again = context.isAgain || before.refusedAt !== undefined ? ({ isAgain: true } as const) : {};
    const learned = { lesson, ...change, episode: toEpisode(scoped, lesson), finding: kept, stamp, ...again };
    const saved = await store.saveLearned(learned);
    if (saved === 'stale') continue;
    learning.note(finding, kept);
    context.onKept?.(kept);
    if (saved === 'saved') await withdrawEvidence(store, before.taught, scoped, lesson);
    if (saved === 'saved') await replaceKnownFixes(store, toProjectId, lesson);
    return saved === 'saved' && lesson !== known;
  }
  return false;
}

/**
 * Reads the past calls that a finding's trigger is tested on. Calls of the window have their whole command, folder and
 * tool input.
 */
export async function readPast(
  past: PastCalls,
  finding: Finding,
  window: readonly LiveCall[],
): Promise<readonly PastCall[]> {
  const whole = new Map(window.map((call) => [call.callId, call]));
  const { triggers, failingCallId, fixingCallId } = finding;
  const tools = triggers.tools ?? ['shell'];
  // For a lesson about a missing path, every tool that read or wrote the path counts.
  const isAbsence = findAbsentPath(finding) !== undefined;
  // What a model proposed is compared with every call of the same program.
  const wide = finding.kind === 'proposed' ? toWholeProgram(triggers) : triggers;
  // A call of another project that worked speaks against a lesson about the program itself.
  const stored = await (isAboutProgram(finding) ? past.listAll() : past.list(finding.projectId));
  const meant: PastCall[] = [];
  const add = (call: PastCall): void => {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (!isAbsence && !isOwn && !tools.includes(call.tool)) return;
    const { command, cwd, parameters } = whole.get(call.callId) ?? {};
    const full = { ...call, command, cwd, parameters };
    // Skip calls that the trigger cannot match, which are nearly all.
    if (isAbsence || isOwn || mayHold(wide, toLine(full))) meant.push(full);
  };
  stored.forEach(add);
  // Only failures of untracked tools are stored, so take the others from the window.
  for (const call of window) {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (isOwn && !stored.has(call.callId)) add(toBrief(call));
  }
  return meant;
}

/** The finding is stored as an episode and never becomes a lesson. */
function isEpisode({ kind, episodeOnly }: Finding): boolean {
  return kind === 'code-edit' || episodeOnly !== undefined;
}

/** A lesson that the current rules would drop becomes a draft, although it was learned before. */
async function keepDropped(
  store: Store,
  learning: Learning,
  finding: Finding,
  gate: Gate,
  isTaught: boolean,
): Promise<boolean> {
  const episode = isEpisode(finding) ? toEpisode(finding, { confidence: CYCLE_CONFIDENCE }) : undefined;
  // Otherwise the earlier lesson still has it as evidence.
  if (!isTaught) learning.keep(toKept(finding, { verdict: 'dropped', reason: gate.reason }), episode);
  if (gate.falseAlarms === 0) return false;
  const known = await findKnownLesson(store, finding, learning.toProjectId);
  if (known === undefined) return false;
  const at = new Date().toISOString();
  const change = { by: finding.detector, reason: `tested again, draft: ${gate.reason}`, at };
  const changed = await store.updateLessons([known.id], ([now]) => {
    const lesson = now && doubtLesson(now, finding, gate, at);
    return lesson === undefined ? [] : [{ lesson, change }];
  });
  return changed.length > 0;
}

/** New evidence restores a lesson that only its age had archived; the same evidence twice does not. */
function growLesson(
  known: Lesson | undefined,
  finding: Finding,
  at: string,
  gate: Gate,
  weights: ScoringWeights,
): Lesson | undefined {
  if (known === undefined) return undefined;
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
    detector,
    kind,
    agent,
    sessionId,
    projectId,
    failingCallId,
    fixingCallId,
    signatureId: signature.id,
    ...dropAbsent({ file, lines }),
    at,
    ...became,
  };
}

function toBecame(known: Lesson | undefined, lesson: Lesson, gate: Gate): Pick<KeptFinding, 'verdict' | 'reason'> {
  if (known === undefined) return { verdict: gate.verdict === 'active' ? 'new' : 'draft', reason: gate.reason };
  return { verdict: 'merged', reason: lesson === known ? 'this evidence is already known' : gate.reason };
}

function toChangeReason(known: Lesson | undefined, gate: Gate): string {
  return known === undefined ? `learned, ${gate.verdict}: ${gate.reason}` : `seen again: ${gate.reason}`;
}

/**
 * Finds the stored lesson that a finding is more evidence of. `mayWiden` decides whether the lesson of another project may
 * match; a match makes that lesson one for every project.
 */
async function findKnownLesson(
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
  // A draft in other words is no reason to lose what a model proposes.
  const isOtherDraft = ({ status, origin }: Lesson): boolean =>
    finding.origin === 'model' && status === 'draft' && origin.kind !== 'model';
  const lessons = (await store.listLessons()).filter(
    (lesson) =>
      !isOver(lesson) &&
      !isOtherDraft(lesson) &&
      !isFromElsewhere(lesson, finding, toProjectId) &&
      !isOnlyElsewhere(lesson),
  );
  const known =
    lessons.find(({ id }) => id === finding.widens) ??
    lessons.find((lesson) => toKey(lesson, lesson) === key) ??
    lessons.find((lesson) => lesson.learnedAs?.some((form) => toKey(form, lesson) === key)) ??
    findChecklist(lessons, finding, toProjectId) ??
    findRule(lessons, finding, toProjectId);
  return known && findSuccessor(known, lessons);
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

/**
 * Caches keys by lesson object, because every finding is compared with all lessons. The store returns the same object until
 * a lesson changes.
 */
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

/** An ended session may be resumed and fail the same way. Then learn again, unless a person decided otherwise. */
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

/**
 * State shared while a batch of findings is learned: known findings are read once, and dropped findings, which are most,
 * are saved together.
 */
interface Learning {
  readonly toProjectId: ToProjectId;
  readonly areDifferent: AreDifferent;
  /** The failing call was learned from before. */
  isKnown(start: EpisodeStart): boolean;
  /** Earlier findings of its failing call. */
  listPast(start: EpisodeStart): readonly PastFinding[];
  /** The failing call was learned from in this batch. */
  isDone(start: EpisodeStart): boolean;
  /** `kept`: what became of it. */
  note(start: EpisodeStart, kept?: PastFinding): void;
  /** Adds a finding that is saved at the end of the batch. */
  keep(finding: KeptFinding, episode: Episode | undefined): void;
  close(): Promise<void>;
}

/** `starts`: the failing calls of all findings. `isAgain`: learn from known calls, too. */
async function openLearning(store: Store, starts: readonly EpisodeStart[], isAgain = false): Promise<Learning> {
  const asked = await store.hasEpisodes(starts);
  const known = new Set(starts.filter((_, i) => asked[i]).map(toStartKey));
  const aliases = starts.length === 0 ? [] : await store.listProjectAliases();
  const areDifferent = await readAreDifferent(store);
  const past = Map.groupBy(
    await store.listPastFindings(isAgain ? starts : starts.filter((_, i) => asked[i])),
    toCallKey,
  );
  const findings: KeptFinding[] = [];
  const episodes: Episode[] = [];
  const done = new Set<string>();
  const note = (start: EpisodeStart, kept?: PastFinding): void => {
    known.add(toStartKey(start));
    done.add(toStartKey(start));
    if (kept !== undefined) past.set(toCallKey(start), [...(past.get(toCallKey(start)) ?? []), kept]);
  };
  return {
    toProjectId: makeToProjectId(aliases),
    areDifferent,
    isKnown: (start) => known.has(toStartKey(start)),
    listPast: (start) => past.get(toCallKey(start)) ?? [],
    isDone: (start) => done.has(toStartKey(start)),
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

function toCallKey({ agent, sessionId, failingCallId }: Omit<EpisodeStart, 'kind'>): string {
  return [agent, sessionId, failingCallId].join('\n');
}

function toStartKey({ agent, sessionId, failingCallId, kind }: EpisodeStart): string {
  return [agent, sessionId, failingCallId, kind].join('\n');
}
