/**
 * A reader for Copilot CLI's log of a session. A call has a record of its start and one of its end; the event is made
 * when both are known, and its line is that of the start.
 */
import type { LineReader, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/event.ts';
import { parseLine } from '../parse-line.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { isUnused } from './is-unused.ts';
import { openExecutions } from './open-executions.ts';
import { openSession } from './open-session.ts';
import { openShells } from './open-shells.ts';

interface LogRecord {
  readonly data: Wire;
  readonly origin: EventOrigin;
  readonly line: number;
}

type Reader = (record: LogRecord) => readonly AgentEvent[];

const NOTHING: readonly AgentEvent[] = [];

export function openEvents(file: SessionFile): LineReader {
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return NOTHING;
  };
  const session = openSession(file);
  const shells = openShells(session.shells);
  const executions = openExecutions(shells, skip);
  const note = (take: (data: Wire) => void): Reader => {
    return ({ data }) => {
      take(data);
      return NOTHING;
    };
  };

  const readers = new Map<string, Reader>([
    ['session.start', note(session.begin)],
    ['session.resume', note(session.begin)],
    ['session.context_changed', note(session.moveTo)],
    ['session.model_change', (record) => readModel(record)],
    ['session.compaction_start', ({ origin }) => [{ ...origin, kind: 'compacting' }]],
    [
      'session.compaction_complete',
      ({ data, origin }) => (data.success === true ? [{ ...origin, kind: 'compacted' }] : NOTHING),
    ],
    ['session.shutdown', ({ origin }) => (origin.contextId === '' ? executions.abandon() : NOTHING)],
    ['user.message', (record) => readPrompt(record)],
    ['assistant.message', readSaid],
    ['tool.execution_start', ({ data, origin, line }) => executions.start(data, origin, line)],
    ['tool.execution_complete', ({ data, origin }) => executions.complete(data, origin)],
    ['permission.requested', note(executions.askPermission)],
    ['permission.completed', note(executions.answerPermission)],
    ['system.notification', ({ data, origin }) => executions.endShell(findWire(data, 'kind') ?? {}, origin)],
    ['abort', ({ origin }) => [...executions.abort(), { ...origin, kind: 'interrupted' }]],
    ['subagent.started', readSubagent('subagent-started')],
    ['subagent.completed', readSubagent('subagent-ended')],
    ['subagent.failed', readSubagent('subagent-ended')],
  ]);

  const readModel: Reader = ({ data, origin }) => {
    if (origin.contextId === '') session.useModel(findText(data, 'newModel'));
    return NOTHING;
  };

  const readPrompt: Reader = ({ data, origin }) => {
    const text = findText(data, 'content');
    if (text === undefined || origin.contextId !== '' || !isByPerson(data)) return NOTHING;
    // A new turn: the ends of the last one would have come before it. What is typed meanwhile is no new turn.
    const left = (findText(data, 'delivery') ?? 'idle') === 'idle' ? executions.abandon('') : NOTHING;
    return [...left, { ...origin, kind: 'prompted', text }];
  };

  const readRecord = (record: Wire, line: number): readonly AgentEvent[] => {
    const type = findText(record, 'type') ?? '';
    const read = readers.get(type);
    if (read === undefined) return isUnused(type) ? NOTHING : skip(`unknown record: ${toName(type)}`);
    const data = findWire(record, 'data');
    const at = findText(record, 'timestamp');
    if (data === undefined || at === undefined) return skip('record without time or data');
    return read({ data, origin: session.toOrigin(at, toContextId(record, data), line), line });
  };

  return {
    skipped,
    get pendingLine() {
      return executions.oldestLine;
    },
    get memo() {
      return session.toMemo(shells.memo);
    },
    leave: executions.leave,
    read(text, line) {
      if (text === '') return NOTHING;
      const glimpsed = TYPE.exec(text)?.[1];
      if (glimpsed !== undefined && isUnused(glimpsed)) return NOTHING;
      const { rows, fault } = parseLine(text);
      if (fault !== undefined) skip(fault);
      return rows.flatMap((record) => readRecord(record, line));
    },
  };
}

/** The type of a line without parsing it: it stands behind short fields only, in whichever order. */
const TYPE =
  /^\{(?:"(?:id|timestamp|parentId|agentId)":(?:"[^"\\]{0,200}"|null),|"ephemeral":(?:true|false),)*"type":"([\w.]{1,80})"/;

/** Older builds know a sub-agent only by the call that started it. */
function toContextId(record: Wire, data: Wire): string {
  return findText(record, 'agentId') ?? findText(data, 'parentToolCallId') ?? '';
}

/** The task of a sub-agent, a skill and a wake-up come in the user's name too. */
function isByPerson(data: Wire): boolean {
  const source = findText(data, 'source') ?? 'user';
  return source === 'user' && data.isAutopilotContinuation !== true;
}

function readSaid({ data, origin }: LogRecord): readonly AgentEvent[] {
  const text = (findText(data, 'content') ?? '').trim();
  // What a sub-agent says goes to the agent that called it.
  return text === '' || origin.contextId !== '' ? NOTHING : [{ ...origin, kind: 'said', text }];
}

function readSubagent(kind: 'subagent-started' | 'subagent-ended'): Reader {
  return ({ data, origin }) => {
    const contextId = origin.contextId || (findText(data, 'toolCallId') ?? '');
    return [{ ...origin, contextId, kind, subagentType: findText(data, 'agentName') ?? 'unknown' }];
  };
}

function toName(type: string): string {
  return type.slice(0, 60) || 'no type';
}
