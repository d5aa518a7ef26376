/** Parses the text that the model received for a call: Codex's own lines, and the output below them. */

import { dropAbsent, parseRecord } from '../../base/records.ts';
import { findNumber, findText, findWire } from '../wire.ts';

export interface ReportedOutput {
  /** The output alone. */
  readonly text: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** For a command that continues: the number by which later calls name it. */
  readonly sessionId?: string;
  /** A script of the code mode. */
  readonly script?: 'completed' | 'failed' | 'terminated' | 'running';
  /** For a script that continues. */
  readonly cellId?: string;
  /** There are no such lines; usually Codex says why it did not run the call. */
  readonly isPlain: boolean;
}

/** Old builds repeated the command, which may have many lines. */
const EXEC =
  /^(?:Command: [\s\S]{1,200000}?\n)?(?:Chunk ID: \S*\n)?Wall time: ([\d.]+) seconds\n(?:Process exited with code (-?\d+)\n)?(?:Process running with session ID (\d+)\n)?(?:Original token count: \d+\n)?Output:(?:\n|$)/;
const EXIT = /^Exit code: (-?\d+)\nWall time: ([\d.]+) seconds\n(?:Total output lines: \d+\n)?Output:(?:\n|$)/;
const SCRIPT =
  /^Script (completed|failed|terminated|running)(?: with cell ID (\S+))?\nWall time:? ([\d.]+) seconds\nOutput:\n*/;
const LINES = /^(?:Warning: truncated output[^\n]*\n)?Total output lines: \d+\n\n?/;

export function parseReportedOutput(text: string): ReportedOutput {
  return parseExec(text) ?? parseExit(text) ?? parseScript(text) ?? parseJson(text) ?? { text, isPlain: true };
}

function parseExec(text: string): ReportedOutput | undefined {
  const found = EXEC.exec(text);
  if (found === null) return undefined;
  const [header, seconds, code, sessionId] = found;
  return dropAbsent({
    text: text.slice(header.length).replace(LINES, ''),
    durationMs: toMs(Number(seconds)),
    exitCode: code === undefined ? undefined : Number(code),
    sessionId,
    isPlain: false,
  });
}

function parseExit(text: string): ReportedOutput | undefined {
  const found = EXIT.exec(text);
  if (found === null) return undefined;
  const [header, code, seconds] = found;
  const durationMs = toMs(Number(seconds));
  return dropAbsent({ text: text.slice(header.length), exitCode: Number(code), durationMs, isPlain: false });
}

function parseScript(text: string): ReportedOutput | undefined {
  const found = SCRIPT.exec(text);
  if (found === null) return undefined;
  const [header, status, cellId, seconds] = found;
  return dropAbsent({
    text: text.slice(header.length).replace(/^Script error:\n/, ''),
    script: status as NonNullable<ReportedOutput['script']>,
    cellId,
    durationMs: toMs(Number(seconds)),
    isPlain: false,
  });
}

/** `{"output": …, "metadata": {"exit_code", "duration_seconds"}}`: patches and the shell of older builds. */
function parseJson(text: string): ReportedOutput | undefined {
  const wire = text.startsWith('{"output":') ? parseRecord(text) : undefined;
  const metadata = findWire(wire ?? {}, 'metadata');
  if (wire === undefined || metadata === undefined) return undefined;
  return dropAbsent({
    text: findText(wire, 'output') ?? '',
    exitCode: findNumber(metadata, 'exit_code'),
    durationMs: toMs(findNumber(metadata, 'duration_seconds')),
    isPlain: false,
  });
}

function toMs(seconds = Number.NaN): number | undefined {
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined;
}
