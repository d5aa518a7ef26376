/** Remembers in the daemon's memory what active sessions did, within bounds. Sub-agents count as their session. */

import { dropOldest } from '../../base/bounded-memory.ts';
import { toSessionKey } from '../../base/model/session.ts';
import { parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { beginsWith, findFile, isConditionMet, toWords } from '../../base/triggers/session-conditions.ts';
import type { SessionName } from '../privacy/private-sessions.ts';
import type { SessionMemory } from './session-past.ts';

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
