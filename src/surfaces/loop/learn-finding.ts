/** Distill -> keep: a finding that passes the gate becomes a lesson, or more evidence of one that is known. */
import type { LiveCall } from '../../base/call.ts';
import type { Episode } from '../../base/episode.ts';
import type { Finding } from '../../base/finding.ts';
import { makeId } from '../../base/ids.ts';
import type { KeptFinding } from '../../base/kept-finding.ts';
import type { LearnedForm, Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { makeToProjectId, type ToProjectId } from '../../base/project-alias.ts';
import { DEFAULT_WEIGHTS, type ScoringWeights } from '../../base/scoring-weights.ts';
import type { SimpleCommand } from '../../base/simple-command.ts';
import type { Store } from '../../base/store.ts';
import type { Triggers } from '../../base/trigger.ts';
import { findAbsentPath } from '../../distill/lesson/contradicts.ts';
import { doubtLesson } from '../../distill/lesson/doubt-lesson.ts';
import { type Gate, gateFinding, type PastCall } from '../../distill/lesson/gate-lesson.ts';
import { toMergeKey } from '../../distill/lesson/hash-lesson.ts';
import { knowCure, lacksCure } from '../../distill/lesson/know-cure.ts';
import { makeLesson, mergeLesson } from '../../distill/lesson/make-lesson.ts';
import { addProvisional, isProvenByOwn } from '../../distill/lesson/make-provisional.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { isArchivedForGood, reviveLesson } from '../../promote/archive-lesson.ts';
import { makePastCalls, type PastCalls, toPastCall } from './make-past-calls.ts';
import { mayRun } from './may-run.ts';

/** Red, an edit, green: that the edit made it green is likely, not certain. */
const CYCLE_CONFIDENCE = 0.6;
/** Another process changed a lesson meanwhile: far more often than that, something else is wrong. */
const MAX_TRIES = 50;

/** True when a lesson is new or changed. `window`: the calls around the finding, with their whole text. */
export async function learnFinding(
  store: Store,
  told: Finding,
  window: readonly LiveCall[],
  past: PastCalls = makePastCalls(store),
  weights: ScoringWeights = DEFAULT_WEIGHTS,
): Promise<boolean> {
  if (await store.hasEpisode(told)) return false;
  const found = lacksCure(told) ? knowCure(told, await store.listLessons()) : told;
  const calls = isEpisode(found) ? [] : await readPast(past, found, window);
  const gate = gateFinding(found, calls, holds);
  if (gate.verdict === 'dropped') return keepDropped(store, found, gate);
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await store.readLessonStamp();
    const known = await findKnown(store, found, toProjectId);
    const evidence = await toEvidence(store, known, found);
    const finding = { ...found, evidence, projectId: toScopeId(known, found, toProjectId) };
    const at = new Date().toISOString();
    const made =
      known === undefined ? makeLesson(finding, gate, at, weights) : growLesson(known, finding, at, gate, weights);
    const lesson = made !== known && isProvenByOwn(finding, calls, holds) ? addProvisional(made, finding) : made;
    const change = lesson === known ? {} : { change: { by: finding.detector, reason: toReason(known, gate), at } };
    const saved = await store.saveLearned({ lesson, ...change, episode: toEpisode(finding, lesson), stamp });
    if (saved === 'stale') continue;
    if (saved === 'known') return false;
    await keepFinding(store, found, { ...toVerdict(known, lesson, gate), lessonId: lesson.id });
    return lesson !== known;
  }
  return false;
}

/** What happened is kept, and no lesson comes of it. */
function isEpisode({ kind, episodeOnly }: Finding): boolean {
  return kind === 'code-edit' || episodeOnly !== undefined;
}

