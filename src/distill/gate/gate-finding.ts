/**
 * The back-test before trust: a new trigger is replayed over the user's own past calls. Pure: what a trigger
 * means is for the matcher to say, and is passed in.
 */

import { hasWorked, type Outcome } from '../../base/model/event.ts';
import type { Finding } from '../../base/model/finding.ts';
import { HELD_BACK, type Lesson } from '../../base/model/lesson.ts';
import { findWilsonInterval } from '../../base/statistics/estimates.ts';
import type { RecordedCall } from '../../base/triggers/call-view.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { listUnstored } from '../../base/triggers/trigger-parts.ts';
import { LOST_PATH, NOT_THERE, REPAIRED, UNMENDED } from '../text/edit-text.ts';
import { contradicts, findAbsentPath } from './contradicts.ts';

/** A call of the past. Only calls that are still in memory have more than the store keeps. */
export interface PastCall extends RecordedCall {
  readonly callId: string;
  readonly sessionId?: string;
  readonly outcome: Outcome;
  readonly signatureId?: string | undefined;
  /** The cause line of a failure. */
  readonly message?: string | undefined;
}

export interface Gate {
  readonly verdict: 'active' | 'draft' | 'dropped';
  /** Past failures of this kind that it would have fired about. */
  readonly hits: number;
  /** Past successes that it would have fired about. */
  readonly falseAlarms: number;
  readonly reason: string;
}

/**
 * The share of hits that a trigger needs among the calls that it fires on (Wilson, 95 %). If the lower end of the interval
 * reaches it, the lesson is active: 1 hit and no false alarm give 0.206, so a lesson may start from one failure. If even
 * the upper end is below it, the trigger is dropped. In between, the lesson is a draft.
 */
const MIN_SHARE = 0.2;
/** A mistake without a known fix becomes a lesson when it has failed this often, unless the program names the wrong word. */
const AGAIN = 2;
/** Kinds of findings that may lack a fixing call. */
const MAY_LACK_FIX: ReadonlySet<Finding['kind']> = new Set(['wrong-path', 'wrong-tool-use', 'corrected-command']);
/** Kinds of findings that rest on the words of a user. */
const SAID: ReadonlySet<Finding['kind']> = new Set(['refused-by-user', 'corrected-by-user']);
/** Working calls of its program that a trigger must not fire on, before it is trusted after one failure. */
const ENOUGH_CALLS = 5;

/** `isSure`: only commands whose exit code the line does not hide. */
type Holds = (triggers: Triggers, call: PastCall, isSure?: boolean) => boolean;

/** `past` holds the finding's own failing and fixing call too, known by their ids. */
export function gateFinding(finding: Finding, past: readonly PastCall[], holds: Holds): Gate {
  if (finding.episodeOnly !== undefined) return drop(finding.episodeOnly);
  const gate = replay(finding, past, holds);
  const caution = finding.caution ?? (finding.trust === 'foreign' ? 'its words are not from calls' : undefined);
  if (caution === undefined || gate.verdict === 'dropped') return gate;
  return { ...gate, verdict: 'draft', reason: `${HELD_BACK}${caution}; ${gate.reason}` };
}

function replay(finding: Finding, past: readonly PastCall[], holds: Holds): Gate {
  const decided = decideWithoutCalls(finding);
  if (decided !== undefined) return decided;
  if (isUnmended(finding)) return judgeUnmended(finding, past, holds);
  const failing = past.find((call) => call.callId === finding.failingCallId);
  const fixing = past.find((call) => call.callId === finding.fixingCallId);
  if (isTested(finding)) {
    if (failing !== undefined && !holds(finding.triggers, failing)) return drop('does not fire on its own mistake');
    const isOther = fixing !== undefined && fixing !== failing && !needsEarlierCall(finding);
    if (isOther && holds(finding.triggers, fixing)) return drop('fires on its own fix');
  }
  // A person confirms what a user said: that other calls worked says nothing about it.
  if (SAID.has(finding.kind)) return toDraft(failing === undefined ? 0 : 1, 'the user said it');
  if (finding.kind === 'proposed') return judgeProposed(finding, past, failing !== undefined, holds);
  if (!isTested(finding)) return judgeUntestable(finding);
  return judgeSeen(finding, past, failing !== undefined && fixing !== undefined, holds);
}

/** The call is right once another call has run, and past calls do not show which had. */
function needsEarlierCall({ triggers }: Finding): boolean {
  return triggers.session !== undefined;
}

