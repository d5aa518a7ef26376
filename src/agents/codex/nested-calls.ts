/**
 * Finds the calls that a code-mode script of Codex made, and the rows of the rollout that belong to them. The script
 * reader is loaded with the first script, because it brings a JavaScript parser that sessions without scripts, and
 * everything that runs while an agent waits, do not need.
 */

import type { CallResult, StartedCall } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { endsWithPath } from '../../base/text/paths.ts';
import { cutText } from '../calls.ts';
import type { BegunCall } from '../history-events.ts';
import { toJson, type Wire } from '../wire.ts';
import { toCustomCall, toCwd, toFunctionCall, toToolName } from './calls.ts';
import { parseReportedOutput, type ReportedOutput } from './reported-output.ts';
import { toResult } from './results.ts';
import type { ScriptOutput } from './scripts/follow-way.ts';
import type { ScriptCall, ScriptEnd } from './scripts/read-script.ts';

export interface Script {
  readonly source: string;
  /** Commands that the script runs have rows of their own once they have ended. */
  readonly isPaged: boolean;
}

export interface NestedCall extends BegunCall {
  readonly result: CallResult;
  /** The id of a command that continues after the script: `session 1234`. */
  readonly key?: string;
  /** The running command of an earlier script to whose input this call writes. */
  readonly stdinOf?: string;
  /** The exit code of that command. */
  readonly stdinExit?: number;
  /** The script received a result, so the call has a row if such calls have rows. */
  readonly isResolved: boolean;
}

/** A row with the end of a call that no request row names. */
export interface NestedRow {
  readonly call: StartedCall;
}

interface NestedRead {
  /** Calls without rows of their own. */
  readonly calls: readonly NestedCall[];
  /** The rows of this script's calls. */
  readonly claimed: readonly NestedRow[];
  /** The script ended because this call was rejected, which the call itself reports. */
  readonly isFailureOfCall: boolean;
  readonly unsure: number;
}

const NONE: NestedRead = { calls: [], claimed: [], isFailureOfCall: false, unsure: 0 };

export function readNested(
  { source, isPaged }: Script,
  outputs: readonly ScriptOutput[],
  waiting: BegunCall,
  rows: readonly NestedRow[],
): NestedRead {
  const reader = findScriptReader();
  if (reader === undefined) return NONE;
  const read = reader.readScript(source, joinOutputs(outputs));
  const made = read.calls.map((call) => toNested(call, waiting));
  const { rest, claimed } = claimRows(made, rows, isPaged);
  return {
    calls: rest.filter(({ call }) => !(isPaged && call.tool === 'shell' && isUnknown(call))),
    claimed,
    isFailureOfCall: read.calls.some(({ id }) => id === read.failedId),
    unsure: read.unsure,
  };
}

/**
 * The output of a script as the model received it: Codex's own lines are the first block, and each text of the script
 * is another one.
 */
export function toScriptOutput(reported: ReportedOutput, blocks: readonly (string | undefined)[]): ScriptOutput {
  // Codex stopped the script and says so instead.
  if (reported.script === undefined) return { status: 'terminated', blocks: [] };
  const [header = '', ...texts] = blocks;
  const alone = parseReportedOutput(header).text;
  const printed = texts.length === 0 && alone !== '' ? [alone] : texts;
  const status = reported.script;
  const isCut = printed.length === 1 && CUT.test(printed[0] ?? '');
  if (status !== 'failed') return { status, blocks: printed, ...(isCut ? { isCut } : {}) };
  const last = printed.at(-1) ?? '';
  const at = last.startsWith(ERROR) ? 0 : isCut ? last.lastIndexOf(`\n${ERROR}`) : -1;
  if (at === -1) return { status, blocks: printed };
  const before = at === 0 ? printed.slice(0, -1) : [last.slice(0, at)];
  return { status, blocks: before, error: last.slice(at).trimStart().slice(ERROR.length), ...(isCut ? { isCut } : {}) };
}

const ERROR = 'Script error:\n';
const CUT = /^Warning: truncated output[^\n]*\n[\s\S]*…\d+ tokens truncated…/;

/** The output of a script that was waited for comes in parts. */
function joinOutputs(outputs: readonly ScriptOutput[]): ScriptOutput {
  const last = outputs.at(-1) ?? { status: 'running', blocks: [] };
  const isCut = outputs.some((output) => output.isCut === true);
  const blocks = isCut && outputs.length > 1 ? [] : outputs.flatMap((output) => output.blocks);
  return { ...last, blocks, ...(isCut ? { isCut } : {}) };
}

