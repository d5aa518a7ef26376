/**
 * A reader for Claude Code's transcripts. A call is told in two rows: what the assistant wanted and, on a later (in
 * some builds an earlier) line, what came of it. The event is made when both are known; its line is the wanting one.
 */
import type { LineReader, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/event.ts';
import type { TokenUsage } from '../../base/token-usage.ts';
import { openUsage, sumFields, toUsage } from '../open-usage.ts';
import { parseLine } from '../parse-line.ts';
import { findNumber, findText, findWire, toWires, type Wire } from '../wire.ts';
import { isRowWire, type RowWire } from './claude-wire.ts';
import { findChangedInput } from './find-changed-input.ts';
import { findPrompt, findTurnText } from './find-prompt.ts';
import { isInterruption } from './is-interruption.ts';
import { parseMemo, renderMemo } from './memo.ts';
import { openCopies } from './open-copies.ts';
import { openPairs } from './open-pairs.ts';
import { parseNotification } from './parse-notification.ts';
import { isKnownKind } from './row-kinds.ts';
import { toHookFailures } from './to-hook-failures.ts';
import { toResults } from './to-results.ts';
import { findRowOrigin, toFileOrigin } from './to-row-origin.ts';
import { toStartedCall } from './to-started-call.ts';

const NOTHING: readonly AgentEvent[] = [];

export function openTranscript(file: SessionFile): LineReader {
  const fileOrigin = toFileOrigin(file);
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return NOTHING;
  };
  const memo = parseMemo(file.memo);
  const pairs = openPairs(skip, memo.calls);
  const copies = openCopies(memo.bornAt);
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
      if (block.type === 'text') return toSaid(row, block, origin);
      if (block.type !== 'tool_use') return NOTHING;
      const [id, name] = [findText(block, 'id'), findText(block, 'name')];
      if (id === undefined || name === undefined) return skip('call without id or tool');
      return pairs.addCall({ origin, call: toStartedCall(name, block.input, id) }, line);
    });
  };

  const readCompaction = (origin: EventOrigin): readonly AgentEvent[] => {
    return [...pairs.abandon(origin.contextId), { ...origin, kind: 'compacted' }];
  };

  const readTurn = (row: RowWire, origin: EventOrigin): readonly AgentEvent[] => {
    const said = findTurnText(row) ?? '';
    if (isInterruption(row, said)) return origin.contextId === '' ? [{ ...origin, kind: 'interrupted' }] : NOTHING;
    const end = parseNotification(said);
    if (end !== undefined) return pairs.endBackground(end, origin);
    const text = findPrompt(row);
    if (text === undefined) return NOTHING;
    // A new turn: results of the last one would have come before it. What was queued meanwhile is no new turn.
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

/** Writing to the cache costs as much as reading anew, or more. */
function findUsage(message: Wire): TokenUsage | undefined {
  const told = findWire(message, 'usage') ?? {};
  const input = sumFields(told, 'input_tokens', 'cache_creation_input_tokens');
  return toUsage(input, findNumber(told, 'cache_read_input_tokens'), findNumber(told, 'output_tokens'));
}

/** The name of the model where Claude Code itself answers: errors of the service, nothing to say. */
const NO_MODEL = '<synthetic>';

/** What asks agents for reports asks sub-agents too. */
const REPORT = /^[ \t]*(?:#lesson\b|\[PROCESS_KNOWLEDGE\])/m;

/** What a sub-agent says is for the agent that sent it, but for its reports. */
function toSaid(row: RowWire, block: Wire, origin: EventOrigin): readonly AgentEvent[] {
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
  return row.type === 'attachment' && String(findWire(row, 'attachment')?.type).startsWith('hook_');
}
