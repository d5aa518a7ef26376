/**
 * A reader for one session of OpenCode, however it is kept: the session, then each message followed by its parts. A
 * call and its result are one part.
 *
 * A sub-agent is a session of its own, with the id of the session that started it. The plugin's hooks tell its calls
 * under its own id and nothing of the parent: so do we, and both tellings of a call are one row.
 */
import type { RecordReader, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/event.ts';
import type { TokenUsage } from '../../base/token-usage.ts';
import { openUsage, sumFields, toUsage } from '../open-usage.ts';
import { findNumber, findText, findWire, isWire, type Wire } from '../wire.ts';
import { findMessage, type Message } from './find-message.ts';
import { findOrigin, type SessionFacts, toSessionFacts } from './find-origin.ts';
import { findResult } from './find-result.ts';
import { openTexts } from './open-texts.ts';
import { toStartedCall } from './to-started-call.ts';

const NOTHING: readonly AgentEvent[] = [];
/** Parts that tell of nothing we use. */
const PASSED = new Set([
  'reasoning',
  'file',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'subtask',
  'compaction',
]);
/** Far more than any turn has; the bound keeps memory constant on a broken session. */
const MAX_OPEN = 1000;
const UNENDED = { isError: false, text: '', unended: true };

export function openSession(file: SessionFile): RecordReader {
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return NOTHING;
  };
  const texts = openTexts();
  const usage = openUsage();
  const open: AgentEvent[] = [];
  let session: SessionFacts | undefined;
  let message: Message | undefined;
  /** What the message tells as a whole, once its parts are told. */
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
    const call = toStartedCall(tool, state.input, callId);
    const result = findResult(tool, state);
    if (result !== undefined) return usage.attach([{ ...origin, kind: 'call-ended', ...call, result }]);
    if (state.status !== 'pending' && state.status !== 'running')
      return skip(`unknown state: ${toShort(state.status)}`);
    if (open.length < MAX_OPEN) open.push({ ...origin, kind: 'call-ended', ...call, result: UNENDED });
    return NOTHING;
  };

  const readPart = (part: Wire, facts: SessionFacts, line: number): readonly AgentEvent[] => {
    if (part.type === 'tool') return readCall(part, facts, line);
    if (part.type !== 'text')
      return PASSED.has(String(part.type)) ? NOTHING : skip(`unknown record: ${toShort(part.type)}`);
    // What a sub-agent is told and what it answers is between agents.
    if (message === undefined || facts.isChild) return NOTHING;
    return texts.read(part, message, (atMs) => toOrigin(facts, line, atMs));
  };

  return {
    skipped,
    read(record, depth, line) {
      const before = depth === 2 ? NOTHING : finishMessage();
      if (!isWire(record)) return [...before, ...skip('not a JSON object')];
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

/** Of a whole message: a call of each of its steps is in it. */
function findUsage(message: Wire): TokenUsage | undefined {
  const told = findWire(message, 'tokens') ?? {};
  const cache = findWire(told, 'cache') ?? {};
  const read = sumFields({ ...told, write: cache.write }, 'input', 'write');
  return toUsage(read, findNumber(cache, 'read'), sumFields(told, 'output', 'reasoning'));
}

/** A sub-agent is stopped with the agent that started it: that is told there. */
function toAfter(message: Message, facts: SessionFacts, origin: EventOrigin | undefined): readonly AgentEvent[] {
  if (origin === undefined || message.isUser || message.isCopy) return NOTHING;
  const error = findWire(message.wire, 'error');
  if (error?.name === 'MessageAbortedError') return facts.isChild ? NOTHING : [{ ...origin, kind: 'interrupted' }];
  const isCompacted = message.isSummary && error === undefined && message.endedMs !== undefined;
  return isCompacted ? [{ ...origin, kind: 'compacted' }] : NOTHING;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The task that a command starts has two ids; the hooks tell the part's. */
function findCallId(part: Wire): string | undefined {
  const callId = findText(part, 'callID');
  if (part.tool === 'task' && callId !== undefined && ULID.test(callId)) return findText(part, 'id') ?? callId;
  return callId;
}

function toShort(kind: unknown): string {
  return typeof kind === 'string' && kind !== '' ? kind.slice(0, 40) : 'without a kind';
}
