/**
 * Reads Claude Code's session transcripts: one JSONL file per session and one per sub-agent. A call has two rows, the
 * assistant's request and, on a later (in some builds an earlier) line, its result; the reader makes the event when it
 * has both, and gives it the line of the request.
 */

import type { AgentHistory, LineReader, SessionFile } from '../../base/contracts/agent-history.ts';
import { hashText } from '../../base/ids.ts';
import type { AgentEvent, CallResult, EventOf, EventOrigin, TokenUsage } from '../../base/model/event.ts';
import { HOOK_TOOL_PREFIX } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { makeOrigin, NOTHING, openSkips } from '../history-events.ts';
import { openUsage, sumFields, toUsage } from '../token-usage.ts';
import { findNumber, findText, findTexts, findWire, parseLine, toWires, type Wire } from '../wire.ts';
import { readCall } from './calls.ts';
import { COPIED_ROWS, openCopies } from './copies.ts';
import { decodeRow } from './decode-row.ts';
import { facts } from './facts.ts';
import { NO_MODEL } from './last-messages.ts';
import { openPairs, parseNotes, renderMemo, toResults } from './open-calls.ts';
import { findPrompt, findTurnText } from './prompts.ts';
import { parseNotification, REFUSALS, toText } from './results.ts';
import { isKnownKind } from './row-kinds.ts';
import { isRowWire, type RowWire } from './wire.ts';

/** Names that no other agent uses. Quotes in a text are escaped, so a session that quotes such a row does not match. */
const MARKS = /"(?:parentUuid|leafUuid|isSidechain)":|^\s*\{"type":"file-history-snapshot"/;
/** A file may begin with notes about the session that contain only its id. */
const SESSION_NOTE = /^\s*\{"type":"([^"]{1,60})",(?=[\s\S]*"sessionId":)/;

function isOurs(head: string): boolean {
  return MARKS.test(head) || isKnownKind(SESSION_NOTE.exec(head)?.[1] ?? '');
}

