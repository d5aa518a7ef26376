/**
 * Turns the messages of one Gemini chat into events, for both the log and the document format. Gemini CLI records a
 * message again after every change, so the reader reports its words once, and each of its calls once, when the end of
 * the call is known. A message in the user's name is a prompt only if a person typed it.
 */

import { dropOldest, keepNewest } from '../../base/bounded-memory.ts';
import type { AgentEvent, EventOf, EventOrigin, StartedCall, TokenUsage } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { findMcpTool, toCanonicalTool, toToolInput } from '../calls.ts';
import { type BegunCall, toEnded, toUnended, withPairedMs } from '../history-events.ts';
import { openUsage, sumFields, toUsage } from '../token-usage.ts';
import { findNumber, findText, findTexts, findWire, toWires, type Wire } from '../wire.ts';
import { CALL_FACTS } from './calls.ts';
import { findPrompt, toText } from './prompts.ts';
import { findResult } from './results.ts';

/** Makes the origin of an event, apart from what the message itself contains. */
type ToOrigin = (at: string, line: number | undefined) => EventOrigin;

interface Messages {
  /** A message that was added or changed. */
  add(message: Wire, line?: number): readonly AgentEvent[];
  /** A message that a checkpoint repeats: only the ends of calls are new, for all calls or for those that wait. */
  repeat(message: Wire, line: number, which: 'all' | 'waiting'): readonly AgentEvent[];
  /** The waiting calls, as never ended. */
  leave(): readonly EventOf<'call-ended'>[];
  readonly oldestLine: number | undefined;
}

interface WaitingCall extends BegunCall {
  readonly line: number | undefined;
}

/** Far more than any turn has; bounds the memory whatever the file is. */
const MAX_WAITING = 1000;
const MAX_REPORTED = 20_000;

const UNUSED_TYPES = new Set(['error', 'warning']);
/** The text that Gemini CLI shows to a person who interrupts it. */
const INTERRUPTED = 'Request cancelled.';

export function openMessages(toOrigin: ToOrigin, skip: (reason: string) => readonly AgentEvent[]): Messages {
  const usage = openUsage();
  const waiting = new Map<string, WaitingCall>();
  /** Ids of messages and of ended calls that were already reported. */
  const reported = new Set<string>();

  const isNew = (id: string): boolean => {
    if (reported.has(id)) return false;
    reported.add(id);
    dropOldest(reported, MAX_REPORTED);
    return true;
  };

  const reportCalls = (message: Wire, line: number | undefined, isMeant = isAny): readonly AgentEvent[] => {
    const records = toWires(message.toolCalls);
    return records.filter(isMeant).flatMap((record) => {
      const call = findStartedCall(record);
      const at = findText(message, 'timestamp') ?? findText(record, 'timestamp');
      if (call === undefined) return skip('call without id or tool');
      if (at === undefined) return skip('record without time');
      const origin = { ...toOrigin(at, line), ...dropAbsent({ model: findText(message, 'model') }) };
      return reportCall({ origin, call, line }, record, records.length === 1);
    });
  };

  const reportCall = (asked: WaitingCall, record: Wire, isAlone: boolean): readonly AgentEvent[] => {
    const { origin, call } = asked;
    const result = findResult(call.tool, record);
    if (result === undefined) {
      if (!reported.has(`call ${call.callId}`) && !waiting.has(call.callId))
        keepNewest(waiting, call.callId, asked, MAX_WAITING);
      return [];
    }
    waiting.delete(call.callId);
    if (!isNew(`call ${call.callId}`)) return [];
    // The calls of a turn are recorded together when the last of them ended, so the time is not that of one call.
    const endedAt = isAlone && result.background !== true ? findText(record, 'timestamp') : undefined;
    return [toEnded(asked, endedAt === undefined ? result : withPairedMs(result, origin.at, endedAt))];
  };

  const reportWords = (message: Wire, line: number | undefined): readonly AgentEvent[] => {
    const event = findWords(message);
    const id = findText(message, 'id');
    if (event === undefined || (id !== undefined && !isNew(`message ${id}`))) return [];
    const at = findText(message, 'timestamp');
    if (at === undefined) return skip('record without time');
    const origin = toOrigin(at, line);
    // The task of a sub-agent arrives as a prompt, and its messages go to the agent that started it.
    if (origin.contextId !== '' && event.kind !== 'interrupted') return [];
    if (event.kind !== 'prompted') return [{ ...origin, ...event }];
    const left = leave();
    waiting.clear();
    return [...left, { ...origin, ...event }];
  };

  /** A message is recorded again when its calls have ended; its tokens count once. */
  const reportAnswer = (message: Wire, line: number | undefined): readonly AgentEvent[] => {
    const events = reportCalls(message, line);
    const [first] = events;
    if (first !== undefined) usage.add(first.contextId, findUsage(message), findText(message, 'id'));
    return usage.attach(events);
  };

  const isWaiting = (record: Wire): boolean => typeof record.id === 'string' && waiting.has(record.id);
  const leave = () => [...waiting.values()].map(toUnended);

  return {
    add(message, line) {
      const type = findText(message, 'type') ?? '';
      if (UNUSED_TYPES.has(type)) return [];
      if (type === 'user' || type === 'info') return reportWords(message, line);
      if (type === 'gemini') return [...reportWords(message, line), ...reportAnswer(message, line)];
      return skip(`unknown record: ${type.slice(0, 40) || 'message without type'}`);
    },
    repeat: (message, line, which) => reportCalls(message, line, which === 'all' ? isAny : isWaiting),
    leave,
    get oldestLine() {
      return waiting.values().next().value?.line;
    },
  };
}

function isAny(_record: Wire): boolean {
  return true;
}

/** The display name of a server's tool separates the two names, while the raw name joins them. */
const SHOWN_NAME = /^(?<tool>.+) \((?<server>.+) MCP Server\)$/;

/** Undefined for a record without an id or a tool. */
function findStartedCall(record: Wire): StartedCall | undefined {
  const names = findTexts(record, 'id', 'name');
  if (names === undefined) return undefined;
  const { id: callId, name: rawTool } = names;
  const tool = findMcpTool(SHOWN_NAME, findText(record, 'displayName') ?? '') ?? toCanonicalTool(CALL_FACTS, rawTool);
  return { callId, tool, rawTool, input: toToolInput(CALL_FACTS, tool, record.args) };
}

/** Gemini includes cached tokens in its input count; thoughts count as output. */
function findUsage(message: Wire): TokenUsage | undefined {
  const tokens = findWire(message, 'tokens') ?? {};
  const [all, cached = 0] = [findNumber(tokens, 'input'), findNumber(tokens, 'cached')];
  return toUsage(all === undefined ? undefined : all - cached, cached, sumFields(tokens, 'output', 'thoughts'));
}

type Words = { readonly kind: 'prompted' | 'said'; readonly text: string } | { readonly kind: 'interrupted' };

function findWords(message: Wire): Words | undefined {
  if (message.type === 'user') {
    const text = findPrompt(message);
    return text === undefined ? undefined : { kind: 'prompted', text };
  }
  const text = toText(message.content).trim();
  if (message.type === 'info') return text === INTERRUPTED ? { kind: 'interrupted' } : undefined;
  return text === '' ? undefined : { kind: 'said', text };
}