function toNested(made: ScriptCall, { origin, call }: BegunCall): NestedCall {
  const started = toStarted({ ...made, tool: toPlainName(made.tool) }, `${call.callId}.${made.id}`);
  const { workdir, session_id: target }: Wire = typeof made.input === 'string' ? {} : made.input;
  const cwd = toCwd(typeof workdir === 'string' ? workdir : undefined, origin.cwd);
  const { sessionId, exitCode } = made.end;
  const isShell = started.tool === 'shell';
  const isStdin = made.tool === 'write_stdin' && target !== undefined;
  return dropAbsent({
    origin: isShell && cwd !== undefined ? { ...origin, cwd } : origin,
    call: started,
    result: toNestedResult(started, made.end),
    isResolved: made.end.how === 'resolved',
    key: isShell && sessionId !== undefined ? `session ${sessionId}` : undefined,
    stdinOf: isStdin ? `session ${target}` : undefined,
    stdinExit: isStdin ? exitCode : undefined,
  });
}

/** A script names a tool with its group (`multi_agent_v1__spawn_agent`); hooks do so only for servers. */
function toPlainName(tool: string): string {
  return tool.startsWith('mcp__') ? tool : (tool.split('__').at(-1) ?? tool);
}

/** The call as it would be made outside a script. Text that the script computes while it runs is unknown. */
function toStarted({ tool, input, isComplete, source }: ScriptCall, callId: string): StartedCall {
  const hasCommand = typeof input !== 'string' && typeof input.cmd === 'string';
  const isKnown = toToolName(tool) === 'shell' ? hasCommand : isComplete;
  if (!isKnown) return { callId, tool: toToolName(tool), rawTool: tool, input: { json: toJson({ source }) } };
  if (typeof input === 'string') return toCustomCall({ input }, callId, tool);
  return toFunctionCall({ arguments: JSON.stringify(input) }, callId, tool);
}

function isUnknown({ tool, input }: StartedCall): boolean {
  return (tool === 'shell' && input.command === undefined) || (tool === 'edit' && input.path === undefined);
}

function toNestedResult(call: StartedCall, end: ScriptEnd): CallResult {
  const text = cutText(end.text ?? '');
  if (end.how === 'cancelled') return { isError: false, text, cancelled: true };
  if (end.how === 'unknown') return { isError: false, text, unended: true };
  if (end.how === 'rejected') return toRejected(call, end.text ?? '');
  if (call.tool === 'shell') {
    const { exitCode, sessionId, durationMs } = end;
    if (exitCode !== undefined)
      return dropAbsent({ isError: exitCode !== 0, exitCode: exitCode < 0 ? undefined : exitCode, text, durationMs });
    return { isError: false, text, ...(sessionId === undefined ? { unended: true } : { background: true }) };
  }
  if (call.tool.startsWith('mcp:') && end.isError === undefined) return { isError: false, text, unended: true };
  return { isError: end.isError === true, text };
}

/** A tool that throws was refused, stopped, or failed. */
function toRejected(call: StartedCall, text: string): CallResult {
  const result = toResult(call, { text, isPlain: true }, undefined);
  return result.cancelled === true || result.denied !== undefined ? result : { ...result, isError: true };
}

/**
 * First the rows with the same content. Then rows of calls that certainly have one: the script computed the text while
 * it ran, or a hook changed the command.
 */
function claimRows(made: readonly NestedCall[], rows: readonly NestedRow[], isPaged: boolean) {
  const free = new Set(rows);
  const claim = (isRow: (row: NestedRow) => boolean): boolean => {
    const row = [...free].find(isRow);
    return row !== undefined && free.delete(row);
  };
  const unlike = made.filter((nested) => !claim((row) => isSame(nested.call, row.call)));
  const rest = unlike.filter(({ call, isResolved, key }) => {
    const hasRow = call.tool === 'shell' ? isPaged && key === undefined : call.tool === 'edit';
    return !((hasRow && isResolved) || isUnknown(call)) || !claim((row) => row.call.tool === call.tool);
  });
  return { rest, claimed: rows.filter((row) => !free.has(row)) };
}

function isSame(call: StartedCall, row: StartedCall): boolean {
  if (call.tool === 'shell') return call.input.command !== undefined && call.input.command === row.input.command;
  if (call.tool === 'edit') return row.tool === 'edit' && isSamePatch(call.input.path, row.input.path);
  // Server names are converted to JavaScript identifiers.
  return toIdentifier(call.rawTool) === toIdentifier(row.rawTool);
}

/** A patch names its file relative to the working directory, the row relative to the root. */
function isSamePatch(patch: string | undefined, changed: string | undefined): boolean {
  return patch !== undefined && changed !== undefined && endsWithPath(changed, patch);
}

function toIdentifier(name: string): string {
  return name.replace(/\W/g, '_');
}

type ScriptReader = typeof import('./scripts/read-script.ts');

let loadedReader: ScriptReader | undefined;

/** Undefined until it is loaded. */
export function findScriptReader(): ScriptReader | undefined {
  return loadedReader;
}

export async function loadScriptReader(): Promise<void> {
  loadedReader = await import('./scripts/read-script.ts');
}