/** What would not be learned today is not to speak because it was learned when less was known. */
async function keepDropped(store: Store, found: Finding, gate: Gate): Promise<boolean> {
  if (isEpisode(found)) await store.saveEpisode(toEpisode(found, { confidence: CYCLE_CONFIDENCE }));
  await keepFinding(store, found, { verdict: 'dropped', reason: gate.reason });
  if (gate.falseAlarms === 0) return false;
  const known = await findKnown(store, found, makeToProjectId(await store.listProjectAliases()));
  if (known === undefined) return false;
  const at = new Date().toISOString();
  const change = { by: found.detector, reason: `tested anew, draft: ${gate.reason}`, at };
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
  const unsaid = await store.listUnsaid({ agent, sessionId, callId });
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

/** The window's calls have their whole command, where they ran, and what else the tool was given. */
async function readPast(past: PastCalls, finding: Finding, window: readonly LiveCall[]): Promise<readonly PastCall[]> {
  const whole = new Map(window.map((call) => [call.callId, call]));
  const own = new Set([finding.failingCallId, finding.fixingCallId]);
  const tools = finding.triggers.tools ?? ['shell'];
  // What any tool has read or written is there.
  const isAbsence = findAbsentPath(finding) !== undefined;
  const calls = await past.list(finding.projectId);
  const stored = new Set(calls.map(({ callId }) => callId));
  // Of a tool that nobody tracks only failures are stored.
  const unstored = window.filter(({ callId }) => own.has(callId) && !stored.has(callId)).map(toPastCall);
  return [...calls, ...unstored]
    .filter((call) => isAbsence || tools.includes(call.tool ?? 'shell') || own.has(call.callId))
    .map((call) => {
      const live = whole.get(call.callId);
      return live === undefined ? call : { ...call, ...toWhole(live, call) };
    });
}

function toWhole({ command, cwd, parameters }: LiveCall, stored: PastCall): Partial<PastCall> {
  const json = parameters === undefined ? undefined : JSON.stringify(parameters);
  return { command: command ?? stored.command, cwd, json };
}

async function findKnown(store: Store, finding: Finding, toProjectId: ToProjectId): Promise<Lesson | undefined> {
  const key = toMergeKey(finding, toProjectId(finding.projectId));
  const toKey = (form: LearnedForm, { origin }: Lesson): string =>
    toMergeKey({ ...form, origin }, form.scope.id && toProjectId(form.scope.id));
  const lessons = (await store.listLessons()).filter(
    (lesson) => !isOver(lesson) && !isFromElsewhere(lesson, finding, toProjectId),
  );
  const found =
    lessons.find((lesson) => toKey(lesson, lesson) === key) ??
    lessons.find((lesson) => lesson.learnedAs?.some((form) => toKey(form, lesson) === key));
  return found && findSuccessor(found, lessons);
}

/** What only a file says, here or in another repository, must not swallow what is seen: that is learned on its own. */
function isFromElsewhere(lesson: Lesson, { projectId }: Finding, toProjectId: ToProjectId): boolean {
  if (lesson.file === undefined) return false;
  const isSilent = lesson.status === 'draft' || lesson.archival?.cause === 'removed';
  return isSilent || toProjectId(lesson.scope.id ?? '') !== toProjectId(projectId);
}

/** A session that was over may go on and meet the same trouble: that is learned anew, if no person said otherwise. */
function isOver(lesson: Lesson): boolean {
  return lesson.scope.kind === 'session' && lesson.status === 'archived' && !isArchivedForGood(lesson);
}

/** What was superseded is evidence of what took its place, as long as that is there. */
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
async function keepFinding(
  store: Store,
  finding: Finding,
  became: Pick<KeptFinding, 'verdict' | 'reason' | 'lessonId'>,
): Promise<void> {
  const { detector, kind, agent, sessionId, projectId, failingCallId, fixingCallId, signature, evidence } = finding;
  const { file, lines, at } = evidence;
  await store.saveFinding({
    id: makeId('fnd', Date.now()),
    ...{ detector, kind, agent, sessionId, projectId, failingCallId, fixingCallId, signatureId: signature.id },
    ...(file === undefined ? {} : { file }),
    ...(lines === undefined ? {} : { lines }),
    ...{ at, ...became },
  });
}

function toVerdict(known: Lesson | undefined, lesson: Lesson, gate: Gate): Pick<KeptFinding, 'verdict' | 'reason'> {
  if (known === undefined) return { verdict: gate.verdict === 'active' ? 'new' : 'draft', reason: gate.reason };
  return { verdict: 'merged', reason: lesson === known ? 'this very evidence is known' : gate.reason };
}

function toReason(known: Lesson | undefined, gate: Gate): string {
  return known === undefined ? `learned, ${gate.verdict}: ${gate.reason}` : `seen again: ${gate.reason}`;
}

/** A trigger is tried on thousands of calls, and the next one on the same. */
const parsed = new WeakMap<PastCall, readonly SimpleCommand[]>();

function parseOnce(past: PastCall, command: string): readonly SimpleCommand[] {
  const commands = parsed.get(past) ?? parseCommand(command);
  parsed.set(past, commands);
  return commands;
}

function holds(triggers: Triggers, command: string, past: PastCall, isSure = false): boolean {
  const { tool = 'shell', path, cwd, json } = past;
  // Most calls are of other programs, and parsing is what costs.
  if (triggers.programs?.every(({ name }) => !mayRun(command, name))) return false;
  const all = tool === 'shell' ? parseOnce(past, command) : [];
  const call = {
    tool,
    commands: isSure ? all.filter(({ hidden }) => hidden !== true) : all,
    ...(tool === 'shell' ? { line: command } : {}),
    ...(tool === 'shell' && json === undefined ? {} : { json: json ?? command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
    ...{ projectId: '', sessionId: '' },
  };
  return checkTriggers(triggers, toPathRegexes(triggers), call, { callOnly: true }).holds;
}
