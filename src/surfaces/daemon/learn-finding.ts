/** Distill -> keep: a finding that passes the gate becomes a lesson, or more evidence of one that is known. */
import type { LiveCall } from '../../base/call.ts';
import type { Finding } from '../../base/finding.ts';
import { makeId } from '../../base/ids.ts';
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { makeToProjectId, type ToProjectId } from '../../base/project-alias.ts';
import type { Store } from '../../base/store.ts';
import type { Triggers } from '../../base/trigger.ts';
import { type Gate, gateFinding, type PastCall } from '../../distill/gate-lesson.ts';
import { toMergeKey } from '../../distill/hash-lesson.ts';
import { makeLesson, mergeLesson } from '../../distill/make-lesson.ts';
import { checkTriggers } from '../../match/check-triggers.ts';

/** How far back a trigger is tried: enough to see what is usual, little enough not to matter. */
const MAX_PAST_CALLS = 5_000;

/** True when a lesson is new or changed. `window`: the calls around the finding, with their whole text. */
export async function learnFinding(store: Store, found: Finding, window: readonly LiveCall[]): Promise<boolean> {
  if (await store.hasEpisode(found)) return false;
  const gate = gateFinding(found, await readPast(store, found, window), holds);
  if (gate.verdict === 'dropped') return false;
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const known = await findKnown(store, found, toProjectId);
  const finding = { ...found, projectId: toScopeId(known, found, toProjectId) };
  const at = new Date().toISOString();
  const lesson = known === undefined ? makeLesson(finding, gate, at) : mergeLesson(known, finding, at, gate);
  if (lesson !== known) await store.saveLesson(lesson, { by: finding.detector, reason: toReason(known, gate), at });
  await keepEpisode(store, finding, lesson);
  return lesson !== known;
}

/** Stored calls have the first 200 characters of their command; the window's have it whole. */
async function readPast(store: Store, finding: Finding, window: readonly LiveCall[]): Promise<readonly PastCall[]> {
  const whole = new Map(window.map((call) => [call.callId, call.command]));
  const stored = await store.listCalls({ projectId: finding.projectId, limit: MAX_PAST_CALLS });
  return stored
    .filter((call) => call.tool === 'shell')
    .map((call) => ({
      callId: call.callId,
      command: whole.get(call.callId) ?? call.inputSummary ?? '',
      outcome: call.outcome,
      signatureId: call.signature?.id,
    }));
}

async function findKnown(store: Store, finding: Finding, toProjectId: ToProjectId): Promise<Lesson | undefined> {
  const key = toMergeKey(finding, toProjectId(finding.projectId));
  const lessons = await store.listLessons();
  return lessons.find((lesson) => toMergeKey(lesson, lesson.scope.id && toProjectId(lesson.scope.id)) === key);
}

/** The project as the lesson names it: the ids of a joined project are no second one. */
function toScopeId(known: Lesson | undefined, { projectId }: Finding, toProjectId: ToProjectId): string {
  const id = toProjectId(projectId);
  const scopeId = known?.scope.id;
  return scopeId !== undefined && toProjectId(scopeId) === id ? scopeId : id;
}

async function keepEpisode(store: Store, finding: Finding, lesson: Lesson): Promise<void> {
  const { agent, sessionId, failingCallId, fixingCallId, kind, intentKey, steps } = finding;
  const { confidence } = lesson;
  const id = makeId('epi', Date.now());
  await store.saveEpisode({ id, agent, sessionId, failingCallId, fixingCallId, kind, intentKey, steps, confidence });
}

function toReason(known: Lesson | undefined, gate: Gate): string {
  return known === undefined ? `learned, ${gate.verdict}: ${gate.reason}` : `seen again: ${gate.reason}`;
}

function holds(triggers: Triggers, command: string): boolean {
  const commands = parseCommand(command);
  return checkTriggers(triggers, [], { tool: 'shell', commands, projectId: '', sessionId: '' }).holds;
}
