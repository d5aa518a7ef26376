/**
 * Reads the session logs of Copilot CLI, as recorded with version 1.0.102 and described by its own schema: one event
 * log per session. A call has a record of its start and one of its end; the reader makes the event when it has both,
 * and gives it the line of the start. The reader reports record types that are neither read nor listed as unused.
 */

import type { AgentHistory, LineReader, SessionFile } from '../../base/contracts/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { makeOrigin, NOTHING, openSkips } from '../history-events.ts';
import { findText, findWire, parseLine, parseMemo, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { openExecutions, openShells, type ShellMemo } from './open-calls.ts';
import { REFUSALS } from './results.ts';

/** The first record of every log. */
const FIRST_RECORD = /"type":\s*"session\.start"/;

/**
 * Record types of Copilot CLI's log without anything we use, from the schema of 1.0.102 and from recordings. A type
 * that is neither here nor read is reported.
 */
const UNUSED_NAMES: Readonly<Record<string, string>> = {
  assistant: `fusion_phase_completed fusion_phase_failed reasoning turn_end turn_start`,
  external_tool: `requested`,
  hook: `end start`,
  human_response: `recorded`,
  mcp: `oauth_recovery_completed`,
  permission: `assentDetected carriedForward contextualAuthorization messageAuthorization
    messageAuthorizationDegraded messageAuthorizationRead`,
  session: `auto_mode_resolved autopilot_objective_changed binary_asset canvas.recorded canvas.removed
    completion_receipt context_cleared error fusion_change_checkpoint fusion_commit_started fusion_completed
    fusion_handoff fusion_resolved fusion_route_failed handoff info mode_changed mode_notice_delivered
    model_deselected permission_recovery permissions_changed plan_changed remote_steerable_changed
    request_body_compression_disabled schedule_cancelled schedule_created schedule_rearmed session_limits_changed
    task_complete truncation usage_checkpoint usage_record warning workspace_file_changed`,
  skill: `context_delivered context_delivered_ref invoked invoked_ref`,
  subagent: `configured deselected selected`,
  system: `message`,
  tool: `user_requested`,
  tool_search: `activated`,
};

const UNUSED: ReadonlySet<string> = new Set(
  Object.entries(UNUSED_NAMES).flatMap(([family, names]) => names.split(/\s+/).map((name) => `${family}.${name}`)),
);

/** Finds the type of a line without parsing it: only short fields precede it, in any order. */
const TYPE =
  /^\{(?:"(?:id|timestamp|parentId|agentId)":(?:"[^"\\]{0,200}"|null),|"ephemeral":(?:true|false),)*"type":"([\w.]{1,80})"/;

export const copilotHistory: AgentHistory = {
  facts,
  refusals: REFUSALS,
  places: ['session-state'],
  closed: /\/(?:rewind-file-snapshots|checkpoints)$/,
  formats: [
    {
      kind: 'lines',
      file: /(?:^|\/)events\.jsonl$|\/session-state\/[^/]+\.jsonl$/,
      isOurs: (head) => FIRST_RECORD.test(head),
      open: openEvents,
    },
  ],
  version: 1,
};

interface LogRecord {
  readonly data: Wire;
  readonly origin: EventOrigin;
  readonly line: number;
}

type Reader = (record: LogRecord) => readonly AgentEvent[];

export function openEvents(file: SessionFile): LineReader {
  const { skipped, skip } = openSkips();
  const session = openSession(file);
  const shells = openShells(session.shells);
  const executions = openExecutions(shells, skip);
  const note =
    (take: (data: Wire) => void): Reader =>
    ({ data }) => {
      take(data);
      return NOTHING;
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
    ['assistant.message', readMessage],
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
    // A new turn; the ends of the last one would have come before it. A prompt that is typed meanwhile is not a new
    // turn.
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

/** Older builds identify a sub-agent only by the call that started it. */
function toContextId(record: Wire, data: Wire): string {
  return findText(record, 'agentId') ?? findText(data, 'parentToolCallId') ?? '';
}

/** The task of a sub-agent, a skill and a wake-up also come in the user's name. */
function isByPerson(data: Wire): boolean {
  const source = findText(data, 'source') ?? 'user';
  return source === 'user' && data.isAutopilotContinuation !== true;
}

function readMessage({ data, origin }: LogRecord): readonly AgentEvent[] {
  const text = (findText(data, 'content') ?? '').trim();
  // The messages of a sub-agent go to the agent that started it.
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

interface LogSession {
  /** `session.start`, and `session.resume`, which repeats some of it. */
  begin(data: Wire): void;
  moveTo(context: Wire): void;
  /** The model of the main conversation; a sub-agent's calls name their own. */
  useModel(model: string | undefined): void;
  toOrigin(at: string, contextId: string, line: number): EventOrigin;
  /** The shells that an earlier reader left open. */
  readonly shells: unknown;
  /** Undefined if there is nothing to note. */
  toMemo(shells: readonly ShellMemo[] | undefined): string | undefined;
}

const SESSION_FACTS = ['sessionId', 'cwd', 'branch', 'model', 'agentVersion'] as const;
type SessionFacts = { readonly [K in (typeof SESSION_FACTS)[number]]?: string | undefined };

/** The facts about the session while its log is read: folder, branch, model, version. */
function openSession(file: SessionFile): LogSession {
  const named = toSessionId(file.path);
  const noted = parseMemo(file.memo);
  // In this order, so that equal facts give equal memos.
  let known: SessionFacts = Object.fromEntries(SESSION_FACTS.map((key) => [key, findText(noted, key)]));
  const note = (more: SessionFacts): void => {
    known = { ...known, ...dropAbsent(more) };
  };
  const moveTo = (context: Wire): void => {
    const cwd = findText(context, 'cwd');
    // Another folder has another branch, or none.
    if (cwd !== undefined) known = { ...known, cwd, branch: findText(context, 'branch') };
  };

  return {
    begin(data) {
      const model = findText(data, 'selectedModel');
      note({ sessionId: findText(data, 'sessionId'), agentVersion: findText(data, 'copilotVersion'), model });
      moveTo(findWire(data, 'context') ?? {});
    },
    moveTo,
    useModel: (model) => note({ model }),
    toOrigin(at, contextId, line) {
      const { sessionId = named, cwd, branch, model, agentVersion } = known;
      const place = { cwd, branch, transcriptPath: file.path, line };
      return makeOrigin({ agent: facts.id, sessionId, contextId, at, ...place, model, agentVersion });
    },
    shells: noted.shells,
    toMemo(shells) {
      const memo = JSON.stringify({ ...known, shells });
      return memo === '{}' ? undefined : memo;
    },
  };
}

/** `session-state/<id>/events.jsonl`, in older builds `session-state/<id>.jsonl`. */
function toSessionId(path: string): string {
  const [folder = '', name = ''] = `//${path.replaceAll('\\', '/')}`.split('/').slice(-2);
  return name === 'events.jsonl' ? folder : name.replace(/\.jsonl$/, '');
}

/** `model.*` is in no schema: the traffic with the model while it writes a summary, which later records repeat. */
function isUnused(type: string): boolean {
  return UNUSED.has(type) || type.startsWith('model.');
}
