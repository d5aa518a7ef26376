/**
 * `node test/reference/compare-corpus.ts codex DIR`: every session file under a folder, read by the product's reader and
 * by the reference, call by call. Run by hand: the sessions of real people are not in the project.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { findHistory } from '../../src/agents/histories.ts';
import type { AgentHistory } from '../../src/base/contracts/agent-history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { isHookRun } from '../../src/base/model/tool.ts';
import { readClaudeCodeReference } from './claude-code-reference.ts';
import { readCodexReference } from './codex-reference.ts';
import type { ReferenceCall, ReferenceOutcome, ReferenceReader } from './reference.ts';

const REFERENCES: Readonly<Record<string, ReferenceReader>> = {
  'claude-code': readClaudeCodeReference,
  codex: readCodexReference,
};
const OUTCOMES: readonly ReferenceOutcome[] = ['success', 'failure', 'cancelled', 'denied', 'open'];

type Ended = EventOf<'call-ended'> | EventOf<'background-ended'>;

const [agent = '', folder = ''] = process.argv.slice(2);
const history = findHistory(agent);
const reference = REFERENCES[agent];
if (history === undefined || reference === undefined || folder === '') {
  console.error(`usage: compare-corpus.ts ${Object.keys(REFERENCES).join('|')} FOLDER`);
  process.exit(2);
}
process.exit(compare(folder, history, reference) === 0 ? 0 : 1);

function compare(at: string, reader: AgentHistory, check: ReferenceReader): number {
  const ours = new Map<string, number>();
  const theirs = new Map<string, number>();
  const skipped = new Map<string, number>();
  const homes = new Map<string, string>();
  let differences = 0;
  let files = 0;
  for (const path of listFiles(at, reader)) {
    files++;
    const lines = readSession(path);
    const read = readOurs(reader, path, lines);
    const expected = new Map(check(path, lines).map((call) => [call.id, call]));
    for (const [reason, count] of read.skipped) add(skipped, reason, count);
    for (const call of read.calls.values()) {
      add(ours, toOutcome(call));
      const key = `${call.sessionId} ${call.contextId} ${call.callId}`;
      const other = homes.get(key);
      if (other !== undefined && other !== path) add(skipped, 'call told by two files');
      homes.set(key, path);
    }
    for (const call of expected.values()) add(theirs, call.outcome);
    differences += printDifferences(path, read.calls, expected);
  }
  printTotals(files, ours, theirs, skipped);
  console.log(`${differences} differences`);
  return differences;
}

function printDifferences(
  path: string,
  calls: ReadonlyMap<string, Ended>,
  expected: ReadonlyMap<string, ReferenceCall>,
): number {
  const found: string[] = [];
  for (const id of new Set([...calls.keys(), ...expected.keys()])) {
    const [call, other] = [calls.get(id), expected.get(id)];
    const mine = call === undefined ? 'missing' : toOutcome(call);
    const its = other === undefined ? 'missing' : other.outcome;
    const line = call?.line ?? other?.line;
    if (mine !== its)
      found.push(`  line ${line} ${call?.rawTool ?? other?.tool} ${id}: ours ${mine}, reference ${its}`);
  }
  if (found.length > 0) console.log([path, ...found].join('\n'));
  return found.length;
}

function printTotals(
  files: number,
  ours: Map<string, number>,
  theirs: Map<string, number>,
  skipped: Map<string, number>,
): void {
  console.log(`${files} files`);
  for (const [name, counts] of Object.entries({ ours, reference: theirs })) {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `${name.padEnd(10)} ${all} calls: ${OUTCOMES.map((key) => `${counts.get(key) ?? 0} ${key}`).join(', ')}`,
    );
  }
  console.log(`not used: ${[...skipped].map(([reason, count]) => `${reason} (${count})`).join(', ') || 'none'}`);
}

/** One outcome per call: an end in the background is told after the start. */
function readOurs(reader: AgentHistory, path: string, lines: readonly string[]) {
  const format = reader.formats.find((one) => one.file.test(path));
  if (format?.kind !== 'lines') throw new Error(`${path}: not a log of lines`);
  const session = format.open({ path, siblingFiles: {} });
  const { decode } = format;
  const events = lines.flatMap((line, index) => {
    // As a scan does: what a row is cut to before it is read must tell the same.
    const text = decode === undefined ? line : decode(Buffer.from(line));
    return text === '' ? [] : [...session.read(text, index + 1)];
  });
  const ended = [...events, ...(session.leave?.() ?? [])].filter(isEnded).filter((call) => !isHookRun(call));
  const calls = new Map<string, Ended>();
  for (const call of ended) calls.set(call.callId, call);
  return { calls, skipped: session.skipped };
}

function isEnded(event: AgentEvent): event is Ended {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

function toOutcome({ result }: Ended): ReferenceOutcome {
  if (result.denied !== undefined) return 'denied';
  if (result.unended === true) return 'open';
  if (result.cancelled === true) return 'cancelled';
  return result.isError || (result.exitCode ?? 0) !== 0 ? 'failure' : 'success';
}

function listFiles(at: string, reader: AgentHistory): readonly string[] {
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => reader.formats.some((format) => format.file.test(path)))
    .sort();
}

function readSession(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
  return text.trimEnd().split('\n');
}

function add(counts: Map<string, number>, key: string, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
