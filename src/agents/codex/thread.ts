/**
 * The facts that a Codex rollout states once about its thread (ids, folder, repository, model, copied rows), on which
 * every later row depends. The memo carries the thread and its unfinished calls to the next read of the file.
 */

import type { SessionFile } from '../../base/contracts/agent-history.ts';
import { toElapsedMs } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { parseRemoteName } from '../../base/text/remote-name.ts';
import { findNumber, findText, findTexts, findWire, parseMemo, toWires, type Wire } from '../wire.ts';
import type { RowWire } from './rows.ts';

export interface Thread {
  readonly threadId: string;
  /** The id of the conversation that the thread belongs to, which hooks also contain. */
  readonly sessionId: string;
  /** A spawned agent is identified by its thread; hooks name no other helpers of Codex. */
  readonly contextId: string;
  /** No person types here: the prompts come from another agent. */
  readonly isSubagent: boolean;
  readonly cwd?: string;
  readonly branch?: string;
  /** The folder that the next two fields describe. */
  readonly gitFolder?: string;
  readonly repository?: string;
  readonly commit?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  /** Every call has a row with its end, including calls of scripts. */
  readonly isPaged?: boolean;
  /** Earlier rows belong to the parent. */
  readonly startOrdinal?: number;
  /** Set while the rows are copies of another thread: since when, and whether they name their turns. */
  readonly copy?: { readonly since: string; readonly hasTurns: boolean };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** The first digits are the time at which the id was made. */
const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;
/** A copy is written at once. */
const COPY_MS = 2000;

/** Before the first row, from the file name: `rollout-<time>-<thread>.jsonl`. */
export function toFileThread(file: SessionFile): Thread {
  const name = file.path.split(/[/\\]/).pop() ?? '';
  const id = UUID.exec(name)?.[0] ?? name.replace(/\.jsonl(?:\.zst)?$/, '');
  return { threadId: id, sessionId: id, contextId: '', isSubagent: false };
}

/** The thread after a `session_meta` row. A row of another thread begins a copy of its rows. */
export function toMetaThread(thread: Thread, row: RowWire, isFirst: boolean): Thread {
  const meta = row.payload;
  const id = findText(meta, 'id');
  if (id === undefined) return thread;
  if (!isFirst && id !== thread.threadId) return { ...thread, copy: { since: row.at ?? '', hasTurns: false } };
  const { model } = thread;
  return { ...toIdentity(meta, id), ...toPlace(meta), ...dropAbsent({ model }) };
}

/** The thread after a `turn_context`. */
export function toTurnThread(thread: Thread, turn: Wire): Thread {
  const [cwd, model] = [findText(turn, 'cwd'), findText(turn, 'model')];
  return { ...thread, ...dropAbsent({ cwd, model }) };
}

/** The thread at this row: a copy ends with the first turn of the thread's own. */
export function toReachedThread(thread: Thread, row: RowWire): Thread {
  const { copy, ...own } = thread;
  if (copy === undefined) return thread;
  const turnId = findText(row.payload, 'turn_id');
  if (turnId !== undefined && TIMED_ID.test(turnId) && TIMED_ID.test(thread.threadId)) {
    if (turnId >= thread.threadId) return own;
    return copy.hasTurns ? thread : { ...own, copy: { ...copy, hasTurns: true } };
  }
  const isLater = !copy.hasTurns && (toElapsedMs(copy.since, row.at ?? '') ?? 0) > COPY_MS;
  return isLater ? own : thread;
}

export function isCopied(thread: Thread, row: RowWire): boolean {
  if (thread.copy !== undefined) return true;
  return thread.startOrdinal !== undefined && row.ordinal !== undefined && row.ordinal < thread.startOrdinal;
}

function toIdentity(meta: Wire, id: string): Pick<Thread, 'threadId' | 'sessionId' | 'contextId' | 'isSubagent'> {
  const source = findWire(meta, 'source') ?? {};
  const spawn = findWire(findWire(source, 'subagent') ?? {}, 'thread_spawn');
  const parent = findText(spawn ?? {}, 'parent_thread_id') ?? findText(meta, 'parent_thread_id');
  return {
    threadId: id,
    sessionId: findText(meta, 'session_id') ?? parent ?? id,
    contextId: spawn === undefined ? '' : id,
    isSubagent: source.subagent !== undefined,
  };
}

/** A later turn may run in another folder, whose repository is unknown. */
export function findRepository({ cwd, gitFolder, repository, commit }: Thread): Pick<Thread, 'repository' | 'commit'> {
  const isThere = gitFolder !== undefined && (cwd === gitFolder || cwd?.startsWith(`${gitFolder}/`) === true);
  if (!isThere) return {};
  return dropAbsent({ repository, commit });
}

/** SHA-1 or SHA-256. All zeros stand for no commit. */
const COMMIT = /^(?!0+$)(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Keeps only the name of the remote: its address may contain a password, and a thread is written into a memo. */
function toGit(meta: Wire, cwd: string): Partial<Thread> {
  const git = findWire(meta, 'git') ?? {};
  const repository = parseRemoteName(findText(git, 'repository_url') ?? '', cwd);
  const commit = findText(git, 'commit_hash');
  const isCommit = commit !== undefined && COMMIT.test(commit);
  if (repository === undefined && !isCommit) return {};
  return dropAbsent({ gitFolder: cwd, repository, commit: isCommit ? commit : undefined });
}

function toPlace(meta: Wire): Partial<Thread> {
  const cwd = findText(meta, 'cwd');
  return dropAbsent({
    cwd,
    branch: findText(findWire(meta, 'git') ?? {}, 'branch'),
    ...(cwd === undefined ? {} : toGit(meta, cwd)),
    agentVersion: findText(meta, 'cli_version'),
    isPaged: meta.history_mode === 'paginated' || undefined,
    startOrdinal: findNumber(meta, 'subagent_history_start_ordinal'),
  });
}

/** The memo for the next reader of the file: the thread and its unfinished calls. */
export interface Memo {
  readonly thread: Thread;
  readonly running: readonly RunningNote[];
  /** Calls that were waiting. A read that starts here knows that they have ended since. */
  readonly open: readonly string[];
}

export interface RunningNote {
  readonly callId: string;
  /** `session 1234` or `cell 5`: the name that later calls use. */
  readonly key: string;
  readonly rawTool: string;
  /** The line of its start. */
  readonly line: number;
  readonly at: string;
  readonly isInterrupted?: true;
}

/** Undefined for anything but our own memo. */
export function parseThreadMemo(text: string | undefined): Memo | undefined {
  const wire = parseMemo(text);
  const thread = findThread(findWire(wire, 'thread') ?? {});
  if (thread === undefined) return undefined;
  const open = Array.isArray(wire.open) ? wire.open.filter((id) => typeof id === 'string') : [];
  return { thread, running: toWires(wire.running).flatMap(toRunning), open };
}

const THREAD_TEXTS = ['cwd', 'branch', 'gitFolder', 'repository', 'commit', 'model', 'agentVersion'] as const;

function findThread(wire: Wire): Thread | undefined {
  const ids = findTexts(wire, 'threadId', 'sessionId');
  if (ids === undefined) return undefined;
  const copy = findWire(wire, 'copy');
  return dropAbsent({
    ...ids,
    contextId: findText(wire, 'contextId') ?? '',
    isSubagent: wire.isSubagent === true,
    isPaged: wire.isPaged === true || undefined,
    ...(Object.fromEntries(THREAD_TEXTS.map((key) => [key, findText(wire, key)])) as Partial<Thread>),
    startOrdinal: findNumber(wire, 'startOrdinal'),
    copy: copy && { since: findText(copy, 'since') ?? '', hasTurns: copy.hasTurns === true },
  });
}

function toRunning(wire: Wire): readonly RunningNote[] {
  const texts = findTexts(wire, 'callId', 'key', 'rawTool', 'at');
  const line = findNumber(wire, 'line');
  const stopped = wire.isInterrupted === true ? { isInterrupted: true as const } : {};
  return texts === undefined || line === undefined ? [] : [{ ...texts, line, ...stopped }];
}
