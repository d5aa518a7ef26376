/**
 * Reads one OpenCode session in any storage format: the session record, then each message followed by its parts; one
 * part contains a call and its result. A sub-agent is a session of its own with the id of the session that started it.
 * The plugin's hooks report its calls under its own id without the parent, and this reader does the same, so that both
 * reports of a call become one row.
 */

import type { RecordReader, SessionFile } from '../../base/contracts/agent-history.ts';
import type { AgentEvent, EventOrigin, TokenUsage } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { makeOrigin, NOTHING, openSkips, toEnded, toUnended } from '../history-events.ts';
import { openUsage, sumFields, toUsage } from '../token-usage.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { readToolCall } from './calls.ts';
import { facts as agent } from './facts.ts';
import { findResult } from './results.ts';

/** Parts without anything we use. */
const PASSED: ReadonlySet<unknown> = new Set([
  ...['reasoning', 'file', 'step-start', 'step-finish', 'snapshot'],
  ...['patch', 'agent', 'retry', 'subtask', 'compaction'],
]);
/** Far more than any turn has; bounds the memory on a broken session. */
const MAX_OPEN = 1000;

export function openSession(file: SessionFile): RecordReader {
  const { skipped, skip } = openSkips();
  const texts = openTexts();
  const usage = openUsage();
  const open: AgentEvent[] = [];
  let session: SessionFacts | undefined;
  let message: Message | undefined;
  /** The events of the message as a whole, reported after its parts. */
  let after = NOTHING;

  const finishMessage = (): readonly AgentEvent[] => {
    const events = after;
    after = NOTHING;
    message = undefined;
    return events;
  };

  const readMessage = (wire: Wire, facts: SessionFacts, line: number): readonly AgentEvent[] => {
    message = findMessage(wire, facts);
    if (message === undefined) return skip(`unknown record: ${toShort(wire.role)}`);
    if (message.isSummary) texts.noteSummary();
    if (!message.isCopy) usage.add('', findUsage(wire), findText(wire, 'id'));
    after = toAfter(message, facts, toOrigin(facts, line, message.endedMs));
    return NOTHING;
  };

  const toOrigin = (facts: SessionFacts, line: number, atMs?: number): EventOrigin | undefined =>
    findOrigin({ file, facts, message: message?.wire, line, atMs: atMs ?? message?.createdMs });

  const readCall = (part: Wire, facts: SessionFacts, line: number): readonly AgentEvent[] => {
    if (message !== undefined && (message.isCopy || texts.isRunByUser(message))) return NOTHING;
    const [tool, callId, state] = [findText(part, 'tool'), findCallId(part), findWire(part, 'state')];
    if (tool === undefined || callId === undefined || state === undefined)
      return skip('call without id, tool or state');
    const origin = toOrigin(facts, line, findNumber(findWire(state, 'time') ?? {}, 'start'));
    if (origin === undefined) return skip('call without time');
    const begun = { origin, call: readToolCall(tool, state.input, callId) };
    const result = findResult(tool, state);
    if (result !== undefined) return usage.attach([toEnded(begun, result)]);
    if (state.status !== 'pending' && state.status !== 'running')
      return skip(`unknown state: ${toShort(state.status)}`);
    if (open.length < MAX_OPEN) open.push(toUnended(begun));
    return NOTHING;
  };

  const readPart = (part: Wire, facts: SessionFacts, line: number): readonly AgentEvent[] => {
    if (part.type === 'tool') return readCall(part, facts, line);
    if (part.type !== 'text') return PASSED.has(part.type) ? NOTHING : skip(`unknown record: ${toShort(part.type)}`);
    // The prompts and answers of a sub-agent are between agents.
    if (message === undefined || facts.isChild) return NOTHING;
    return texts.read(part, message, (atMs) => toOrigin(facts, line, atMs));
  };

  return {
    skipped,
    read(record, depth, line) {
      const before = depth === 2 ? NOTHING : finishMessage();
      if (!isRecord(record)) return [...before, ...skip('not a JSON object')];
      if (depth === 0) {
        session = toSessionFacts(record);
        return session === undefined ? skip('session without id') : NOTHING;
      }
      if (session === undefined) return skip('record without session');
      if ((findText(record, 'sessionID') ?? session.id) !== session.id)
        return [...before, ...skip('record of another session')];
      return depth === 2 ? readPart(record, session, line) : [...before, ...readMessage(record, session, line)];
    },
    end: finishMessage,
    leave: () => open,
  };
}

/** The usage of a whole message, which contains a call of each of its steps. */
function findUsage(message: Wire): TokenUsage | undefined {
  const tokens = findWire(message, 'tokens') ?? {};
  const cache = findWire(tokens, 'cache') ?? {};
  const read = sumFields({ ...tokens, write: cache.write }, 'input', 'write');
  return toUsage(read, findNumber(cache, 'read'), sumFields(tokens, 'output', 'reasoning'));
}

