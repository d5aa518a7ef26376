/**
 * The calls that an agent's hooks told and those that our reader finds in its files, where hooks have no call ids: the
 * same tool with the same input, in the same order, with the same end.
 */
import { findHistory } from '../../src/agents/histories.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import type { Checks } from './checks.ts';

export interface ToldCall {
  readonly rawTool: string;
  readonly input: unknown;
  readonly outcome: string;
  /** 0 is the same as none. */
  readonly exitCode?: number | undefined;
}

export type Row = EventOf<'call-ended'>;

export interface HomeRead {
  readonly files: number;
  readonly events: readonly AgentEvent[];
  /** By time, then by line: calls of one turn start at once. */
  readonly rows: readonly Row[];
  readonly skipped: readonly string[];
  /** Events that a second read tells, with what the first one had noted. */
  readonly again: number;
}

/** A client's home as a scan finds and reads it. */
export async function readHome(agent: string, home: string, env: Readonly<Record<string, string>>): Promise<HomeRead> {
  const history = findHistory(agent);
  if (history === undefined) throw new Error(`no history of ${agent}`);
  const files = listScanFiles({ agent, home, env });
  const events: AgentEvent[] = [];
  const skipped: string[] = [];
  let again = 0;
  for (const { path } of files) {
    const read = await readTranscriptFile({ path, history }, (more) => void events.push(...more));
    skipped.push(...[...read.skipped].map(([reason, count]) => `${reason}: ${count}`));
    await readTranscriptFile({ path, history, previous: read.state }, (more) => {
      again += more.length;
    });
  }
  const rows = events.filter((event) => event.kind === 'call-ended');
  const ordered = rows.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.line ?? 0) - (b.line ?? 0));
  return { files: files.length, events, rows: ordered, skipped, again };
}

/** Apart from the starts of one turn's calls. */
const SAME_TURN_MS = 10;

/** `others` are the rows of calls that fire no hook, in order: `tool outcome`. */
export function compareCalls(
  told: readonly ToldCall[],
  rows: readonly Row[],
  others: readonly string[],
  checks: Checks,
): void {
  const rest = [...rows];
  const found: number[] = [];
  const wrong: string[] = [];
  for (const call of told) {
    const at = rest.findIndex((row) => isSameCall(row, call));
    const [row] = at === -1 ? [] : rest.splice(at, 1);
    found.push(row === undefined ? -1 : rows.indexOf(row));
    const end = `${call.outcome} ${call.exitCode || '-'}`;
    if (row === undefined || toEnd(row) !== end)
      wrong.push(`${call.rawTool} ${JSON.stringify(call.input)} told ${end}, read ${row ? toEnd(row) : 'nothing'}`);
  }
  checks.check(
    `each of ${told.length} calls that hooks told is one row of the same tool, input and outcome`,
    told.length > 0 && wrong.length === 0,
    wrong.join('\n'),
  );
  // The hooks of one turn's calls run at once, in any order.
  const times = found.map((at) => Date.parse(rows[at]?.at ?? ''));
  const isInOrder = times.every((at, index) => index === 0 || at + SAME_TURN_MS >= (times[index - 1] ?? 0));
  checks.check('and in the same order', isInOrder, found.join(' '));
  const left = rest.map((row) => `${row.rawTool} ${judgeFacts(row).outcome}`);
  checks.check('the other rows are those of calls without hooks', left.join() === others.join(), left.join(', '));
  checks.check('no call id is there twice', new Set(rows.map((row) => row.callId)).size === rows.length);
}

function isSameCall(row: Row, { rawTool, input }: ToldCall): boolean {
  return row.rawTool === rawTool && row.input.json === JSON.stringify(input);
}

function toEnd(row: Row): string {
  return `${judgeFacts(row).outcome} ${row.result.exitCode || '-'}`;
}
