/**
 * Audits the lessons: the outcome of findings, duplicates, lessons that never fire or fire too often on past calls, and
 * path triggers that match no file. The store keeps only the beginning of a command and no written text, so a trigger
 * that does not match a past call may match the whole command.
 */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../base/contracts/store.ts';
import { INPUT_SUMMARY_CHARS, type StoredCall } from '../../base/model/call.ts';
import { hasWorked, type Outcome } from '../../base/model/event.ts';
import type { ListedFinding } from '../../base/model/finding.ts';
import { HELD_BACK, type Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { type Project, toCallKey, toSessionKey } from '../../base/model/session.ts';
import { type CallView, toRecordedView } from '../../base/triggers/call-view.ts';
import { testRegex } from '../../base/triggers/regex.ts';
import {
  type AskSession,
  type CompletedWork,
  isConditionMet,
  toCompletedWork,
} from '../../base/triggers/session-conditions.ts';
import { judgeTriggers, toGlobRegex } from '../../keep/manifest/compiled-triggers.ts';
import { askGit } from '../projects/ask-git.ts';

/** A call that a lesson is tried on. */
export interface AuditCall {
  readonly key: string;
  readonly call: CallView;
  readonly outcome: Outcome;
  readonly signatureId?: string | undefined;
  /** The store no longer has its command or path, so that no trigger can be tried on it. */
  readonly isBlank?: boolean;
  /** The store has only the beginning of its command: a trigger that does not match may match the rest. */
  readonly isCut?: boolean;
}

export interface AuditedLesson {
  readonly id: string;
  readonly slug: string;
  readonly status: Lesson['status'];
  /** Past calls on which it fires, without the calls that it was learned from. */
  readonly fires: number;
  /** How many of these failed as the lesson says. */
  readonly hits: number;
  readonly successes: number;
}

export interface Audit {
  /** All findings of the detectors. */
  readonly candidates: number;
  readonly becameLessons: number;
  readonly merged: number;
  readonly dropped: number;
  readonly droppedByReason: Readonly<Record<string, number>>;
  /** Findings that wait for a person whatever the back-test says, and why. */
  readonly heldBack: number;
  readonly heldBackByReason: Readonly<Record<string, number>>;
  readonly lessons: number;
  readonly active: number;
  readonly drafts: number;
  readonly archived: number;
  readonly needReview: number;
  /** Lessons with the same text, or that fire on the same calls. */
  readonly duplicates: readonly { readonly slugs: readonly string[] }[];
  readonly pastCalls: number;
  readonly neverFire: readonly AuditedLesson[];
  readonly fireTooOften: readonly AuditedLesson[];
  readonly tried: readonly AuditedLesson[];
}

interface AuditInput {
  readonly findings: readonly ListedFinding[];
  readonly lessons: readonly Lesson[];
  readonly past: readonly AuditCall[];
  readonly toProjectId: ToProjectId;
}

/** A lesson fires too often if it fires on more than this share of all calls, or mostly on calls that worked. */
const MAX_SHARE = 0.01;
export const MIN_FALSE_ALARMS = 3;

export function auditLessons({ findings, lessons, past: all, toProjectId }: AuditInput): Audit {
  const past = all.filter(({ isBlank }) => isBlank !== true);
  const count = (isWanted: (lesson: Lesson) => boolean): number => lessons.filter(isWanted).length;
  const dropped = findings.filter(({ verdict }) => verdict === 'dropped');
  const held = findings.filter(({ reason }) => reason.startsWith(HELD_BACK));
  const tried = lessons
    .filter(({ status }) => status !== 'archived')
    .map((lesson) => {
      const own = toOwnCalls(lesson, findings);
      return toAudited(
        lesson,
        listFired(lesson, past, toProjectId).filter(({ key }) => !own.has(key)),
      );
    });
  return {
    candidates: findings.length,
    becameLessons: findings.filter(({ verdict }) => verdict === 'new' || verdict === 'draft').length,
    merged: findings.filter(({ verdict }) => verdict === 'merged').length,
    dropped: dropped.length,
    droppedByReason: countBy(dropped.map(({ reason }) => toReasonKind(reason))),
    heldBack: held.length,
    heldBackByReason: countBy(held.flatMap(toHeldReasons)),
    lessons: lessons.length,
    active: count(({ status }) => status === 'active'),
    drafts: count(({ status }) => status === 'draft'),
    archived: count(({ status }) => status === 'archived'),
    needReview: count(({ needsReview }) => needsReview),
    duplicates: findDuplicates(lessons),
    pastCalls: past.length,
    neverFire: tried.filter(({ fires }) => fires === 0),
    fireTooOften: tried.filter((one) => isTooOften(one, past.length)),
    tried,
  };
}

function toAudited(lesson: Lesson, fired: readonly AuditCall[]): AuditedLesson {
  const { id, slug, status } = lesson;
  const hits = fired.filter((one) => isHit(lesson, one)).length;
  return { id, slug, status, fires: fired.length, hits, successes: fired.filter(hasWorked).length };
}

/** Whether a call on which a lesson fires failed as the lesson says. A lesson that a person wrote names no failure. */
export function isHit({ signatureId }: Lesson, { outcome, signatureId: found }: AuditCall): boolean {
  return outcome === 'failure' && (signatureId === undefined || signatureId === found);
}

/** The past calls in the scope of a lesson on which it fires. */
export function listFired(
  { scope, triggers }: Lesson,
  past: readonly AuditCall[],
  toProjectId: ToProjectId,
): readonly AuditCall[] {
  return past.filter(
    ({ call }) => isInScope(scope, call, toProjectId) && judgeTriggers(triggers, call, { callOnly: true }).holds,
  );
}

function isTooOften({ fires, hits, successes }: AuditedLesson, calls: number): boolean {
  return (successes >= MIN_FALSE_ALARMS && successes > hits) || (fires > MIN_FALSE_ALARMS && fires > calls * MAX_SHARE);
}

/** The call that it was learned from first does not show whether it fires again; calls merged into it later do. */
function toOwnCalls({ id }: Lesson, findings: readonly ListedFinding[]): ReadonlySet<string> {
  const own = findings.filter(({ lessonId, verdict }) => lessonId === id && verdict !== 'merged');
  return new Set(
    own.map(({ agent, sessionId, failingCallId }) => toCallKey({ agent, sessionId, callId: failingCallId })),
  );
}

function findDuplicates(lessons: readonly Lesson[]): Audit['duplicates'] {
  const open = lessons.filter(({ status }) => status !== 'archived');
  const groups = [
    ...Map.groupBy(open, ({ triggers }) => JSON.stringify(triggers)).values(),
    ...Map.groupBy(open, ({ summary }) => summary).values(),
  ];
  const several = groups.filter((group) => group.length > 1).map((group) => group.map(({ slug }) => slug).sort());
  return [...new Map(several.map((slugs) => [slugs.join(' '), { slugs }])).values()];
}

/** One finding may have several reasons; the result of the back-test follows them. */
function toHeldReasons({ reason }: ListedFinding): readonly string[] {
  return (reason.slice(HELD_BACK.length).split('; ', 1)[0] ?? '').split(', ');
}

/** The reason without its numbers, so that reasons that differ only in a count are grouped. */
function toReasonKind(reason: string): string {
  return reason.replace(/\d+/g, 'n');
}

function countBy(keys: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}

/** Longer than almost every session lasts. */
const DAY_MS = 24 * 60 * 60_000;

/**
 * Stored calls as triggers see them, oldest first, with what their sessions had done before. The store has only the
 * beginning of a command, no written text, and nothing of a call whose text was removed. `isWhole`: these are all
 * stored calls. Otherwise the first listed call of a session may not be its first call.
 */
export function toAuditCalls(stored: readonly StoredCall[], isWhole: boolean): readonly AuditCall[] {
  const sessions = new Map<string, Session>();
  const edgeMs = isWhole ? Number.NEGATIVE_INFINITY : Date.parse(stored[0]?.occurredAt ?? '') + DAY_MS;
  return stored.map((one) => {
    const key = toSessionKey(one);
    const session = sessions.get(key) ?? {
      done: [],
      unknownFrom: Date.parse(one.occurredAt) < edgeMs ? 0 : Number.POSITIVE_INFINITY,
    };
    sessions.set(key, session);
    const call = toAuditCall(one, makeAskSession(session));
    addDone(session, one);
    return call;
  });
}

interface Session {
  /** What its successful calls did. */
  readonly done: CompletedWork[];
  /** From this many entries on, the session may have done something that is not recorded. */
  unknownFrom: number;
}

/** The past of the session at the time of the call. */
function makeAskSession({ done, unknownFrom }: Session): AskSession {
  const count = done.length;
  return ({ meant }) => {
    for (let n = 0; n < count; n++) if (isConditionMet(meant, done[n] ?? { commands: [] })) return true;
    return count >= unknownFrom ? undefined : false;
  };
}

function addDone(session: Session, call: StoredCall): void {
  if (!hasWorked(call)) return;
  if (call.tool === 'shell' && call.inputSummary === undefined)
    session.unknownFrom = Math.min(session.unknownFrom, session.done.length);
  session.done.push(toCompletedWork(call));
}

function toAuditCall(stored: StoredCall, past: AskSession): AuditCall {
  const { tool, inputSummary = '', targetPath, outcome, signature } = stored;
  const call = toRecordedView(stored, past);
  const isBlank = stored.inputSummary === undefined && (tool === 'shell' || targetPath === undefined);
  const isCut = tool === 'shell' && inputSummary.length >= INPUT_SUMMARY_CHARS - 1;
  return { key: toCallKey(stored), call, outcome, signatureId: signature?.id, isBlank, isCut };
}

/**
 * Path triggers of a project's lessons that match no file of its repository: the file was moved, or the glob was mistyped,
 * and the lesson will never fire. A lesson that was learned from a missing file is right about that and not listed.
 */
export interface UnmatchedPath {
  readonly slug: string;
  readonly path: string;
  /** The folder that was searched. */
  readonly root: string;
}

const MAX_FILES = 100_000;
const GIT_MS = 10_000;

/** `here`: the project of the current folder, which the store knows only once a session was captured in it. */
export async function listUnmatchedPaths(
  store: Store,
  here: Pick<Project, 'id' | 'root'>,
): Promise<readonly UnmatchedPath[]> {
  const lessons = (await store.listLessons()).filter(hasOwnPaths);
  if (lessons.length === 0) return [];
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const byProject = Map.groupBy(lessons, ({ scope }) => toProjectId(scope.id ?? ''));
  const projects = [...(await store.listProjects()), here];
  const roots = new Map(projects.map(({ id, root }) => [toProjectId(id), root]));
  return [...byProject].flatMap(([id, some]) => {
    const root = roots.get(id);
    const files = root === undefined ? undefined : findFiles(root);
    return root === undefined || files === undefined ? [] : some.flatMap((lesson) => listDead(lesson, root, files));
  });
}

function hasOwnPaths({ scope, status, triggers, origin }: Lesson): boolean {
  const isOpen = status !== 'archived' && scope.kind === 'project';
  return isOpen && triggers.paths !== undefined && !(origin.kind === 'episode' && origin.trust === 'observed');
}

/** Paths that begin with `~/` are outside of every repository, so they are skipped. */
function listDead({ slug, triggers }: Lesson, root: string, files: readonly string[]): readonly UnmatchedPath[] {
  const isDead = (glob: string): boolean => {
    const regex = toGlobRegex(glob);
    return !files.some((file) => testRegex(regex, file));
  };
  const own = (triggers.paths ?? []).filter((glob) => !/^(?:\.\/)*~\//.test(glob));
  return own.filter(isDead).map((path) => ({ slug, path, root }));
}

/** Absolute paths, as calls name them. Undefined if the folder is gone or too large to search. */
function findFiles(root: string): readonly string[] | undefined {
  if (!(statSync(root, { throwIfNoEntry: false })?.isDirectory() ?? false)) return undefined;
  return listOfGit(root) ?? walk(root);
}

function listOfGit(root: string): readonly string[] | undefined {
  const { status, stdout } = askGit(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], GIT_MS);
  if (status !== 0) return undefined;
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => join(root, file));
}

const SKIPPED = new Set(['.git', 'node_modules', '.venv', 'target', 'dist', 'build']);

function walk(root: string): readonly string[] | undefined {
  const files: string[] = [];
  const open = [root];
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    for (const entry of readEntries(dir)) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) open.push(join(dir, entry.name));
      if (entry.isFile()) files.push(join(dir, entry.name));
    }
    if (files.length > MAX_FILES) return undefined;
  }
  return files;
}

function readEntries(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
