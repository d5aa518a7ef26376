/** A finding becomes a lesson, or more evidence of one that is known. */

import { makeId, makeSlug } from '../../base/ids.ts';
import type { Finding } from '../../base/model/finding.ts';
import {
  addForm,
  type Evidence,
  hasDataLossTag,
  type Lesson,
  type Origin,
  type Scope,
} from '../../base/model/lesson.ts';
import { findLastFailure, isRefuted, isVouchedFor, listLaterRefutations } from '../../base/model/lesson-trust.ts';
import { DEFAULT_WEIGHTS, type ScoringWeights } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { doubtLesson, type Gate, type PastCall } from '../gate/gate-finding.ts';
import { findRisks } from '../gate/risky-remedies/judge-remedy.ts';
import { listJudged } from '../gate/risky-remedies/list-advice.ts';
import { addFix, FIXED_BY } from '../text/retell-lesson.ts';
import { findImpact, tellsDataLoss } from './find-impact.ts';
import { toContentHash } from './hash-lesson.ts';
import { inferType } from './infer-type.ts';
import { USER_RULE } from './same-rule.ts';
import { type LessonFacts, toConfidence, toPriority } from './score-lesson.ts';

const MAX_EVIDENCE = 10;
const SAME_PAIR_MS = 60_000;
/** Under this a lesson is kept, flagged for review and not shown. */
const REVIEW_BELOW = 0.5;
/** Of what a model proposed: enough to be shown, and less than of what calls alone have taught. */
const MODEL_CONFIDENCE = 0.5;
/** A report of what is known raises it once. */
export const REPORTED = 'topic:self-reported';

/** What the gate said; its counts may be missing. */
type GateResult = Pick<Gate, 'verdict'> & Partial<Gate>;

