/**
 * Converts the record of a call's end in Copilot CLI's log to a result: exit code, printed text, denial or
 * cancellation. Copilot CLI reports a command that fails as a success; only its exit code shows the failure. Denials
 * come from the answer to the permission request, otherwise from fixed sentences.
 */

import type { RefusalSentence } from '../../base/contracts/agent-history.ts';
import type { CallResult } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import {
  BY_HOOK,
  BY_RULE,
  BY_USER,
  CANCELLED,
  findStated,
  type Meaning,
  type MeaningSentence,
  toUserRefusal,
} from '../refusals.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';

/** The facts about a call besides the record of its end. */
interface EndContext {
  readonly tool: ToolName;
  /** The answer to its permission request. */
  readonly refusal?: Meaning | undefined;
  /** The user interrupted the agent while the call ran. */
  readonly isAborted: boolean;
}

export function toResult(data: Wire, { tool, refusal, isAborted }: EndContext): CallResult {
  if (data.success === true) return toDoneResult(tool, data);
  const error = findWire(data, 'error') ?? {};
  const text = withoutHooks(findText(error, 'message') ?? findContent(data));
  const meaning = refusal ?? findMeaning(text, findText(error, 'code')) ?? (isAborted ? CANCELLED : {});
  return { isError: true, text: cutText(text), ...meaning };
}

function toDoneResult(tool: ToolName, data: Wire): CallResult {
  const text = withoutHooks(findContent(data));
  if (tool !== 'shell') return { isError: false, text: cutText(text) };
  const exitCode = findExitCode(data);
  if (exitCode === undefined && parseShellId(text) !== undefined) return { isError: false, text: '', background: true };
  return dropAbsent({ isError: false, exitCode, text: cutText(text.replace(EXIT_LINE, '')) });
}

/** The result in a hook's payload. Undefined if it does not tell how the call ended. */
export function findHookResult(tool: ToolName, error: string | undefined, text: string): CallResult | undefined {
  if (error !== undefined) return { isError: true, text: cutText(error), ...findMeaning(error) };
  if (tool !== 'shell') return { isError: false, text: cutText(text) };
  // A failing command is a success to Copilot; only its last line has the exit code.
  const code = EXIT_LINE.exec(text)?.[1];
  if (code === undefined) return undefined;
  return { isError: false, exitCode: Number(code), text: cutText(text.replace(EXIT_LINE, '')) };
}

const EXIT_LINE = /\n?<(?:shellId: [^\s>]{1,64} completed|exited) with exit code (\d{1,5})>\s*$/;

/** Also from output that was read later from a command left running. */
export function findExitCode(data: Wire): number | undefined {
  const exitCode = findNumber(findWire(data, 'shellExecution') ?? {}, 'exitCode');
  if (exitCode !== undefined) return exitCode;
  const code = EXIT_LINE.exec(withoutHooks(findContent(data)))?.[1];
  return code === undefined ? undefined : Number(code);
}

/** The output of a command that was left running. */
export function toPrinted(data: Wire): string {
  return cutText(withoutHooks(findContent(data)).replace(EXIT_LINE, ''));
}

const STARTED = /<command started in background with shellId: ([^\s>]{1,64})>/;
const RUNNING = /<command with shellId: ([^\s>,]{1,64}),? is still running after /;

/** The shell of a command that was left running; undefined if there is none. */
export function findShellId(data: Wire): string | undefined {
  return parseShellId(findContent(data));
}

function parseShellId(text: string): string | undefined {
  const tail = text.slice(-1000);
  return STARTED.exec(tail)?.[1] ?? RUNNING.exec(tail)?.[1];
}

function findContent(data: Wire): string {
  return findText(findWire(data, 'result') ?? {}, 'content') ?? '';
}

const GUIDANCE = /\n\nTool "[^"\n]{1,200}" (?:succeeded|failed)\. Additional guidance from \w{1,40} hooks:\n/;

/** Removes the text that hooks added after the result. */
function withoutHooks(text: string): string {
  const at = text.search(GUIDANCE);
  return at === -1 ? text : text.slice(0, at);
}

/** From the `result` of `permission.completed`; undefined if the permission was granted. */
export function findRefusal(result: Wire): Meaning | undefined {
  const kind = findText(result, 'kind') ?? '';
  if (kind === 'cancelled') return CANCELLED;
  if (kind === 'denied-interactively-by-user') return toUserRefusal(findText(result, 'feedback'));
  if (kind === 'denied-by-permission-request-hook') return BY_HOOK;
  return kind.startsWith('denied') ? BY_RULE : undefined;
}

const REJECTED = /^The user rejected this tool call\b/;
const FEEDBACK = /^[^\n]{0,100}?User feedback: ([\s\S]+)$/;

export const REFUSALS: readonly RefusalSentence[] = [
  { before: /^Denied by (?<event>preToolUse) hook(?:: )?/ },
  { before: /^Permission denied by a (?<event>PermissionRequest) hook(?:: )?/ },
  { before: /^Permission to run this tool was denied due to the following rules: / },
];

const MEANING_SENTENCES: readonly MeaningSentence[] = [
  [/^Denied by user via preToolUse hook prompt/, BY_USER],
  [/^Denied by preToolUse hook/, BY_HOOK],
  [/^Permission denied by a PermissionRequest hook/, BY_HOOK],
  [/^Permission to run this tool was denied due to the following rules: /, BY_RULE],
  [/^The pending permission request was cancelled/, CANCELLED],
];

const CODES: ReadonlyMap<string, Meaning> = new Map([
  ['denied', BY_RULE],
  ['cancelled', CANCELLED],
  ['aborted', CANCELLED],
]);

/** From the `error` of a call. */
export function findMeaning(message: string, code = ''): Meaning | undefined {
  if (REJECTED.test(message) || code === 'rejected') return toUserRefusal(FEEDBACK.exec(message)?.[1]);
  return findStated(MEANING_SENTENCES, message) ?? CODES.get(code);
}
