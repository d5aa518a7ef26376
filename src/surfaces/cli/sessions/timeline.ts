/**
 * The timeline of one session for a person or a program: agent, project, and the calls, hook runs and delivered
 * lessons of the session and its sub-agents in time order.
 */

import type { StoredCall } from '../../../base/model/call.ts';
import { type Delivery, isOfFailure } from '../../../base/model/delivery.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { isHookRun } from '../../../base/model/tool.ts';
import { compareTexts, dropAbsent } from '../../../base/records.ts';
import type { CallCounts, SessionSummary } from '../../../base/statistics/history.ts';
import { renderTextRemoval } from '../../../base/storage/retention.ts';
import { toCount, toLine, toMinute, toPathLine } from '../text.ts';

export interface SessionReport {
  readonly session: SessionSummary & { readonly projectName?: string };
  /** Runs of sub-agents that have a session id of their own. */
  readonly children: readonly SessionSummary[];
  /** How many calls there are, and the first and the most that were asked for. */
  readonly total: number;
  readonly from: number;
  readonly limit: number;
  readonly onlyFailures: boolean;
  /** The value of `--from` for the next page; null on the last one. */
  readonly next: number | null;
  readonly timeline: readonly TimelineEntry[];
}

type TimelineEntry = CallEntry | HookEntry | ShownEntry;

interface Place {
  readonly at: string;
  readonly sessionId: string;
  /** A sub-agent; empty in the main conversation. */
  readonly contextId: string;
  /** How deep among sub-agents. */
  readonly depth: number;
}

type CallFacts = Readonly<ReturnType<typeof toFacts>>;

interface CallEntry extends Place, CallFacts {
  readonly kind: 'call';
  /** From 1, in the order of time, through the whole session. */
  readonly n: number;
  /** The lessons delivered at this call. */
  readonly told: readonly ShownLesson[];
}

/** A run of a user's hook that the agent recorded. */
interface HookEntry extends Place, CallFacts {
  readonly kind: 'hook';
}

/** A lesson that was shown at no call we know: at the session's start, or at a call that is not kept. */
interface ShownEntry extends Place, ShownLesson {
  readonly kind: 'told';
}

interface ShownLesson {
  /** The slug; of a known fix, its id. */
  readonly lesson: string;
  /** Absent where the lesson is gone. */
  readonly summary?: string;
  readonly mode: Delivery['mode'];
  readonly arm: Delivery['arm'];
  /** How it was judged; absent until then. */
  readonly judged?: NonNullable<Delivery['outcome']>;
}

interface TimelineParts {
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly Delivery[];
  readonly lessons: ReadonlyMap<string, Lesson>;
  /** Depth of a sub-agent's session below the shown session. */
  readonly depths: ReadonlyMap<string, number>;
}

/** Calls, hook runs and lessons of a session and its sub-agents, in the order of time. */
export function toTimeline(parts: TimelineParts): readonly TimelineEntry[] {
  const byCall = Map.groupBy(parts.deliveries, toKey);
  const known = new Set(parts.calls.map(toKey));
  const strays = parts.deliveries.filter((delivery) => !known.has(toKey(delivery)));
  const toDepth = ({ sessionId, contextId }: { sessionId: string; contextId: string }): number =>
    (parts.depths.get(sessionId) ?? 0) + (contextId === '' ? 0 : 1);
  let n = 0;
  const calls = parts.calls
    .toSorted((a, b) => compareTexts(a.occurredAt, b.occurredAt) || compareTexts(a.id, b.id))
    .map((call): CallEntry | HookEntry => {
      const facts = { ...toFacts(call), depth: toDepth(call) };
      if (isHookRun(call)) return { kind: 'hook', ...facts };
      return {
        kind: 'call',
        n: ++n,
        ...facts,
        told: (byCall.get(toKey(call)) ?? []).map((one) => toShownLesson(one, parts)),
      };
    });
  const others = strays.map((one): ShownEntry => {
    const { deliveredAt: at, sessionId, contextId } = one;
    return { kind: 'told', at, sessionId, contextId, depth: toDepth(one), ...toShownLesson(one, parts) };
  });
  // The sort is stable: at the same time, a delivery comes before its call.
  return [...others, ...calls].toSorted((a, b) => compareTexts(a.at, b.at));
}