/** `now` is an ISO time. */
export function makeLesson(
  finding: Finding,
  gate: GateResult,
  now: string,
  weights: ScoringWeights = DEFAULT_WEIGHTS,
): Lesson {
  const facts: LessonFacts = { ...toWordFacts(finding), occurrences: 1, sessions: 1, projects: 1 };
  const isActive = gate.verdict === 'active' && !mustWaitForReview(finding);
  const confidence = finding.origin === 'model' ? MODEL_CONFIDENCE : toConfidence(facts, weights);
  const { summary, mistake, remediation, triggers, tags } = finding;
  return {
    id: makeId('les', Date.parse(now)),
    slug: makeSlug(toSlugWords(finding)),
    type: inferType(finding),
    summary,
    mistake,
    remediation,
    ...(finding.body === undefined ? {} : { body: finding.body }),
    triggers,
    priority: finding.priority ?? toPriority(facts, isActive, weights),
    confidence,
    mode: 'note',
    status: isActive ? 'active' : 'draft',
    needsReview: confidence < REVIEW_BELOW || mustWaitForReview(finding),
    scope: toFirstScope(finding),
    tags,
    origin: toOrigin(finding),
    evidence: [finding.evidence],
    signatureId: finding.signature.id,
    occurrences: 1,
    sessions: 1,
    projects: 1,
    validity: { models: toList(finding.model), agentVersions: toList(finding.agentVersion) },
    ...toTested(gate),
    ...(finding.edit === undefined ? {} : { edit: finding.edit }),
    ...(finding.isSuggested === true ? toReplacement(finding) : {}),
    contentHash: toContentHash({ mistake, remediation, triggers }),
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The same mistake seen again. Evidence and counts grow; what a person reviewed keeps its words, rank and scope.
 * Returns the same lesson if it has this evidence already, so that a call that is reported twice counts once. With
 * `gate`, a draft becomes active if its trigger passes now; a draft about a file needs a second session instead, because
 * no past command shows files.
 */
export function mergeLesson(
  existing: Lesson,
  finding: Finding,
  now: string,
  gate?: GateResult,
  weights: ScoringWeights = DEFAULT_WEIGHTS,
): Lesson {
  if (existing.evidence.some((known) => isSameEvidence(known, finding.evidence)))
    return toReported(existing, finding, { now, gate, weights });
  const grown: Lesson = {
    ...toCorrecting(joinFix(toWidened(toRetold(existing, finding), finding), finding), finding),
    ...toCounts(existing, finding),
    // Counted for the trigger as it was found: a person may have made another of it.
    ...(isSame(existing.triggers, finding.triggers) ? toTested(gate) : {}),
    evidence: addEvidence(existing.evidence, finding.evidence),
    validity: {
      ...dropRefuted(existing, finding.evidence),
      models: toList(...existing.validity.models, finding.model),
      agentVersions: toList(...existing.validity.agentVersions, finding.agentVersion),
    },
    updatedAt: now,
  };
  // Words that nothing stands behind are counted, and change nothing of what somebody here vouches for.
  const isOnlySaid = finding.trust === 'foreign' && existing.origin.trust !== 'foreign';
  if (existing.reviewedBy !== undefined || isVouchedFor(existing) || isOnlySaid) return grown;
  const isProven = gate?.verdict === 'active' || (grown.sessions >= 2 && isAboutFile(existing));
  const isHeld = existing.status === 'draft' && (mustStoredWait(existing) || mustWaitForReview(finding));
  const mayRise = existing.status === 'draft' && !isHeld && !isRefuted(grown);
  const isDoubted = gate !== undefined && doubtLesson(existing, finding, gate, now) !== undefined;
  const status = isDoubted ? 'draft' : mayRise && isProven ? 'active' : existing.status;
  const confidence = toMovedConfidence(existing, grown, finding, weights);
  const facts = { ...grown, ...toWordFacts(finding), repeats: countRepeats(existing, grown.evidence) };
  return {
    ...grown,
    status,
    confidence,
    priority: Math.max(existing.priority, finding.priority ?? toPriority(facts, status === 'active', weights)),
    // What was measured is not outweighed by one more sight: a person decides.
    needsReview: confidence < REVIEW_BELOW || isHeld || isDoubted || existing.measure?.doubt !== undefined,
    // A repository's lesson is that project's, wherever else the mistake is made.
    scope: existing.file === undefined ? toScope(existing.scope, finding) : existing.scope,
  };
}

/** What a user said stays a draft, however often: a person confirms it. */
function isAboutFile({ triggers, tags }: Lesson): boolean {
  return triggers.paths !== undefined && !tags.includes(USER_RULE);
}

/** Words that were told before there was an edit are told anew, once: what a person reviewed is theirs. */
function toRetold(existing: Lesson, finding: Finding): Lesson {
  const { summary, mistake, remediation, edit } = finding;
  const isOld = existing.edit === undefined && existing.reviewedBy === undefined && existing.body === undefined;
  if (!isOld || edit === undefined || existing.origin.by !== finding.detector) return existing;
  const contentHash = toContentHash({ mistake, remediation, triggers: existing.triggers });
  return { ...existing, summary, mistake, remediation, edit, contentHash };
}

/** The lesson takes the wider trigger and words of the finding. Its old trigger stays known, so the old mistake still counts. */
function toWidened(existing: Lesson, finding: Finding): Lesson {
  if (finding.widens !== existing.id) return existing;
  const { summary, mistake, remediation, edit, triggers } = finding;
  return {
    ...existing,
    summary,
    mistake,
    remediation,
    triggers,
    ...dropAbsent({ edit }),
    learnedAs: addForm(existing.learnedAs, existing),
    contentHash: toContentHash({ mistake, remediation, triggers }),
  };
}

/** A person's own words stay, and so does advice that only text from outside contradicts. */
function joinFix(existing: Lesson, finding: Finding): Lesson {
  const isOwn = existing.reviewedBy !== undefined || existing.file !== undefined || existing.body !== undefined;
  return isOwn || mustWaitForReview(finding) || finding.edit === undefined ? existing : addFix(existing, finding.edit);
}

/** Calls that worked before the mistake was made again say nothing any more. */
function dropRefuted({ validity, evidence }: Lesson, added: Evidence): Lesson['validity'] {
  const { refutedBy, ...rest } = validity;
  const later = listLaterRefutations(refutedBy, findLastFailure({ evidence: [...evidence, added] }));
  return later.length === 0 ? rest : { ...rest, refutedBy: later };
}

function toTested(gate: GateResult | undefined): Pick<Lesson, 'tested'> {
  const { hits, falseAlarms } = gate ?? {};
  return hits === undefined || falseAlarms === undefined ? {} : { tested: { hits, falseAlarms } };
}

/** What a person has to look at first corrects nothing by itself. */
function toReplacement(finding: Finding): Pick<Lesson, 'replacement'> {
  return finding.replacement === undefined || mustWaitForReview(finding) ? {} : { replacement: finding.replacement };
}

/**
 * Another word worked this time: then it is no pure replacement. The same word each time, or one that the program itself
 * names, is one. What a person reviewed is theirs.
 */
function toCorrecting(existing: Lesson, finding: Finding): Lesson {
  const { replacement, ...rest } = existing;
  const seen = finding.replacement;
  if (seen === undefined || (replacement !== undefined && isSame(replacement, seen))) return existing;
  if (replacement !== undefined) return rest;
  if (existing.edit?.others !== undefined) return existing;
  const isAgain = finding.isSuggested === true || existing.evidence.every(({ excerpt }) => isFixedBy(excerpt, seen.to));
  return isAgain && existing.reviewedBy === undefined ? { ...existing, ...toReplacement(finding) } : existing;
}

function isFixedBy(excerpt: string | undefined, word: string): boolean {
  return excerpt?.split(FIXED_BY)[1]?.split(/\s+/).includes(word) ?? false;
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Reporting {
  readonly now: string;
  readonly gate: GateResult | undefined;
  readonly weights: ScoringWeights;
}

/** The agent itself reported what was seen already: that counts, once, and proves a draft whose trigger passes. */
function toReported(existing: Lesson, finding: Finding, { now, gate, weights }: Reporting): Lesson {
  const isNew = finding.signals.includes('self-reported') && !existing.tags.includes(REPORTED);
  if (!isNew || existing.reviewedBy !== undefined || mustWaitForReview(finding)) return existing;
  const facts = { ...existing, ...toWordFacts(finding) };
  const isProven = existing.status === 'draft' && gate?.verdict === 'active' && !mustStoredWait(existing);
  return {
    ...existing,
    tags: toList(...existing.tags, ...finding.tags, REPORTED),
    status: isProven ? 'active' : existing.status,
    confidence: Math.max(existing.confidence, toConfidence(facts, weights)),
    priority: Math.max(existing.priority, toPriority(facts, existing.status === 'active', weights)),
    updatedAt: now,
  };
}

/** The guard objects, or the words are from outside: then a person decides, however often the mistake comes again. */
function mustWaitForReview({ caution, trust }: Finding): boolean {
  return caution !== undefined || trust === 'foreign';
}

/** The same for a stored lesson, judged by its words: only its history says why it had to wait. */
function mustStoredWait(lesson: Lesson): boolean {
  const advice = listJudged(lesson, lesson.evidence);
  return lesson.origin.trust === 'foreign' || advice.some((text) => findRisks(text, {}).length > 0);
}

function toOrigin({ origin = 'episode', trust, detector, signals, proposedBy }: Finding): Origin {
  const isStated = origin === 'user' || signals.includes('user-corrected');
  const usual = isStated ? 'stated' : origin === 'import' ? 'foreign' : 'observed';
  const model = proposedBy === undefined ? {} : { model: proposedBy };
  return { kind: origin, by: detector, trust: trust ?? usual, ...model };
}

/** What the words add to what the detector saw. */
function toWordFacts(finding: Finding): Pick<LessonFacts, 'signals' | 'impact'> {
  const { signals, summary, mistake, remediation, tags } = finding;
  const words = `${summary}\n${mistake}\n${remediation}`;
  const isLoss = (tellsDataLoss(words) || hasDataLossTag(tags)) && !signals.includes('data-loss');
  return { signals: isLoss ? [...signals, 'data-loss'] : signals, impact: findImpact(words) };
}

/** Seen again after an active lesson was there to be heeded. What a scan of old sessions finds is no repetition. */
function countRepeats({ status, createdAt }: Lesson, evidence: readonly Evidence[]): number {
  if (status !== 'active') return 0;
  const isRepeat = ({ at, measured }: Evidence): boolean => !measured && Date.parse(at) > Date.parse(createdAt);
  return evidence.filter(isRepeat).length;
}

/** Words of the mistake, not of the example: `gh pr diff --stat`. */
function toSlugWords({ triggers, intentKey }: Finding): string {
  const [program] = triggers.programs ?? [];
  const { any = [], all = [] } = program?.args ?? {};
  return [...new Set([...intentKey.split(' '), ...(program?.sub ?? []), ...any, ...all])].join(' ');
}

function toCounts(existing: Lesson, finding: Finding): Pick<Lesson, 'occurrences' | 'sessions' | 'projects'> {
  const isNewSession = !existing.evidence.some(
    ({ agent, sessionId }) => agent === finding.agent && sessionId === finding.sessionId,
  );
  // Evidence does not tell its project: a lesson of several is not counted further.
  const isNewProject = existing.scope.kind === 'project' && existing.scope.id !== finding.projectId;
  return {
    occurrences: existing.occurrences + 1,
    sessions: existing.sessions + (isNewSession ? 1 : 0),
    projects: existing.projects + (isNewProject ? 1 : 0),
  };
}

/** Full: an entry of a session that has another one goes first, else the oldest. */
function addEvidence(known: readonly Evidence[], added: Evidence): readonly Evidence[] {
  const all = [...known, added];
  if (all.length <= MAX_EVIDENCE) return all;
  const spare = all.findIndex((one, i) => all.some((other, j) => j > i && other.sessionId === one.sessionId));
  return all.toSpliced(Math.max(spare, 0), 1);
}

/** The hook and the transcript tell the same pair of calls with times that differ a little. */
function isSameEvidence(a: Evidence, b: Evidence): boolean {
  if (a.agent !== b.agent || a.sessionId !== b.sessionId || a.excerpt !== b.excerpt) return false;
  return a.at === b.at || Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= SAME_PAIR_MS;
}

/** Only what the new counts add: confidence may have been moved by measurement meanwhile. */
function toMovedConfidence(before: Lesson, after: Lesson, { signals }: Finding, weights: ScoringWeights): number {
  // Another fix confirms the mistake, but not the advice.
  if ((after.edit?.others?.length ?? 0) > (before.edit?.others?.length ?? 0)) return before.confidence;
  const { min, max } = weights.confidence;
  const step = toConfidence({ ...after, signals }, weights) - toConfidence({ ...before, signals }, weights);
  return Math.round(Math.min(max, Math.max(min, before.confidence + step)) * 100) / 100;
}

function toFirstScope({ scope, sessionId, projectId }: Finding): Scope {
  if (scope === 'session') return { kind: 'session', id: sessionId };
  return scope === 'user' ? { kind: 'user' } : { kind: 'project', id: projectId };
}

/** The caller merges findings of two projects only when these are different repositories. */
function toScope(scope: Scope, { projectId }: Finding): Scope {
  return scope.kind === 'project' && scope.id !== projectId ? { kind: 'user' } : scope;
}

function toList(...values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_SESSIONS = 20;

type Holds = (triggers: Triggers, call: PastCall) => boolean;

/** The trigger fires on its own mistake and not on its own fix: of both calls that is known for certain. */
export function isProvenByOwn(finding: Finding, past: readonly PastCall[], holds: Holds): boolean {
  // What a user said needs no call that shows it.
  if (finding.kind === 'corrected-by-user' && finding.steps === 0)
    return finding.trust !== 'foreign' && finding.caution === undefined;
  const failing = past.find(({ callId }) => callId === finding.failingCallId);
  const fixing = past.find(({ callId }) => callId === finding.fixingCallId);
  if (failing === undefined || fixing === undefined) return false;
  return holds(finding.triggers, failing) && !holds(finding.triggers, fixing) && mayBe(finding);
}

/**
 * What has to run first has run in this session. What a command was given beside itself is not always told, and a user who
 * let it out of the sandbox may have done so for good. Text from outside never fires by itself.
 */
function mayBe({ triggers, trust }: Finding): boolean {
  const isBeside = triggers.input !== undefined && triggers.programs !== undefined;
  return triggers.session === undefined && !isBeside && trust !== 'foreign';
}

/**
 * A draft may fire at once in the session that taught it, and in no other. It ends after a day: a session that still runs
 * then does other work. For all other sessions it stays a draft, confirmed or dropped like any other.
 */
export function addProvisional(lesson: Lesson, { agent, sessionId, evidence }: Finding): Lesson {
  const correctedMs = Date.parse(evidence.at);
  if (lesson.status !== 'draft' || Number.isNaN(correctedMs)) return lesson;
  const others = (lesson.provisional ?? []).filter((one) => one.agent !== agent || one.sessionId !== sessionId);
  const until = new Date(correctedMs + DAY_MS).toISOString();
  const all = [...others, { agent, sessionId, until }].sort((a, b) => (a.until < b.until ? -1 : 1));
  return { ...lesson, provisional: all.slice(-MAX_SESSIONS) };
}
