/**
 * Converts the end of a Codex call to a result, from the text that the model received and, preferably, from the row
 * that records the facts. Denied and cancelled calls differ from failures only by Codex's fixed sentences. For tools
 * other than shell and patch, that text is the only sign of a failure, because a rollout does not keep Codex's own
 * error flag.
 */

import type { RefusalSentence } from '../../base/contracts/agent-history.ts';
import type { CallResult, Denial, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { BY_HOOK, BY_RULE, BY_USER, CANCELLED, findStated, type Meaning, type MeaningSentence } from '../refusals.ts';
import { findNumber, findText, findWire, toBlocksText, type Wire } from '../wire.ts';
import type { ReportedOutput } from './reported-output.ts';

export function toResult(call: StartedCall, reported: ReportedOutput, facts: EndFacts | undefined): CallResult {
  const meaning = reported.isPlain ? findMeaning(reported.text) : undefined;
  if (meaning !== undefined) return { isError: meaning.denied !== undefined, text: cutText(reported.text), ...meaning };
  if (facts !== undefined) {
    const durationMs = facts.durationMs ?? reported.durationMs;
    return dropAbsent({ ...toFactsResult(facts), durationMs, text: facts.text ?? cutText(reported.text) });
  }
  if (call.tool === 'shell') return toShellResult(reported);
  const isError = reported.isPlain ? isPlainError(call, reported.text) : isReportedError(call, reported);
  const isRunning = reported.script === 'running';
  return dropAbsent({
    isError,
    text: cutText(reported.text),
    cancelled: reported.script === 'terminated' || undefined,
    background: isRunning || undefined,
    durationMs: isRunning ? undefined : reported.durationMs,
  });
}

/** For a call without an output row: a nested call, or one whose output is lost. */
export function toFactsResult({ processId: _, ...facts }: EndFacts): CallResult {
  return { ...facts, text: facts.text ?? '' };
}

function toShellResult(reported: ReportedOutput): CallResult {
  if (reported.isPlain) {
    const denial = parseSandboxDenial(reported.text);
    return { isError: true, ...denial, text: cutText(denial?.text ?? reported.text) };
  }
  const text = cutText(reported.text);
  if (reported.sessionId !== undefined) return { isError: false, background: true, text };
  const { exitCode = 0, durationMs } = reported;
  return dropAbsent({ isError: exitCode !== 0, exitCode: toRealCode(reported.exitCode), text, durationMs });
}

/**
 * The status that a patch or a script states. A call that writes to a running command reports the end of that command,
 * not its own.
 */
function isReportedError(call: StartedCall, reported: ReportedOutput): boolean {
  if (reported.script !== undefined) return reported.script === 'failed' && call.rawTool === 'exec';
  return call.tool === 'edit' && (reported.exitCode ?? 0) !== 0;
}

function isPlainError(call: StartedCall, text: string): boolean {
  return call.tool === 'edit' ? !text.startsWith('Success.') : isFailureText(call.rawTool, text);
}

/** Codex has its own, negative code for a command that never became a process. */
function toRealCode(code: number | undefined): number | undefined {
  return code === undefined || code < 0 ? undefined : code;
}

export interface EndFacts {
  readonly isError: boolean;
  readonly exitCode?: number;
  /** Absent if the row does not contain the output. */
  readonly text?: string;
  readonly denied?: Denial;
  readonly durationMs?: number;
  /** The number by which later calls name the command. */
  readonly processId?: string;
}

/** `CommandExecution`, `exec_command_end`. */
export function toCommandFacts(wire: Wire): EndFacts {
  const text = findText(wire, 'aggregated_output') ?? toPrinted(wire);
  const [durationMs, processId] = [findDurationMs(wire), findText(wire, 'process_id')];
  const base = dropAbsent({ text: cutText(text), durationMs, processId });
  if (wire.status === 'declined') return { ...base, isError: true, denied: toDenial(text) };
  const exitCode = toRealCode(findNumber(wire, 'exit_code'));
  if (exitCode === undefined) return { ...base, isError: wire.status !== 'completed' };
  return { ...base, isError: exitCode !== 0, exitCode };
}

/** `FileChange`, `patch_apply_end`. */
export function toPatchFacts(wire: Wire): EndFacts {
  const text = toPrinted(wire);
  const isDone = wire.status === 'completed' || (wire.status === undefined && wire.success !== false);
  return toFacts(wire, !isDone, text, wire.status === 'declined' ? toDenial(text) : undefined);
}

/** `McpToolCall`, `mcp_tool_call_end`: a result with a flag of its own, or an error. */
export function toMcpFacts(wire: Wire): EndFacts {
  const wrapped = findWire(wire, 'result') ?? {};
  const result = findWire(wrapped, 'Ok') ?? findWire(wrapped, 'ok') ?? wrapped;
  const error = findText(wrapped, 'Err') ?? findText(wrapped, 'err') ?? toErrorText(wire.error);
  const text = error ?? toBlocksText(result.content);
  const isError =
    error !== undefined || result.isError === true || result.is_error === true || wire.status === 'failed';
  return toFacts(wire, isError, text, findMeaning(error ?? '')?.denied);
}

/** `DynamicToolCall`, `dynamic_tool_call_response`, `CollabAgentToolCall`: done or not. */
export function toPlainFacts(wire: Wire): EndFacts {
  const text = toErrorText(wire.error) ?? toBlocksText(wire.content_items);
  const isError = wire.success === false || wire.status === 'failed' || toErrorText(wire.error) !== undefined;
  return toFacts(wire, isError, text);
}

function toFacts(wire: Wire, isError: boolean, text: string, denied?: Denial): EndFacts {
  return dropAbsent({ isError, text: cutText(text) || undefined, denied, durationMs: findDurationMs(wire) });
}

function toDenial(text: string): Denial {
  return findMeaning(text)?.denied ?? { by: 'rule' };
}

function toPrinted(wire: Wire): string {
  return [findText(wire, 'stdout'), findText(wire, 'stderr')].filter((text) => text !== undefined).join('\n');
}

function toErrorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error || undefined;
  return isRecord(error) ? findText(error, 'message') : undefined;
}