/** `isStored`: the calls that the finding came from are. */
function judgeSeen(finding: Finding, past: readonly PastCall[], isStored: boolean, holds: Holds): Gate {
  const { hits, falseAlarms, low, high, counts } = countFired(finding, past, holds);
  if (isRepair(finding) && falseAlarms > 0)
    return { ...drop(`a call of this form worked: ${counts}`), hits, falseAlarms };
  // What has to run before is for a person to confirm: that other calls worked says nothing.
  if (high < MIN_SHARE && !needsEarlierCall(finding))
    return { ...drop(`fires on calls that worked: ${counts}`), hits, falseAlarms };
  if (!isStored)
    return { verdict: 'draft', hits, falseAlarms, reason: `the calls it came from are not stored; ${counts}` };
  const isSeen = hits >= (isRepair(finding) || isEnvironment(finding) ? AGAIN : 1);
  const isTrusted = low >= MIN_SHARE && falseAlarms <= hits && isSeen && !needsEarlierCall(finding);
  return { verdict: isTrusted ? 'active' : 'draft', hits, falseAlarms, reason: counts };
}

/** Can past calls show whether the trigger holds? What words propose is tested as far as the calls in memory show it. */
function isTested({ kind, triggers }: Finding): boolean {
  return SAID.has(kind) || kind === 'proposed' || listUnstored(triggers).length === 0;
}

/** The verdict on a finding that no past call can confirm or refute. */
function decideWithoutCalls(finding: Finding): Gate | undefined {
  if (finding.kind === 'code-edit') return drop('fixed by changing code, not the command');
  if (finding.triggers.failure === true && finding.remediation.trim() === '')
    return drop('only the output of a tool names its fix');
  if (finding.triggers.failure === true)
    return { verdict: 'active', hits: 1, falseAlarms: 0, reason: 'it is shown only with the same error' };
  // Words alone have no calls of their own that could be replayed. What a call shows has, whoever's words tell it.
  if (finding.trust === 'foreign' && finding.steps === 0 && !isUnmended(finding))
    return toDraft(0, 'no call shows it, only words');
  if (finding.scope !== 'session') return undefined;
  if (isUnmended(finding)) return drop('no fix is known yet');
  return { verdict: 'active', hits: 1, falseAlarms: 0, reason: 'it fires only in its own session' };
}

/**
 * Learned by comparing two calls: no word of the error names the mistake. It needs a second failure, and no working
 * call of its form.
 */
function isRepair({ tags }: Finding): boolean {
  return tags.includes(REPAIRED);
}

/**
 * Past calls record neither the folder nor the tool's input. A trigger on a folder or a file is narrow enough by itself;
 * a trigger on input alone waits for a second session.
 */
function judgeUntestable({ signals, triggers }: Finding): Gate {
  const isPlace = triggers.directory !== undefined || triggers.paths !== undefined;
  const reason = 'tested only on the calls it came from, because past calls are stored without folder and tool input';
  return { ...toDraft(1, reason), verdict: isPlace && signals.includes('fix-confirmed') ? 'active' : 'draft' };
}

/**
 * A model has read one or a few failures, and its trigger is only as good as its contrast: calls of the same program that
 * worked. With too few of them nobody knows.
 */
function judgeProposed(finding: Finding, past: readonly PastCall[], isStored: boolean, holds: Holds): Gate {
  const { hits, falseAlarms, low, counts } = countFired(finding, past, holds);
  if (falseAlarms > hits) return { ...drop(`fires on calls that worked: ${counts}`), hits, falseAlarms };
  const known = countWorking(finding, past, holds);
  // A mistake that another session made again, at no call that worked, needs no other calls. One session may just retry.
  const sessions = countSessions(finding, past, holds);
  const isContrasted = known >= ENOUGH_CALLS || (sessions >= AGAIN && falseAlarms === 0);
  const isTrusted = isStored && low >= MIN_SHARE && isContrasted && !needsEarlierCall(finding);
  return { verdict: isTrusted ? 'active' : 'draft', hits, falseAlarms, reason: toContrast(counts, known) };
}

/** Every call of the programs, or of the tools, that a trigger names. */
export function toWholeProgram({ tools, programs }: Triggers): Triggers {
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(programs === undefined ? {} : { programs: programs.map(({ name }) => ({ name })) }),
  };
}

/** Does the call have all data that the trigger asks about? Some of it only calls in memory have. */
function isTestable(call: PastCall, triggers: Triggers): boolean {
  return listUnstored(triggers).every(
    ({ row: { inMemory } }) => inMemory !== undefined && call[inMemory] !== undefined,
  );
}

function countFired(finding: Finding, past: readonly PastCall[], holds: Holds) {
  const fired = past.filter((call) => holds(finding.triggers, call));
  const hits = fired.filter((call) => isHit(call, finding)).length;
  const falseAlarms = fired.filter((call) => isFalseAlarm(call, finding, holds)).length;
  const [low, high] = findWilsonInterval(hits, hits + falseAlarms) ?? [0, 1];
  const fires = `fires on ${toCount(hits, 'past failure')} and ${toCount(falseAlarms, 'working call')}`;
  const counts = `${fires} (right ${hits} of ${hits + falseAlarms} times; the true rate may be as low as ${Math.round(low * 100)} %)`;
  return { hits, falseAlarms, low, high, counts };
}