/** One page of a timeline. Hook runs and lessons at no call are on the page of the call after them, or on the last page. */
export function toTimelinePage(
  timeline: readonly TimelineEntry[],
  { from, limit, onlyFailures }: Pick<SessionReport, 'from' | 'limit' | 'onlyFailures'>,
): Pick<SessionReport, 'next' | 'timeline'> {
  const wanted = onlyFailures ? timeline.filter(isFailure) : timeline;
  let left = limit;
  let waiting: TimelineEntry[] = [];
  const page: TimelineEntry[] = [];
  for (const entry of wanted) {
    waiting.push(entry);
    if (entry.kind !== 'call') continue;
    if (entry.n >= from && left === 0) return { next: entry.n, timeline: page };
    if (entry.n >= from) {
      page.push(...waiting);
      left--;
    }
    waiting = [];
  }
  return { next: null, timeline: [...page, ...waiting] };
}

function isFailure(entry: TimelineEntry): boolean {
  return entry.kind !== 'told' && entry.outcome === 'failure';
}

/** The facts of a call; its `input` is the beginning of it, `textRemoved` is why retention removed its text. */
function toFacts(call: StoredCall) {
  const { callId, sessionId, contextId, tool, rawTool, outcome, outcomeType, masked } = call;
  const facts = { at: call.occurredAt, sessionId, contextId, callId, tool, rawTool, outcome, outcomeType, masked };
  return {
    ...facts,
    ...dropAbsent({
      exitCode: call.exitCode,
      message: call.message,
      signature: call.signature?.id,
      program: call.program,
      targetPath: call.targetPath,
      input: call.inputSummary,
      textRemoved: call.textRemoved,
      durationMs: call.durationMs,
      durationSource: call.durationSource,
    }),
  };
}

const OF_FAILURE: Readonly<Partial<Record<Delivery['kind'], string>>> = {
  failure: 'known fix of this failure',
  memory: 'this call failed before',
};

function toShownLesson({ kind, lessonId, mode, arm, outcome }: Delivery, { lessons }: TimelineParts): ShownLesson {
  const lesson = lessons.get(lessonId);
  const summary = isOfFailure({ kind }) ? OF_FAILURE[kind] : lesson?.summary;
  return {
    lesson: lesson?.slug ?? lessonId,
    ...dropAbsent({ summary }),
    mode,
    arm,
    ...dropAbsent({ judged: outcome }),
  };
}

function toKey({ agent, sessionId, callId }: { agent: string; sessionId: string; callId: string }): string {
  return JSON.stringify([agent, sessionId, callId]);
}

/** `  12  10:04:05  FAILED 127  12.3 s  `: what stands before a call. */
const CALL_COLUMN = 37;
const NOTE_COLUMN = 6;

export function renderSession(report: SessionReport, columns = Number.POSITIVE_INFINITY): string {
  return [
    renderHead(report),
    '',
    ...renderTimeline(report, columns),
    ...renderRemoved(report),
    ...renderEnd(report),
  ].join('\n');
}

function renderHead({ session, children, total }: SessionReport): string {
  const { agent, sessionId, projectName, projectId } = session;
  const sum = (field: keyof CallCounts): number => [session, ...children].reduce((all, one) => all + one[field], 0);
  const parts = [
    `${sum('failures')} failed`,
    ...(['masked', 'denied', 'cancelled'] as const).map((one) => `${sum(one)} ${one}`),
  ];
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['project', projectName === undefined ? projectId : `${projectName} (${projectId})`],
    ['folder', session.cwd],
    ['branch', session.branch],
    ['model', session.model],
    ['version', session.agentVersion],
    ['part of', session.parentSessionId],
    ['started', `${toSecond(session.startedAt)} UTC`],
    ['calls', `${total}: ${parts.join(', ')}`],
    ['sub-agents', children.length === 0 ? undefined : `${children.length} with a session of their own`],
  ];
  const known = rows.flatMap(([name, value]) => (value ? [`  ${name.padEnd(10)}  ${toLine(value)}`] : []));
  return [`${agent} session ${toLine(sessionId)}`, ...known].join('\n');
}

