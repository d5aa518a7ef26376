/** What a reader notes for the one that goes on behind it: the thread, and its unfinished calls. */
import { findNumber, findText, findWire, toWires, type Wire } from '../wire.ts';
import { parseWire } from './codex-wire.ts';
import type { Thread } from './thread.ts';

export interface Memo {
  readonly thread: Thread;
  readonly running: readonly RunningNote[];
  /** Calls that waited then. A read that starts here and not before them knows that they have ended since. */
  readonly open: readonly string[];
}

export interface RunningNote {
  readonly callId: string;
  /** `session 1234` or `cell 5`: how later calls speak of it. */
  readonly key: string;
  readonly rawTool: string;
  /** Where and when it was begun. */
  readonly line: number;
  readonly at: string;
}

/** Asked at nearly every line: what seldom changes is rendered once. */
export function renderMemo({ thread, running, open }: Memo): string {
  return `{"thread":${renderThread(thread)},"running":${JSON.stringify(running)},"open":${JSON.stringify(open)}}`;
}

const rendered = new WeakMap<Thread, string>();

function renderThread(thread: Thread): string {
  const known = rendered.get(thread);
  if (known !== undefined) return known;
  const text = JSON.stringify(thread);
  rendered.set(thread, text);
  return text;
}

/** Undefined for anything but our own note. */
export function parseMemo(text: string | undefined): Memo | undefined {
  const wire = text === undefined ? undefined : parseWire(text);
  const thread = findThread(findWire(wire ?? {}, 'thread') ?? {});
  if (wire === undefined || thread === undefined) return undefined;
  const open = Array.isArray(wire.open) ? wire.open.filter((id) => typeof id === 'string') : [];
  return { thread, running: toWires(wire.running).flatMap(toRunning), open };
}

function findThread(wire: Wire): Thread | undefined {
  const [threadId, sessionId] = [findText(wire, 'threadId'), findText(wire, 'sessionId')];
  if (threadId === undefined || sessionId === undefined) return undefined;
  const texts = ['cwd', 'branch', 'gitFolder', 'repository', 'commit', 'model', 'agentVersion'].flatMap((key) => {
    const value = findText(wire, key);
    return value === undefined ? [] : [[key, value]];
  });
  const copy = findWire(wire, 'copy');
  const startOrdinal = findNumber(wire, 'startOrdinal');
  return {
    threadId,
    sessionId,
    contextId: findText(wire, 'contextId') ?? '',
    isSubagent: wire.isSubagent === true,
    ...(wire.isPaged === true ? { isPaged: true } : {}),
    ...Object.fromEntries(texts),
    ...(startOrdinal === undefined ? {} : { startOrdinal }),
    ...(copy === undefined ? {} : { copy: { since: findText(copy, 'since') ?? '', hasTurns: copy.hasTurns === true } }),
  };
}

function toRunning(wire: Wire): readonly RunningNote[] {
  const [callId, key, rawTool] = [findText(wire, 'callId'), findText(wire, 'key'), findText(wire, 'rawTool')];
  const [line, at] = [findNumber(wire, 'line'), findText(wire, 'at')];
  if (callId === undefined || key === undefined || rawTool === undefined) return [];
  return line === undefined || at === undefined ? [] : [{ callId, key, rawTool, line, at }];
}
