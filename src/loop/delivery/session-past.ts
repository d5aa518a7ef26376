/**
 * Knows what already happened in a session, for lessons with `triggers.session`. The disk has only hashes of the
 * conditions that were met, no input text. The daemon's memory also answers for lessons learned during the session. If
 * the beginning of a session was not seen, its past is unknown and these lessons do not fire.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import { hashText } from '../../base/ids.ts';
import type { AgentEvent, EventOf } from '../../base/model/event.ts';
import { toSessionKey } from '../../base/model/session.ts';
import { parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import {
  type AskSession,
  beginsWith,
  type CompletedWork,
  type DoneCall,
  findFile,
  isConditionMet,
  renderCondition,
  toCompletedWork,
  toQuestion,
  toWords,
} from '../../base/triggers/session-conditions.ts';
import type { SessionCondition } from '../../base/triggers/trigger.ts';
import type { Manifest } from '../../match/manifest.ts';
import { addMark, readMarks, type SessionName } from '../privacy/private-sessions.ts';

export interface SessionMemory {
  /** From this event on, the whole session is seen. */
  begin(session: SessionName): void;
  note(call: SessionName & DoneCall): void;
  /** Undefined if it is unknown. */
  has(session: SessionName, meant: SessionCondition): boolean | undefined;
}

export interface PastContext {
  readonly pastDir: string;
  readonly memory?: SessionMemory;
}

/** A resumed or forked session has an earlier past that was not seen. */
const BEGINNINGS = new Set(['startup', 'clear']);
/** Maximum number of marks per session; beyond it the past counts as unknown. */
const MAX_MARKS = 2_000;
const FULL = 'full';

export function notePast(event: AgentEvent, { header }: Manifest, { pastDir, memory }: PastContext): void {
  const { asks = [] } = header;
  if (event.kind === 'session-started' && BEGINNINGS.has(event.start)) {
    memory?.begin(event);
    if (asks.length > 0) addMark(pastDir, event, asks.map(toAskedMark).join('\n'));
  }
  if ((event.kind !== 'call-ended' && event.kind !== 'call-returned') || !isDone(event)) return;
  const call = { ...event, command: event.input.command, targetPath: event.input.path };
  memory?.note(call);
  const met = asks.length === 0 ? [] : listMet(asks, toCompletedWork(call));
  for (const one of met) {
    const isFull = readMarks(pastDir, event).length >= MAX_MARKS;
    addMark(pastDir, event, isFull ? FULL : toMark(one));
  }
}

export function makeAskSession(event: SessionName, { pastDir, memory }: PastContext): AskSession {
  let marks: ReadonlySet<string> | undefined;
  return ({ condition, meant }) => {
    const known = memory?.has(event, meant);
    if (known !== undefined) return known;
    marks ??= new Set(readMarks(pastDir, event));
    if (marks.has(toMark(meant))) return true;
    return marks.has(toAskedMark(condition)) && !marks.has(FULL) ? false : undefined;
  };
}

/** A command that still runs in the background, or whose end is unknown, is not done. */
function isDone({ kind, tool, result }: EventOf<'call-ended' | 'call-returned'>): boolean {
  if (kind === 'call-returned' && tool === 'shell' && result.exitCode === undefined) return false;
  const { isError, exitCode = 0, denied, cancelled, background, unended } = result;
  return !isError && exitCode === 0 && denied === undefined && !(cancelled || background || unended);
}

function listMet(asks: readonly SessionCondition[], done: CompletedWork): readonly SessionCondition[] {
  // Which file a later call will ask about is unknown, so the file itself is marked.
  return asks
    .flatMap((ask) => toQuestion(ask, done.path) ?? [])
    .flatMap(({ meant }) => (isConditionMet(meant, done) ? [meant] : []));
}

function toMark(condition: SessionCondition): string {
  return hashText(renderCondition(condition));
}

/** Marks that a lesson asked for this condition when the session began, so that everything since then is marked. */
function toAskedMark(condition: SessionCondition): string {
  return `?${toMark(condition)}`;
}

interface Remembered {
  /** True if the memory covers the session from its beginning. */
  isWhole: boolean;
  /**
   * Command lines, each behind the name of its tool and a line break. They are parsed when a lesson asks for the first
   * time, because most sessions are never asked.
   */
  readonly lines: Set<string>;
  /** Programs with their first words, such as `npm install`. */
  readonly ran: Set<string>;
  readonly paths: Set<string>;
}

const MAX_SESSIONS = 100;
const MAX_LINES = 500;
const MAX_LINE_CHARS = 2_000;
const MAX_RAN = 2_000;
const MAX_RAN_CHARS = 120;
const MAX_PATHS = 2_000;

/** Remembers in the daemon's memory what active sessions did, within bounds. Sub-agents count as their session. */
export function makeSessionMemory(): SessionMemory {
  const sessions = new Map<string, Remembered>();
  const find = (session: SessionName): Remembered | undefined => {
    const key = toSessionKey(session);
    const found = sessions.get(key);
    // Moving a key to the end keeps the map in order of use.
    if (found !== undefined) sessions.delete(key) && sessions.set(key, found);
    return found;
  };
  return {
    begin(session) {
      if (find(session) !== undefined) return;
      sessions.set(toSessionKey(session), { isWhole: true, lines: new Set(), ran: new Set(), paths: new Set() });
      dropOldest(sessions, MAX_SESSIONS);
    },
    note(call) {
      const known = find(call);
      if (known === undefined) return;
      const path = findFile(call);
      if (call.tool === 'shell' && call.command !== undefined) addLine(known, call.command, call);
      if (path !== undefined) addBounded(known, known.paths, path, MAX_PATHS);
    },
    has(session, meant) {
      const known = find(session);
      if (known === undefined) return undefined;
      const isThere = 'ran' in meant ? hasRun(known, meant.ran) : hasRead(known, meant.read);
      return isThere || (known.isWhole ? false : undefined);
    },
  };
}

function addLine(known: Remembered, line: string, { rawTool }: ShellTool): void {
  if (line.length > MAX_LINE_CHARS) known.isWhole = false;
  addBounded(known, known.lines, `${rawTool}\n${line.slice(0, MAX_LINE_CHARS)}`, MAX_LINES);
}

function parseLine(kept: string): readonly SimpleCommand[] {
  const end = kept.indexOf('\n');
  return parseCommand(kept.slice(end + 1), { rawTool: kept.slice(0, end) });
}

function addBounded(known: Remembered, all: Set<string>, one: string, max: number): void {
  if (all.has(one)) return;
  if (all.size < max) all.add(one);
  else known.isWhole = false;
}

function hasRun(known: Remembered, ran: string): boolean {
  for (const command of [...known.lines].flatMap(parseLine))
    addBounded(known, known.ran, toWords(command).slice(0, MAX_RAN_CHARS), MAX_RAN);
  known.lines.clear();
  return [...known.ran].some((words) => beginsWith(words, ran));
}

function hasRead({ paths }: Remembered, read: string): boolean {
  return paths.has(read) || [...paths].some((path) => isConditionMet({ read }, { commands: [], path }));
}