function renderTimeline({ session, timeline, onlyFailures, from }: SessionReport, columns: number): readonly string[] {
  if (timeline.length === 0) {
    const what = onlyFailures ? 'failures' : 'calls';
    return [from === 1 ? `No ${what} of it are recorded.` : `No ${what} from number ${from} on.`];
  }
  let day = session.startedAt.slice(0, 10);
  let context = '';
  return timeline.flatMap((entry) => {
    const lines: string[] = [];
    if (entry.at.slice(0, 10) !== day) lines.push(`-- ${entry.at.slice(0, 10)}`);
    day = entry.at.slice(0, 10);
    const where = toContext(entry, session.sessionId);
    if (where !== context && where !== '') lines.push(`${toIndent(entry, NOTE_COLUMN)}sub-agent ${toLine(where)}`);
    if (where === '' && context !== '') lines.push(`${' '.repeat(NOTE_COLUMN)}main conversation`);
    context = where;
    return [...lines, ...renderEntry(entry, session.cwd, columns)];
  });
}

function toContext({ sessionId, contextId }: TimelineEntry, root: string): string {
  return [...(sessionId === root ? [] : [sessionId]), ...(contextId === '' ? [] : [contextId])].join(' ');
}

function renderEntry(entry: TimelineEntry, folder: string | undefined, columns: number): readonly string[] {
  if (entry.kind === 'told') return [`${toIndent(entry, NOTE_COLUMN)}${toTime(entry.at)}  ${renderShown(entry)}`];
  const room = columns - CALL_COLUMN - 2 * entry.depth;
  const { text, isWhole } = toCallText(entry, folder, room);
  const isFailure = entry.outcome === 'failure';
  const line = `${renderStart(entry)}${' '.repeat(2 * entry.depth)}${text}`;
  const notes = [
    // What failed is worth reading whole.
    ...(isFailure && !isWhole ? [`${entry.tool === 'shell' ? 'ran' : 'with'}: ${toWhat(entry) ?? text}`] : []),
    ...(isFailure && entry.message !== undefined ? [`said: ${entry.message}`] : []),
    ...(entry.kind === 'call' ? entry.told.map(renderShown) : []),
  ];
  // In a pipe, a call is one line, whatever is known about it.
  if (columns === Number.POSITIVE_INFINITY) return [[line, ...notes.map((note) => toLine(note))].join('  ')];
  return [line, ...notes.map((note) => `${toIndent(entry, NOTE_COLUMN)}${toLine(note)}`)];
}

function renderStart(entry: CallEntry | HookEntry): string {
  const n = entry.kind === 'call' ? String(entry.n) : '';
  return `${n.padStart(4)}  ${toTime(entry.at)}  ${toOutcome(entry).padEnd(11)}  ${toDuration(entry).padStart(6)}  `;
}

const OUTCOMES = { success: 'ok', partial: 'ok, warned', cancelled: 'cancelled', denied: 'denied' } as const;

function toOutcome({ outcome, outcomeType, masked, exitCode }: CallEntry | HookEntry): string {
  // The session died, or a script did not print how its command ended.
  if (outcomeType === 'no-end') return 'unknown';
  if (outcome !== 'failure') return OUTCOMES[outcome];
  if (masked) return 'masked';
  return exitCode === undefined || exitCode > 9_999 ? 'FAILED' : `FAILED ${exitCode}`;
}

function toWhat({ tool, input, targetPath, program, textRemoved }: CallEntry | HookEntry): string | undefined {
  const what = tool === 'shell' ? (input ?? program) : (targetPath ?? input ?? program);
  if (textRemoved === undefined || (what !== undefined && what === targetPath)) return what;
  // The lines below the timeline say which setting removed it.
  return what === undefined ? '(text removed)' : `${what} (text removed)`;
}

