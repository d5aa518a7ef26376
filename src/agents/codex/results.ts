/**
 * Converts the end of a Codex call to a result, from the text that the model received and, preferably, from the row
 * that records the facts. Denied and cancelled calls differ from failures only by Codex's fixed sentences. For tools
 * other than shell and patch, that text is the only sign of a failure, because a rollout does not keep Codex's own
 * error flag.
 */

import type { RefusalSentence } from '../../base/contracts/agent-history.ts';
import type { CallResult, Denial, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { isOwnRefusal } from '../../base/text/own-refusal.ts';
import { cutText } from '../call-texts.ts';
import { findNumber, findText, findWire, toWires, type Wire } from '../wire.ts';
import type { ReportedOutput } from './reported-output.ts';
import { findDurationMs } from './wire.ts';

export function toResult(call: StartedCall, reported: ReportedOutput, facts: EndFacts | undefined): CallResult {
  const meaning = reported.isPlain ? findMeaning(reported.text) : undefined;
  if (meaning !== undefined) return toUnrun(reported, meaning);
  if (facts !== undefined)
    return {
      ...toFactsResult(facts),
      ...toTime(facts.durationMs ?? reported.durationMs),
      text: facts.text ?? cutText(reported.text),
    };
  if (call.tool === 'shell') return toShellResult(reported);
  const isError = reported.isPlain ? isPlainError(call, reported.text) : isReportedError(call, reported);
  const isRunning = reported.script === 'running';
  return {
    isError,
    text: cutText(reported.text),
    ...(reported.script === 'terminated' ? { cancelled: true } : {}),
    ...(isRunning ? { background: true } : toTime(reported.durationMs)),
  };
}

/** For a call without an output row: a nested call, or one whose output is lost. */
export function toFactsResult({ processId: _, ...facts }: EndFacts): CallResult {
  return { ...facts, text: facts.text ?? '' };
}

function toUnrun(reported: ReportedOutput, meaning: Meaning): CallResult {
  return { isError: 'denied' in meaning, text: cutText(reported.text), ...meaning };
}

function toShellResult(reported: ReportedOutput): CallResult {
  if (reported.isPlain) {
    const denial = parseSandboxDenial(reported.text);
    return { isError: true, ...denial, text: cutText(denial?.text ?? reported.text) };
  }
  const text = cutText(reported.text);
  if (reported.sessionId !== undefined) return { isError: false, background: true, text };
  const { exitCode } = reported;
  const code = exitCode === undefined || exitCode < 0 ? {} : { exitCode };
  return { isError: (exitCode ?? 0) !== 0, ...code, text, ...toTime(reported.durationMs) };
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

function toTime(durationMs: number | undefined): Pick<CallResult, 'durationMs'> {
  return durationMs === undefined ? {} : { durationMs };
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
  const code = findNumber(wire, 'exit_code');
  const processId = findText(wire, 'process_id');
  const base = { text: cutText(text), ...toDuration(wire), ...dropAbsent({ processId }) };
  if (wire.status === 'declined') return { ...base, isError: true, denied: toDenial(text) };
  // Codex's own code for a command that never became a process.
  if (code === undefined || code < 0) return { ...base, isError: wire.status !== 'completed' };
  return { ...base, isError: code !== 0, exitCode: code };
}

/** `FileChange`, `patch_apply_end`. */
export function toPatchFacts(wire: Wire): EndFacts {
  const text = toPrinted(wire);
  const isDone = wire.status === 'completed' || (wire.status === undefined && wire.success !== false);
  const denied = wire.status === 'declined' ? { denied: toDenial(text) } : {};
  return { isError: !isDone, ...(text === '' ? {} : { text: cutText(text) }), ...denied, ...toDuration(wire) };
}

/** `McpToolCall`, `mcp_tool_call_end`: a result with a flag of its own, or an error. */
export function toMcpFacts(wire: Wire): EndFacts {
  const wrapped = findWire(wire, 'result') ?? {};
  const result = findWire(wrapped, 'Ok') ?? findWire(wrapped, 'ok') ?? wrapped;
  const error = findText(wrapped, 'Err') ?? findText(wrapped, 'err') ?? toErrorText(wire.error);
  const text = error ?? toBlocksText(result.content);
  const isError =
    error !== undefined || result.isError === true || result.is_error === true || wire.status === 'failed';
  const meaning = error === undefined ? undefined : findMeaning(error);
  const denied = meaning !== undefined && 'denied' in meaning ? meaning : {};
  return { isError, ...(text === '' ? {} : { text: cutText(text) }), ...denied, ...toDuration(wire) };
}

/** `DynamicToolCall`, `dynamic_tool_call_response`, `CollabAgentToolCall`: done or not. */
export function toPlainFacts(wire: Wire): EndFacts {
  const text = toErrorText(wire.error) ?? toBlocksText(wire.content_items);
  const isError = wire.success === false || wire.status === 'failed' || toErrorText(wire.error) !== undefined;
  return { isError, ...(text === '' ? {} : { text: cutText(text) }), ...toDuration(wire) };
}

/** The text of a list of content blocks. */
export function toBlocksText(blocks: unknown): string {
  return toWires(blocks)
    .map((block) => findText(block, 'text') ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

function toDenial(text: string): Denial {
  const meaning = findMeaning(text);
  return meaning !== undefined && 'denied' in meaning ? meaning.denied : { by: 'rule' };
}

function toPrinted(wire: Wire): string {
  return [findText(wire, 'stdout'), findText(wire, 'stderr')].filter((text) => text !== undefined).join('\n');
}

function toErrorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error || undefined;
  return isRecord(error) ? findText(error, 'message') : undefined;
}

function toDuration(wire: Wire): Pick<EndFacts, 'durationMs'> {
  const durationMs = findDurationMs(wire);
  return durationMs === undefined ? {} : { durationMs };
}

type Meaning = { readonly denied: Denial } | { readonly cancelled: true };

const CANCELLED = { cancelled: true } as const;
const BY_USER = { denied: { by: 'user' } } as const;
const BY_RULE = { denied: { by: 'rule' } } as const;
const BY_HOOK = { denied: { by: 'hook' } } as const;
const BY_US = { denied: { by: 'oncebitten' } } as const;

const HOOK_REFUSED = /^(?:Command|Tool call) blocked by (?<event>PreToolUse) hook: /;

/** Codex repeats the command after the reason. */
export const REFUSALS: readonly RefusalSentence[] = [{ before: HOOK_REFUSED, after: /\.? Command: [\s\S]*$/ }];

const MEANING_SENTENCES: readonly (readonly [text: RegExp, meaning: Meaning])[] = [
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

/** Recognizes calls that did not run to their own end; only Codex's fixed sentences distinguish them from failures. */
export function findMeaning(text: string): Meaning | undefined {
  const meaning = MEANING_SENTENCES.find(([sentence]) => sentence.test(text))?.[1];
  return meaning === BY_HOOK && isOwnRefusal(text) ? BY_US : meaning;
}

// Finds whether a tool other than shell and patch failed. A rollout does not keep Codex's own flag, so only the model's
// copy of the output shows it.

/** These tools answer with JSON; any other text is the reason of a failure. */
const JSON_TOOLS = new Set([
  'spawn_agent',
  'resume_agent',
  'close_agent',
  'send_input',
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
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
  const code = Number(SANDBOX_EXIT_CODE.exec(text)?.[1] ?? Number.NaN);
  const printed = slashes === '' ? toUnescaped(output ?? '') : toUnescaped(toUnescaped(output ?? ''));
  return { ...(Number.isInteger(code) ? { exitCode: code } : {}), text: printed || text };
}

function toUnescaped(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|([\s\S]))/g, (_all, hex: string | undefined, sign: string) =>
    hex === undefined ? (ESCAPES[sign] ?? sign) : toCharacter(Number.parseInt(hex, 16)),
  );
}

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
