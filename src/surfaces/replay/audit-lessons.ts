/** The junk report: what was seen and kept, and how the lessons would have spoken over a past. */
import type { ListedFinding } from '../../base/kept-finding.ts';
import type { Lesson } from '../../base/lesson.ts';
import { HELD_BACK } from '../../distill/lesson/gate-lesson.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import type { MatchCall } from '../../match/match-call.ts';

/** A call that a lesson is tried on. */
export interface AuditCall {
  readonly key: string;
  readonly call: MatchCall;
  readonly outcome: string;
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
  /** Calls of the past it would have spoken at, those it was learned from apart. */
  readonly fires: number;
  /** Of them, failures of its own kind. */
  readonly hits: number;
  readonly successes: number;
}

export interface Audit {
  /** What detectors saw. */
  readonly candidates: number;
  readonly becameLessons: number;
  readonly merged: number;
  readonly dropped: number;
  readonly droppedByReason: Readonly<Record<string, number>>;
  /** What waits for a person whatever the back-test says, and why. */
  readonly heldBack: number;
  readonly heldBackByReason: Readonly<Record<string, number>>;
  readonly lessons: number;
  readonly active: number;
  readonly drafts: number;
  readonly archived: number;
  readonly needReview: number;
  /** Lessons that say what another says, or speak at the same calls. */
  readonly duplicates: readonly { readonly slugs: readonly string[] }[];
  readonly pastCalls: number;
  readonly neverFire: readonly AuditedLesson[];
  readonly fireTooOften: readonly AuditedLesson[];
  readonly tried: readonly AuditedLesson[];
}

export interface AuditInput {
  readonly findings: readonly ListedFinding[];
  readonly lessons: readonly Lesson[];
  readonly past: readonly AuditCall[];
}

/** Spoken at more of all calls than this, or mostly at calls that worked. */
const MAX_SHARE = 0.01;
const MIN_FALSE_ALARMS = 3;

export function auditLessons({ findings, lessons, past: all }: AuditInput): Audit {
  const past = all.filter(({ isBlank }) => isBlank !== true);
  const count = (isWanted: (lesson: Lesson) => boolean): number => lessons.filter(isWanted).length;
  const dropped = findings.filter(({ verdict }) => verdict === 'dropped');
  const held = findings.filter(({ reason }) => reason.startsWith(HELD_BACK));
  const tried = lessons
    .filter(({ status }) => status !== 'archived')
    .map((lesson) => tryLesson(lesson, past, toOwnCalls(lesson, findings)));
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

function tryLesson(lesson: Lesson, past: readonly AuditCall[], own: ReadonlySet<string>): AuditedLesson {
  const { id, slug, status, signatureId } = lesson;
  const spoken = listSpoken(lesson, past).filter(({ key }) => !own.has(key));
  return {
    ...{ id, slug, status, fires: spoken.length },
    hits: spoken.filter((one) => one.outcome === 'failure' && one.signatureId === signatureId).length,
    successes: spoken.filter(({ outcome }) => outcome === 'success' || outcome === 'partial').length,
  };
}

/** The calls of a past at which a lesson speaks, where it speaks at all. */
export function listSpoken({ scope, triggers }: Lesson, past: readonly AuditCall[]): readonly AuditCall[] {
  const regexes = toPathRegexes(triggers);
  const isHere = ({ call }: AuditCall): boolean => scope.kind !== 'project' || scope.id === call.projectId;
  return past.filter((one) => isHere(one) && checkTriggers(triggers, regexes, one.call, { callOnly: true }).holds);
}

function isTooOften({ fires, hits, successes }: AuditedLesson, calls: number): boolean {
  return (successes >= MIN_FALSE_ALARMS && successes > hits) || (fires > MIN_FALSE_ALARMS && fires > calls * MAX_SHARE);
}

/** What it was learned from first says nothing about whether it speaks again; what was merged into it does. */
function toOwnCalls({ id }: Lesson, findings: readonly ListedFinding[]): ReadonlySet<string> {
  const own = findings.filter(({ lessonId, verdict }) => lessonId === id && verdict !== 'merged');
  return new Set(
    own.map(({ agent, sessionId, failingCallId }) => toAuditKey({ agent, sessionId, callId: failingCallId })),
  );
}

export function toAuditKey(call: {
  readonly agent: string;
  readonly sessionId: string;
  readonly callId: string;
}): string {
  return `${call.agent}\n${call.sessionId}\n${call.callId}`;
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

/** One finding may have several; what the back-test said follows behind. */
function toHeldReasons({ reason }: ListedFinding): readonly string[] {
  return (reason.slice(HELD_BACK.length).split('; ', 1)[0] ?? '').split(', ');
}

/** Without its numbers: reasons that differ in a count only are one. */
function toReasonKind(reason: string): string {
  return reason.replace(/\d+/g, 'n');
}

function countBy(keys: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}