/** A sub-agent stops with the agent that started it, and the interrupt is reported there. */
function toAfter(message: Message, facts: SessionFacts, origin: EventOrigin | undefined): readonly AgentEvent[] {
  if (origin === undefined || message.isUser || message.isCopy) return NOTHING;
  const error = findWire(message.wire, 'error');
  if (error?.name === 'MessageAbortedError') return facts.isChild ? NOTHING : [{ ...origin, kind: 'interrupted' }];
  const isCompacted = message.isSummary && error === undefined && message.endedMs !== undefined;
  return isCompacted ? [{ ...origin, kind: 'compacted' }] : NOTHING;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The task that a command starts has two ids; the hooks report the part's. */
function findCallId(part: Wire): string | undefined {
  const callId = findText(part, 'callID');
  if (part.tool === 'task' && callId !== undefined && ULID.test(callId)) return findText(part, 'id') ?? callId;
  return callId;
}

function toShort(kind: unknown): string {
  return typeof kind === 'string' && kind !== '' ? kind.slice(0, 40) : 'without a kind';
}

/** A message of a session, with the facts that reading its parts needs. */
interface Message {
  readonly wire: Wire;
  readonly isUser: boolean;
  /** A fork begins with copies of the messages before it, which are reported in their own session. */
  readonly isCopy: boolean;
  /** The message with which a compacted conversation continues. */
  readonly isSummary: boolean;
  readonly createdMs: number | undefined;
  readonly endedMs: number | undefined;
}

/** Undefined for an unknown role. */
function findMessage(wire: Wire, session: SessionFacts): Message | undefined {
  if (wire.role !== 'user' && wire.role !== 'assistant') return undefined;
  const time = findWire(wire, 'time') ?? {};
  const createdMs = findNumber(time, 'created');
  return {
    wire,
    isUser: wire.role === 'user',
    isCopy: createdMs !== undefined && session.createdMs !== undefined && createdMs < session.createdMs,
    isSummary: wire.summary === true,
    createdMs,
    endedMs: findNumber(time, 'completed'),
  };
}

interface Texts {
  /** `toOrigin` is called with the time of the text, if it has one of its own. */
  read(part: Wire, message: Message, toOrigin: (atMs?: number) => EventOrigin | undefined): readonly AgentEvent[];
  /** The conversation was summarized. */
  noteSummary(): void;
  /** Does the message answer a command that the user ran? Then its call is not the agent's. */
  isRunByUser(message: Message): boolean;
}
const RUN_BY_USER = 'The following tool was executed by the user';

/** The texts between the user and the agent in one session. */
function openTexts(): Texts {
  let ranByUser: string | undefined;
  let lastPrompt: string | undefined;
  let isAfterSummary = false;

  const isRepeated = (text: string): boolean => {
    // After an overflow of the context, the prompt is repeated behind the summary.
    const isSame = isAfterSummary && text === lastPrompt;
    isAfterSummary = false;
    lastPrompt = text;
    return isSame;
  };

  return {
    read(part, message, toOrigin) {
      const text = findText(part, 'text')?.trim();
      if (!text || message.isCopy || message.isSummary) return NOTHING;
      if (message.isUser && text === RUN_BY_USER) ranByUser = findText(message.wire, 'id');
      if (part.synthetic === true || part.ignored === true) return NOTHING;
      const time = findWire(part, 'time') ?? {};
      const origin = toOrigin(findNumber(time, 'start'));
      if (origin === undefined) return NOTHING;
      if (message.isUser) return isRepeated(text) ? NOTHING : [{ ...origin, kind: 'prompted', text }];
      const isFinished = (findNumber(time, 'end') ?? message.endedMs) !== undefined;
      return isFinished ? [{ ...origin, kind: 'said', text }] : NOTHING;
    },
    noteSummary() {
      isAfterSummary = true;
    },
    isRunByUser: ({ wire }) => ranByUser !== undefined && wire.parentID === ranByUser,
  };
}

interface SessionFacts {
  readonly id: string;
  /** Started by another session: a sub-agent. */
  readonly isChild: boolean;
  readonly directory?: string;
  readonly version?: string;
  readonly createdMs?: number;
}

/** The facts for the origin of events: the session has the folder and the version, the message has the model. */
function toSessionFacts(wire: Wire): SessionFacts | undefined {
  const id = findText(wire, 'id');
  if (id === undefined) return undefined;
  const [directory, version] = [findText(wire, 'directory'), findText(wire, 'version')];
  const createdMs = findNumber(findWire(wire, 'time') ?? {}, 'created');
  return dropAbsent({ id, isChild: findText(wire, 'parentID') !== undefined, directory, version, createdMs });
}

/** Undefined if no time is known. */
function findOrigin(parts: {
  readonly file: SessionFile;
  readonly facts: SessionFacts;
  readonly message: Wire | undefined;
  readonly line: number;
  readonly atMs: number | undefined;
}): EventOrigin | undefined {
  const { file, facts, message = {}, line } = parts;
  const at = findTime(parts.atMs);
  if (at === undefined) return undefined;
  const cwd = findText(findWire(message, 'path') ?? {}, 'cwd') ?? facts.directory;
  const model = findText(message, 'modelID') ?? findText(findWire(message, 'model') ?? {}, 'modelID');
  const place = { cwd, transcriptPath: file.path, line };
  return makeOrigin({
    agent: agent.id,
    sessionId: facts.id,
    contextId: '',
    at,
    ...place,
    model,
    agentVersion: facts.version,
  });
}

/** The largest time of a Date. */
const MAX_MS = 8_640_000_000_000_000;

function findTime(ms: number | undefined): string | undefined {
  return ms === undefined || ms <= 0 || ms > MAX_MS ? undefined : new Date(ms).toISOString();
}