/** A failure that no call mended. What a person said has no calls to mend it, and is judged elsewhere. */
function isUnmended({ failingCallId, fixingCallId, kind }: Finding): boolean {
  return failingCallId === fixingCallId && MAY_LACK_FIX.has(kind);
}

/**
 * Without a fix, the lesson only says that the call fails. So the call must have failed before and never have worked; if
 * the program rejects an option by name, which can be left out, one failure is enough where its other calls work.
 * The store keeps no folders of past calls, so a call that worked in any folder refutes the lesson.
 */
function judgeUnmended(finding: Finding, past: readonly PastCall[], holds: Holds): Gate {
  const { directory: _, ...anywhere } = finding.triggers;
  // What is called missing may have been there before.
  const since = past.slice(past.findLastIndex((call) => contradicts(finding, call)) + 1);
  const { hits, falseAlarms, counts } = countFired({ ...finding, triggers: anywhere }, since, holds);
  if ((hits < AGAIN && !finding.tags.includes(UNMENDED)) || falseAlarms > 0)
    return { ...drop(`no fix is known: ${counts}`), hits, falseAlarms };
  const seen = isVague(finding) ? countSessions({ ...finding, triggers: anywhere }, since, holds) : hits;
  if (seen >= AGAIN) return { verdict: 'active', hits, falseAlarms, reason: counts };
  const known = countWorking(finding, past, holds);
  const isTrusted = known >= ENOUGH_CALLS && !isVague(finding);
  return { verdict: isTrusted ? 'active' : 'draft', hits, falseAlarms, reason: toContrast(counts, known) };
}

/** What to do in the place of a command or a program that is not there, only another session can show. */
function isVague({ tags }: Finding): boolean {
  return tags.some((tag) => NOT_THERE.includes(tag));
}

/** Sessions in which a call failed that the trigger fires on. */
function countSessions(finding: Finding, past: readonly PastCall[], holds: Holds): number {
  const hits = past.filter((call) => isHit(call, finding) && holds(finding.triggers, call));
  return new Set(hits.map(({ sessionId }) => sessionId)).size;
}

/** Working calls of the programs that a trigger names. */
function countWorking({ triggers }: Finding, past: readonly PastCall[], holds: Holds): number {
  const program = toWholeProgram(triggers);
  return past.filter((call) => hasWorked(call) && isTestable(call, triggers) && holds(program, call, true)).length;
}

function toContrast(counts: string, known: number): string {
  return `${counts}; ${toCount(known, 'working call')} of its program to compare with`;
}

function isHit(call: PastCall, finding: Finding): boolean {
  // What the user refused never ran.
  if (call.callId === finding.failingCallId) return true;
  // Each tool says in its own words that a path is not there.
  const isSame = call.signatureId === finding.signature.id || findAbsentPath(finding) !== undefined;
  return call.outcome === 'failure' && isSame;
}

/**
 * Of a command before a pipe nobody knows whether it worked. What the environment lacks shows there, too: such a trigger is
 * as wide as the program, and most of its calls are piped.
 */
function isFalseAlarm(call: PastCall, finding: Finding, holds: Holds): boolean {
  const { triggers, failingCallId, fixingCallId } = finding;
  if (call.callId === failingCallId || call.callId === fixingCallId) return false;
  const isSure = !isEnvironment(finding);
  return hasWorked(call) && holds(triggers, call, isSure);
}

/** No word of the command is wrong: something has to be set beside it. */
function isEnvironment({ kind, triggers, tags }: Finding): boolean {
  return (kind === 'missing-precondition' && triggers.session === undefined) || tags.includes(LOST_PATH);
}

function drop(reason: string): Gate {
  return { ...toDraft(0, reason), verdict: 'dropped' };
}

function toDraft(hits: number, reason: string): Gate {
  return { verdict: 'draft', hits, falseAlarms: 0, reason };
}

function toCount(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

/**
 * The mistake was seen again, and the trigger tried on the calls since: it would have been wrong more often than right. A
 * lesson that was learned from one pair of calls, when there was nothing else to try it on, then waits for a person.
 * Undefined where it may go on: what a person reviewed, or what deliveries have measured, is decided there.
 */
export function doubtLesson(
  lesson: Lesson,
  { triggers }: Pick<Finding, 'triggers'>,
  { hits = 0, falseAlarms = 0 }: Partial<Pick<Gate, 'hits' | 'falseAlarms'>>,
  at: string,
): Lesson | undefined {
  const isOwn = lesson.status === 'active' && lesson.origin.kind === 'episode' && lesson.reviewedBy === undefined;
  const isSame = JSON.stringify(lesson.triggers) === JSON.stringify(triggers);
  if (!isOwn || !isSame || lesson.measure !== undefined || falseAlarms <= hits) return undefined;
  return { ...lesson, status: 'draft', needsReview: true, tested: { hits, falseAlarms }, updatedAt: at };
}
