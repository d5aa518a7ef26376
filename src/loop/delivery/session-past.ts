/**
 * Knows what already happened in a session, for lessons with `triggers.session`. The disk has only hashes of the
 * conditions that were met, no input text. The daemon's memory also answers for lessons learned during the session. If
 * the beginning of a session was not seen, its past is unknown and these lessons do not fire.
 */

import { hashText } from '../../base/ids.ts';
import type { AgentEvent, EventOf } from '../../base/model/event.ts';
import {
  type AskSession,
  type CompletedWork,
  type DoneCall,
  isConditionMet,
  renderCondition,
  toCompletedWork,
  toQuestion,
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
  if (event.kind !== 'call-ended' || !isDone(event)) return;
  const call = { ...event, command: event.input.command, targetPath: event.input.path };
  memory?.note(call);
  const met = asks.length === 0 ? [] : listMet(asks, toCompletedWork(call));
  for (const one of met) {
    const isFull = readMarks(pastDir, event).length >= MAX_MARKS;
    addMark(pastDir, event, isFull ? FULL : toMark(one));
  }
}

export function openPast(event: SessionName, { pastDir, memory }: PastContext): AskSession {
  let marks: ReadonlySet<string> | undefined;
  return ({ condition, meant }) => {
    const known = memory?.has(event, meant);
    if (known !== undefined) return known;
    marks ??= new Set(readMarks(pastDir, event));
    if (marks.has(toMark(meant))) return true;
    return marks.has(toAskedMark(condition)) && !marks.has(FULL) ? false : undefined;
  };
}

/** A command that still runs in the background is not done. */
function isDone({ result }: EventOf<'call-ended'>): boolean {
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