/** The protocol that asks for reports also goes to sub-agents. */
const REPORT = /^[ \t]*(?:#lesson\b|\[PROCESS_KNOWLEDGE\])/m;

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;

const STATUS_PREFIX = /^Failed with non-blocking status code: /;

/** `doctor` handles our own hooks. */
const OURS = /\boncebitten\b/;

export const claudeCodeHistory: AgentHistory = {
  facts,
  refusals: REFUSALS,
  places: ['projects'],
  formats: [{ kind: 'lines', file: /\.jsonl$/, isOurs, open: openTranscript, decode: decodeRow, copies: COPIED_ROWS }],
  version: 6,
};

export function openTranscript(file: SessionFile): LineReader {
  const fileOrigin = toFileOrigin(file);
  const { skipped, skip } = openSkips();
  const memo = parseNotes(file.memo);
  const pairs = openPairs(skip, memo.calls);
  const copies = openCopies(file, memo.bornAt);
  const usage = openUsage();
  let noted = { bornAt: memo.bornAt, calls: pairs.notes, text: renderMemo(memo) };

  const readRow = (row: Wire, line: number): readonly AgentEvent[] => {
    if (!isRowWire(row)) return skip('unknown record: no type');
    if (!isUsed(row)) return isKnownKind(row.type) ? NOTHING : skip(`unknown record: ${row.type.slice(0, 40)}`);
    if (copies.isCopy(row)) return NOTHING;
    const origin = findRowOrigin(row, fileOrigin, line);
    if (origin === undefined) return skip('row without time or session');
    if (row.type === 'assistant') return readAnswer(row, origin, line);
    if (isHookRow(row)) return readHookRow(row, origin);
    if (row.type === 'system') return readCompaction(origin);
    const results = toResults(row);
    return results.length === 0
      ? readTurn(row, origin)
      : results.flatMap((result) => pairs.addResult(result, origin, line));
  };

  const readHookRow = (row: RowWire, origin: EventOrigin): readonly AgentEvent[] => {
    const changed = findChangedInput(row);
    if (changed !== undefined) pairs.changeInput(changed.callId, changed.input);
    return toHookFailures(row, origin);
  };

  const readAnswer = (row: RowWire, origin: EventOrigin, line: number): readonly AgentEvent[] => {
    const message = findWire(row, 'message') ?? {};
    usage.add(origin.contextId, findUsage(message), findText(message, 'id'));
    return toWires(message.content).flatMap((block) => {
      if (block.type === 'text') return toMessageEvents(row, block, origin);
      if (block.type !== 'tool_use') return NOTHING;
      const { id, name } = findTexts(block, 'id', 'name') ?? {};
      if (id === undefined || name === undefined) return skip('call without id or tool');
      return pairs.addCall({ origin, call: readCall(name, block.input, id) }, line);
    });
  };

  const readCompaction = (origin: EventOrigin): readonly AgentEvent[] => {
    return [...pairs.abandon(origin.contextId), { ...origin, kind: 'compacted' }];
  };

  const readTurn = (row: RowWire, origin: EventOrigin): readonly AgentEvent[] => {
    const turn = findTurnText(row) ?? '';
    if (isInterruption(row, turn)) return origin.contextId === '' ? [{ ...origin, kind: 'interrupted' }] : NOTHING;
    const end = parseNotification(turn);
    if (end !== undefined) return pairs.endBackground(end, origin);
    const text = findPrompt(row);
    if (text === undefined) return NOTHING;
    // A new turn; results of the last one would have come before it. A queued prompt is not a new turn.
    const left = row.type === 'user' ? pairs.abandon(origin.contextId) : [];
    return [...left, { ...origin, kind: 'prompted', text }];
  };

  return {
    skipped,
    get pendingLine() {
      return pairs.oldestLine;
    },
    get memo() {
      const { bornAt } = copies;
      const { notes: calls } = pairs;
      if (noted.bornAt !== bornAt || noted.calls !== calls) {
        noted = { bornAt, calls, text: renderMemo({ bornAt, calls }) };
      }
      return noted.text;
    },
    leave: pairs.leave,
    read(text, line) {
      copies.seeLine(text, line);
      if (text === '') return NOTHING;
      const { rows, fault } = parseLine(text);
      if (fault !== undefined && text.trim() !== '') skip(fault);
      return usage.attach(rows.flatMap((row) => readRow(row, line)));
    },
  };
}

/** Writing to the cache costs as much as an uncached read, or more. */
function findUsage(message: Wire): TokenUsage | undefined {
  const usage = findWire(message, 'usage') ?? {};
  const input = sumFields(usage, 'input_tokens', 'cache_creation_input_tokens');
  return toUsage(input, findNumber(usage, 'cache_read_input_tokens'), findNumber(usage, 'output_tokens'));
}

/** The messages of a sub-agent are for the agent that started it, except for its reports. */
function toMessageEvents(row: RowWire, block: Wire, origin: EventOrigin): readonly AgentEvent[] {
  const text = findText(block, 'text');
  if (text === undefined || (origin.contextId !== '' && !REPORT.test(text))) return NOTHING;
  if (row.isApiErrorMessage === true || origin.model === NO_MODEL) return NOTHING;
  return [{ ...origin, kind: 'said', text }];
}

function isUsed(row: RowWire): boolean {
  if (isHookRow(row)) return true;
  if (row.type === 'system') return row.subtype === 'compact_boundary';
  if (row.type === 'attachment') return findWire(row, 'attachment')?.type === 'queued_command';
  return row.type === 'assistant' || row.type === 'user';
}

function isHookRow(row: RowWire): boolean {
  if (row.type === 'system') return row.subtype === 'stop_hook_summary';
  return row.type === 'attachment' && findText(findWire(row, 'attachment') ?? {}, 'type')?.startsWith('hook_') === true;
}

/** Does a row in the user's name say that they interrupted the agent? */
function isInterruption(row: RowWire, text: string): boolean {
  return row.type === 'user' && row.interruptedByShutdown !== true && INTERRUPTED.test(text.trim());
}

/** The place and time of a transcript row: from the row itself, else from the path of the file. */
interface FileOrigin {
  readonly path: string;
  readonly sessionId: string;
  readonly contextId: string;
}

/** `<session>.jsonl`, or `<session>/subagents/…/agent-<id>.jsonl`. */
function toFileOrigin(file: SessionFile): FileOrigin {
  const parts = file.path.split(/[/\\]/);
  const name = (parts.pop() ?? '').replace(/\.jsonl$/, '');
  const folder = parts.lastIndexOf('subagents');
  const contextId = name.startsWith('agent-') ? name.slice('agent-'.length) : '';
  const sessionId = contextId === '' ? name : folder > 0 ? (parts[folder - 1] ?? '') : '';
  return { path: file.path, sessionId, contextId };
}

/** Undefined for a row without a time or a session. */
function findRowOrigin(row: RowWire, file: FileOrigin, line: number): EventOrigin | undefined {
  const at = findText(row, 'timestamp');
  // `/branch` copies the rows before it and names their session.
  const forkedFrom = findText(findWire(row, 'forkedFrom') ?? {}, 'sessionId');
  const sessionId = forkedFrom ?? findText(row, 'sessionId') ?? file.sessionId;
  if (at === undefined || sessionId === '') return undefined;
  return makeOrigin({
    agent: facts.id,
    sessionId,
    contextId: toContextId(row, file),
    at,
    cwd: findText(row, 'cwd'),
    branch: findText(row, 'gitBranch'),
    model: findText(findWire(row, 'message') ?? {}, 'model'),
    agentVersion: findText(row, 'version'),
    transcriptPath: file.path,
    line,
  });
}

/** Old builds wrote sub-agents into the main file, marked but without a name. */
function toContextId(row: RowWire, file: FileOrigin): string {
  if (row.isSidechain !== true) return file.contextId;
  return findText(row, 'agentId') ?? (file.contextId || 'sidechain');
}

type Failure = EventOf<'call-ended'>;

/**
 * Reads what the user's own hooks did: hooks that failed, and hooks that changed the input of a call. A failed hook
 * becomes a call of the tool `hook:<name>`, which cannot be taken for a call of the agent. A changed input replaces the
 * one that the model wrote, because otherwise a corrected command would look as if it had worked unchanged.
 */
function toHookFailures(row: RowWire, origin: EventOrigin): readonly Failure[] {
  const attachment = findWire(row, 'attachment');
  if (attachment !== undefined) return toFailure(attachment, origin);
  // Builds without such rows report hooks only at the end of a turn; later builds report them twice.
  const errors = Array.isArray(row.hookErrors) ? row.hookErrors.filter((error) => typeof error === 'string') : [];
  return errors.flatMap((stderr) =>
    toFailure({ type: 'hook_non_blocking_error', hookName: 'Stop', toolUseID: row.toolUseID, stderr }, origin),
  );
}

function toFailure(wire: Wire, origin: EventOrigin): readonly Failure[] {
  const result = findHookResult(wire);
  const name = findText(wire, 'hookName') ?? findText(wire, 'hookEvent');
  const command = findText(wire, 'command') ?? findText(findWire(wire, 'blockingError') ?? {}, 'command');
  if (result === undefined || name === undefined || OURS.test(command ?? '')) return [];
  // The id contains the text, because a row and the summary of the turn report the same failure.
  const callId = `hook-${findText(wire, 'toolUseID') ?? origin.at}-${hashText(`${wire.type} ${result.text}`)}`;
  const input = { json: JSON.stringify({ hook: name, command }) };
  return [
    { ...origin, kind: 'call-ended', callId, tool: 'other', rawTool: `${HOOK_TOOL_PREFIX}${name}`, input, result },
  ];
}

function findHookResult(wire: Wire): CallResult | undefined {
  const time = dropAbsent({ durationMs: findNumber(wire, 'durationMs') });
  switch (wire.type) {
    case 'hook_non_blocking_error': {
      const text = toText(wire.stderr).replace(STATUS_PREFIX, '').trim();
      return dropAbsent({ isError: true, exitCode: findNumber(wire, 'exitCode'), text, ...time });
    }
    case 'hook_blocking_error':
      return { isError: true, text: toText(findWire(wire, 'blockingError')?.blockingError).trim(), ...time };
    // Timed out or interrupted; the row does not say which.
    case 'hook_cancelled':
      return { isError: true, cancelled: true, text: '', ...time };
    default:
      return undefined;
  }
}

/** The input that a hook gave to a call: that input ran, while the row of the call still has what the model wrote. */
function findChangedInput(row: Wire): { readonly callId: string; readonly input: Wire } | undefined {
  const attachment = findWire(row, 'attachment') ?? {};
  if (attachment.type !== 'hook_success' || attachment.hookEvent !== 'PreToolUse') return undefined;
  const callId = findText(attachment, 'toolUseID');
  const stdout = findText(attachment, 'stdout') ?? '';
  // A quick test, because most hooks change nothing and parsing is costly.
  if (callId === undefined || !stdout.includes('"updatedInput"')) return undefined;
  const [answer = {}] = parseLine(stdout).rows;
  const input = findWire(findWire(answer, 'hookSpecificOutput') ?? {}, 'updatedInput');
  return input && { callId, input };
}
