/**
 * A reader for Claude Code's transcripts. A call is told in two rows: what the assistant wanted and, on a later (in
 * some builds an earlier) line, what came of it. The event is made when both are known; its line is the wanting one.
 */
import type { LineReader, SessionFile } from '../../base/agent-history.ts';
import type { AgentEvent, EventOrigin } from '../../base/event.ts';
import { findText, findWire, toWires } from '../wire.ts';
import { isRowWire, type RowWire } from './claude-wire.ts';
import { findPrompt, findTurnText } from './find-prompt.ts';
import { openCopies } from './open-copies.ts';
import { openPairs } from './open-pairs.ts';
import { parseNotification } from './parse-notification.ts';
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
  const pairs = openPairs(skip);
  const copies = openCopies();

  const readRow = (row: RowWire, line: number): readonly AgentEvent[] => {
    if (!isUsed(row)) return NOTHING;
    if (copies.isCopy(row)) return NOTHING;
    const origin = findRowOrigin(row, fileOrigin, line);
    if (origin === undefined) return skip('row without time or session');
    if (row.type === 'assistant') return readCalls(row, origin, line);
    if (isHookRow(row)) return toHookFailures(row, origin);
    if (row.type === 'system') return readCompaction(origin);
    const results = toResults(row);
    return results.length === 0 ? readTurn(row, origin) : results.flatMap((result) => pairs.addResult(result, line));
  };

  const readCalls = (row: RowWire, origin: EventOrigin, line: number): readonly AgentEvent[] =>
    toWires(findWire(row, 'message')?.content)
      .filter((block) => block.type === 'tool_use')
      .flatMap((block) => {
        const [id, name] = [findText(block, 'id'), findText(block, 'name')];
        if (id === undefined || name === undefined) return skip('call without id or tool');
        return pairs.addCall({ origin, call: toStartedCall(name, block.input, id) }, line);
      });

  const readCompaction = (origin: EventOrigin): readonly AgentEvent[] => {
    return [...pairs.abandon(origin.contextId), { ...origin, kind: 'compacted' }];
  };

  const readTurn = (row: RowWire, origin: EventOrigin): readonly AgentEvent[] => {
    const end = parseNotification(findTurnText(row) ?? '');
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
    leave: pairs.leave,
    read(text, line) {
      copies.seeLine(text, line);
      if (!mayTell(text)) return NOTHING;
      const row = parseRow(text);
      return row === undefined ? skip('not a JSON object') : readRow(row, line);
    },
  };
}

const HEAD_CHARS = 1000;
const KIND = /"type":"(user|progress|file-history-snapshot)"/;
/** Words that stand in the other rows we use. */
const TELLING = ['"tool_use"', '"user"', '"compact_boundary"', '"queued_command"', '"type":"hook_', '"hookErrors":["'];

/**
 * Most of a transcript is thinking, progress and file copies: not worth parsing. Many rows say near their beginning what
 * they are; of the others those are parsed that hold a word that stands in every row we use.
 */
function mayTell(text: string): boolean {
  const kind = KIND.exec(text.slice(0, HEAD_CHARS))?.[1];
  if (kind !== undefined) return kind === 'user';
  return TELLING.some((word) => text.includes(word));
}

function parseRow(text: string): RowWire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRowWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