/** `{secs, nanos}`. */
function findDurationMs(wire: Wire): number | undefined {
  const duration = findWire(wire, 'duration') ?? {};
  const secs = findNumber(duration, 'secs');
  return secs === undefined ? undefined : Math.round(secs * 1000 + (findNumber(duration, 'nanos') ?? 0) / 1_000_000);
}

const HOOK_REFUSED = /^(?:Command|Tool call) blocked by (?<event>PreToolUse) hook: /;

/** Codex repeats the command after the reason. */
export const REFUSALS: readonly RefusalSentence[] = [{ before: HOOK_REFUSED, after: /\.? Command: [\s\S]*$/ }];

const MEANING_SENTENCES: readonly MeaningSentence[] = [
  [/^(?:Wall time: [\d.]+ seconds\n)?(?:command )?aborted(?: by user(?: after [\d.]+s)?)?\s*$/, CANCELLED],
  [/^user cancell?ed MCP tool call/, CANCELLED],
  [/\bwas cancelled before receiving a response$/, CANCELLED],
  [HOOK_REFUSED, BY_HOOK],
  [/^user rejected MCP tool call/, BY_USER],
  // Alone, or quoted by a failure to start the command; `rejected by user approval settings` is a rule.
  [/^(?:(?:exec command|patch) )?rejected by user(?! approval)/, BY_USER],
  [/^exec_command failed[\s\S]{0,4000}?Rejected\(\\*"(?:exec command )?rejected by user(?! approval)/, BY_USER],
  // The client uses the same word for a process that could not be started (no such folder), which nobody refused.
  [/^exec_command failed[\s\S]{0,4000}?\bRejected\((?!\\*"Failed to create )/, BY_RULE],
  [/^patch rejected: /, BY_RULE],
  [/^(?:exec command |`[\s\S]{1,4000}?` )?rejected(?:: | by configuration)/, BY_RULE],
  [/^approval policy is [\s\S]{1,200}?reject command/, BY_RULE],
  [/^automatic approval review denied the action/, BY_RULE],
];

export function findMeaning(text: string): Meaning | undefined {
  return findStated(MEANING_SENTENCES, text);
}

// Finds whether a tool other than shell and patch failed. A rollout does not keep Codex's own flag, so only the model's
// copy of the output shows it.

/** These tools answer with JSON; any other text is the reason of a failure. */
const JSON_TOOLS = new Set([
  ...['spawn_agent', 'resume_agent', 'close_agent', 'send_input'],
  ...['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'],
]);

const FAILURE_SENTENCES = [
  /^unsupported (?:custom tool )?call: /,
  /^failed to (?:parse|serialize|get|spawn) /,
  /^[\w ./]{1,60} failed: /,
  /^unable to (?:locate|read|process|resolve) /,
  /^image path `[^`]*` is not a file/,
  /^unknown (?:turn environment|process) id /i,
  /^(?:invalid agent id|agent with id) /,
  /^collab manager unavailable/,
  /^execution error: /,
  /^[\w.]{1,60} (?:handler received unsupported payload|arguments must be an object|expects JSON arguments)/,
  /^\w{1,60} is unavailable /,
];

function isFailureText(rawTool: string, text: string): boolean {
  if (JSON_TOOLS.has(rawTool)) return !/^\s*[{[]/.test(text) && text !== '';
  return FAILURE_SENTENCES.some((sentence) => sentence.test(text));
}

/**
 * The output of a command before the sandbox stopped it. Codex prints it inside its own error value, where the text is
 * escaped once or twice.
 */
interface SandboxDenial {
  readonly exitCode?: number;
  readonly text: string;
}

const SANDBOX_DENIED = /^exec_command failed[\s\S]{0,20000}?(?:Sandbox\(Denied|SandboxDenied) \{/;
const SANDBOX_OUTPUT = /aggregated_output: StreamOutput \{ text: (\\*)"([\s\S]*?)\1", truncated_after_lines/;
const SANDBOX_EXIT_CODE = /\bexit_code: (-?\d+)/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

function parseSandboxDenial(text: string): SandboxDenial | undefined {
  if (!SANDBOX_DENIED.test(text)) return undefined;
  const [, slashes, output] = SANDBOX_OUTPUT.exec(text) ?? [];
  const code = SANDBOX_EXIT_CODE.exec(text)?.[1];
  const once = toUnescaped(output ?? '');
  const printed = slashes === '' ? once : toUnescaped(once);
  return dropAbsent({ exitCode: code === undefined ? undefined : Number(code), text: printed || text });
}

function toUnescaped(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|([\s\S]))/g, (_all, hex: string | undefined, sign: string) =>
    hex === undefined ? (ESCAPES[sign] ?? sign) : toCharacter(Number.parseInt(hex, 16)),
  );
}

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