/** The tool and what it was given, without the session's own folder: it would be all that fits. */
function toCallText(
  entry: CallEntry | HookEntry,
  folder: string | undefined,
  room: number,
): { readonly text: string; readonly isWhole: boolean } {
  const name = entry.kind === 'hook' ? entry.rawTool : entry.tool;
  const what = toWhat(entry);
  if (what === undefined) return { text: toLine(name, room), isWhole: true };
  const isPath = entry.tool !== 'shell' && entry.targetPath !== undefined;
  const short = folder === undefined || folder === '/' ? what : withoutFolder(what, folder, isPath);
  const left = Math.max(1, room - name.length - 1);
  const text = `${name} ${(isPath ? toPathLine : toLine)(short, left)}`;
  return { text: toLine(text, room), isWhole: toLine(short, left + 1).length <= left };
}

function withoutFolder(what: string, folder: string, isPath: boolean): string {
  if (isPath) return what.startsWith(`${folder}/`) ? what.slice(folder.length + 1) : what;
  const rest = what.startsWith(`cd ${folder}`) ? what.slice(folder.length + 3) : '';
  // Only where it is the whole folder, and something comes behind it.
  const between = /^(?:\s*(?:&&|;)|\n)\s*(?=\S)/.exec(rest)?.[0];
  return between === undefined ? what : rest.slice(between.length);
}

/** An estimate says so. */
function toDuration({ durationMs, durationSource }: CallEntry | HookEntry): string {
  if (durationMs === undefined) return '';
  const about = durationSource === 'gap' ? '~' : '';
  if (durationMs < 1_000) return `${about}${Math.round(durationMs)} ms`;
  const seconds = durationMs / 1_000;
  if (seconds < 100) return `${about}${seconds.toFixed(1)} s`;
  return seconds < 6_000 ? `${about}${Math.round(seconds / 60)} min` : `${about}${Math.round(seconds / 3_600)} h`;
}

function renderShown({ lesson, arm, judged, summary }: ShownLesson): string {
  const how = arm === 'holdout' ? 'withheld' : 'shown';
  const outcome = judged === undefined ? 'not judged yet' : `judged ${judged.replaceAll('_', ' ')}`;
  return `${how}: ${lesson} (${outcome})${summary === undefined ? '' : ` ${summary}`}`;
}

/** Without it a timeline of bare program names looks like a fault of ours. */
function renderRemoved({ timeline }: SessionReport): readonly string[] {
  const removals = timeline.flatMap((entry) => (entry.kind === 'told' ? [] : (entry.textRemoved ?? [])));
  const counts = [...Map.groupBy(removals, renderTextRemoval)].map(
    ([why, all]) => `${toCount(all.length, 'call')}: ${why}`,
  );
  return counts.length === 0 ? [] : ['', ...counts];
}

function renderEnd({ session, timeline, total, from, next, onlyFailures }: SessionReport): readonly string[] {
  const last = timeline.findLast((entry) => entry.kind === 'call');
  const options = `${onlyFailures ? ' --failures' : ''} --from ${next}`;
  const end =
    session.endedAt === undefined
      ? `The end of the session was not recorded; last seen ${toSecond(session.lastSeenAt)} UTC.`
      : `Ended ${toSecond(session.endedAt)} UTC${session.endReason === undefined ? '' : ` (${toLine(session.endReason)})`}.`;
  return next !== null && last !== undefined
    ? [
        '',
        `Calls ${from} to ${last.n} of ${total}. Next calls: oncebitten sessions show ${session.sessionId}${options} (every call: --all)`,
      ]
    : ['', end];
}

function toIndent({ depth }: TimelineEntry, column: number): string {
  return ' '.repeat(column + 2 * depth);
}

function toTime(iso: string): string {
  return iso.slice(11, 19);
}

function toSecond(iso: string): string {
  return `${toMinute(iso)}${iso.slice(16, 19)}`;
}
