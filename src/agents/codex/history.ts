/**
 * Reads the rollouts of the Codex CLI: one file per thread, appended line by line and sometimes compressed later. A
 * call has one row for the model's request, one for the text that the model received, and a third with all facts,
 * between them or long after (an item in a paginated file, an event in a legacy file); the reader makes one event per
 * call, with the line of the request. In code mode the model writes a script, and its calls come from their third rows,
 * or from the script if these rows are missing.
 */

import type { AgentHistory, LineReader, SessionFile } from '../../base/contracts/agent-history.ts';
import type { AgentEvent, EventOrigin, TokenUsage } from '../../base/model/event.ts';
import { makeOrigin, NOTHING, openSkips } from '../history-events.ts';
import { openUsage, toUsage } from '../token-usage.ts';
import { findNumber, findWire, parseLine, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { findScriptReader, loadScriptReader } from './nested-calls.ts';
import { openCalls } from './open-calls.ts';
import { REFUSALS } from './results.ts';
import { ROW_READERS } from './row-readers.ts';
import { findRow, isUnusedKind, mayMatter, type RowWire } from './rows.ts';
import {
  findRepository,
  isCopied,
  type Memo,
  parseThreadMemo,
  type Thread,
  toFileThread,
  toMetaThread,
  toReachedThread,
  toTurnThread,
} from './thread.ts';

/** The first row of every rollout; its record type comes before the payload. */
const MARKS =
  /"type":"session_meta"|"(?:rollout_id|cli_version|originator)":|"type":"(?:response_item|event_msg)","payload":/;

/** The beginning of such a file if it is read as text. No other agent has compressed logs. */
const ZSTD = '(\uFFFD/\uFFFD';

const TOKEN_COUNT = 'event_msg/token_count';

export const codexHistory: AgentHistory = {
  facts,
  refusals: REFUSALS,
  places: ['sessions', 'archived_sessions'],
  formats: [
    { kind: 'lines', file: /\.jsonl$/, isOurs: (head) => MARKS.test(head), open: openRollout },
    {
      kind: 'lines',
      file: /\.jsonl\.zst$/,
      compression: 'zstd',
      isOurs: (head) => head.startsWith(ZSTD),
      open: openRollout,
    },
  ],
  version: 2,
};

export function openRollout(file: SessionFile): LineReader {
  const memo = parseThreadMemo(file.memo);
  const { skipped, skip } = openSkips();
  const usage = openUsage();
  const calls = openCalls(memo ?? { running: [], open: [] }, skip);
  let thread = memo?.thread ?? toFileThread(file);
  let isFirst = memo === undefined;
  let noted = { thread, version: calls.version, text: file.memo };

  const readRow = (row: RowWire, line: number): readonly AgentEvent[] => {
    if (row.kind === 'session_meta') {
      thread = toMetaThread(thread, row, isFirst);
      isFirst = false;
      return NOTHING;
    }
    thread = toReachedThread(thread, row);
    if (isCopied(thread, row)) return NOTHING;
    if (row.kind === 'turn_context') {
      thread = toTurnThread(thread, row.payload);
      return NOTHING;
    }
    if (row.kind === TOKEN_COUNT) {
      usage.add(thread.contextId, findUsage(row.payload));
      return NOTHING;
    }
    const read = ROW_READERS.get(row.kind);
    if (read === undefined) return isUnusedKind(row.kind) ? NOTHING : skip(`unknown record: ${row.kind}`);
    if (row.at === undefined) return skip('row without time');
    return read({ row, line, thread, calls, skip, origin: toOrigin(thread, file.path, row.at, line) });
  };

  return {
    skipped,
    get loading() {
      return calls.hasScripts && findScriptReader() === undefined ? loadScriptReader() : undefined;
    },
    get pendingLine() {
      return calls.oldestLine;
    },
    get memo() {
      if (isFirst) return undefined;
      if (noted.thread !== thread || noted.version !== calls.version || noted.text === undefined) {
        noted = { thread, version: calls.version, text: JSON.stringify({ thread, ...calls.notes } satisfies Memo) };
      }
      return noted.text;
    },
    leave: calls.leave,
    read(text, line) {
      if (text === '' || !mayMatter(text)) return NOTHING;
      const { rows, fault } = parseLine(text);
      if (fault !== undefined) skip(fault);
      return usage.attach(
        rows.flatMap((wire) => {
          const row = findRow(wire);
          return row === undefined ? skip('unknown record: no type') : readRow(row, line);
        }),
      );
    },
  };
}

/** The usage of the last answer. Codex includes cached tokens in its input count. */
function findUsage(payload: Wire): TokenUsage | undefined {
  const usage = findWire(findWire(payload, 'info') ?? {}, 'last_token_usage') ?? {};
  const [all, cached = 0] = [findNumber(usage, 'input_tokens'), findNumber(usage, 'cached_input_tokens')];
  return toUsage(all === undefined ? undefined : all - cached, cached, findNumber(usage, 'output_tokens'));
}

function toOrigin(thread: Thread, transcriptPath: string, at: string, line: number): EventOrigin {
  const { sessionId, contextId, cwd, branch, model, agentVersion } = thread;
  const place = { cwd, branch, ...findRepository(thread), transcriptPath, line };
  return makeOrigin({ agent: facts.id, sessionId, contextId, at, ...place, model, agentVersion });
}
