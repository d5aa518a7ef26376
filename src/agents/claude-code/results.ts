/**
 * Converts the end of a Claude Code call to a result: exit code, printed text, denial, cancellation, and the
 * notification that ends a background task. Claude Code reports denied and cancelled calls like errors, so only its
 * fixed sentences (and, in recent transcripts, a denial kind) distinguish them.
 */

import type { RefusalSentence } from '../../base/contracts/agent-history.ts';
import type { CallResult, StartedCall } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import {
  BY_HOOK,
  BY_RULE,
  BY_US,
  BY_USER,
  CANCELLED,
  findStated,
  type Meaning,
  type MeaningSentence,
  toUserRefusal,
} from '../refusals.ts';
import { findNumber, findText, findWire, toBlocksText, toWires, type Wire } from '../wire.ts';

/** The model's copy of the result of a call that may have failed. */
interface ReportedResult {
  /** Absent if the source does not say; then only the text shows it. */
  readonly isError?: boolean;
  readonly content: unknown;
  /** `toolDenialKind` of the transcript. */
  readonly denialKind?: string | undefined;
  /** The user's comment, if it is beside the text. */
  readonly userWords?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** A call that the agent counts as done: `response` is the tool's own output, or the model's copy of it. */
export function toDoneResult(tool: ToolName, response: unknown, durationMs?: number): CallResult {
  const background = isBackground(response);
  // For a start in the background, the agent's figure is the time to start.
  const duration = background ? undefined : (durationMs ?? findDuration(response));
  const exitCode = tool === 'shell' ? findExitCode(response) : undefined;
  return dropAbsent({
    isError: false,
    background: background || undefined,
    exitCode,
    text: toPrinted(toText(response)),
    cancelled: (isRecord(response) && response.interrupted === true) || undefined,
    durationMs: duration,
  });
}

export function toReportedResult(result: ReportedResult): CallResult {
  const text = toText(result.content);
  const meaning = result.isError === false ? undefined : findMeaning(text, result.denialKind, result.userWords);
  const exitCode = result.isError === false ? undefined : parseExitCode(text);
  return dropAbsent({
    isError: result.isError ?? (exitCode !== undefined || meaning !== undefined || text.startsWith(ERROR_OPEN)),
    exitCode,
    text: toPlainText(text),
    ...meaning,
    durationMs: result.durationMs,
  });
}

const ERROR_OPEN = '<tool_use_error>';
const ERROR_CLOSE = '</tool_use_error>';
const NO_OUTPUT = '(Bash completed with no output)';
const EXIT_LINE = /^Exit code (\d{1,3})(?:\n|$)/;

function parseExitCode(text: string): number | undefined {
  const code = EXIT_LINE.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}

function toPrinted(text: string): string {
  return text === NO_OUTPUT ? '' : text;
}

/** The program's output without the text that Claude Code adds around it. */
function toPlainText(text: string): string {
  const inner = text.startsWith(ERROR_OPEN) ? text.slice(ERROR_OPEN.length) : text;
  const plain = inner.endsWith(ERROR_CLOSE) && inner !== text ? inner.slice(0, -ERROR_CLOSE.length) : inner;
  return toPrinted(plain.replace(EXIT_LINE, ''));
}

/**
 * A foreground command that is not reported as failed exited with 0, unless its code was not taken as an error. Without
 * the output object (sub-agent transcripts), the code is unknown.
 */
function findExitCode(response: unknown): number | undefined {
  if (!isRecord(response) || typeof response.stdout !== 'string' || response.interrupted === true) return undefined;
  return isBackground(response) || findText(response, 'returnCodeInterpretation') !== undefined ? undefined : 0;
}

/** A command or a sub-agent that continues while the agent does something else. */
function isBackground(response: unknown): boolean {
  if (!isRecord(response)) return false;
  return findText(response, 'backgroundTaskId') !== undefined || response.status === 'async_launched';
}

function findDuration(response: unknown): number | undefined {
  return isRecord(response)
    ? (findNumber(response, 'durationMs') ?? findNumber(response, 'totalDurationMs'))
    : undefined;
}

const DENIAL_KINDS: ReadonlyMap<string, Meaning> = new Map([
  ['user-rejected', BY_USER],
  ['permission-rule', BY_RULE],
  ['automode-blocked', BY_RULE],
  ['automode-unavailable', BY_RULE],
  ['automode-parsing-error', BY_RULE],
  ['interrupted', CANCELLED],
  ['cancelled', CANCELLED],
]);

/** The word before the verb may vary: `Permission to use Bash has been auto-denied (prompts unavailable).` */
const PERMISSION_REFUSED =
  /^Permission (?:to use|to run|for this action)\b[\s\S]{0,4000}? (?:has been|was) (?:\w+[- ])?(?:denied|refused|rejected)\b\.?\s*/;

/** Claude Code puts the tool after the event, and the hook's command line after that. */
export const REFUSALS: readonly RefusalSentence[] = [
  {
    before:
      /^(?:Hook )?(?<event>PreToolUse:\S+) (?:hook error|denied this tool)(?:: )?(?:\[(?<command>[^\n]{1,300}?)\]: )?/,
  },
  // The sentence repeats the command, which a refused call has anyway.
  { before: PERMISSION_REFUSED },
];

const MEANING_SENTENCES: readonly MeaningSentence[] = [
  [/^The user doesn't want to proceed with this tool use\./, BY_USER],
  [/^User rejected tool use/, BY_USER],
  [PERMISSION_REFUSED, BY_RULE],
  [/^Claude requested permissions to /, BY_RULE],
  [/^[^\n]{1,1000}? needs approval\. /, BY_RULE],
  [/^(?:Hook )?PreToolUse:\S+ (?:hook error|denied this tool)/, BY_HOOK],
  [/^The user doesn't want to take this action right now\./, CANCELLED],
  [/^(?:Exit code \d+\n)?\[Request interrupted by user/, CANCELLED],
  [/^\[Tool call (?:skipped|did not complete|interrupted|not |result not)/, CANCELLED],
  [/^(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)/, CANCELLED],
];

/**
 * The denial kind counts only for unknown sentences: Claude Code files a hook's refusal as a rule's, a missing
 * permission as the user's.
 */
function findMeaning(text: string, denialKind = '', userWords?: string): Meaning | undefined {
  const meaning = findStated(MEANING_SENTENCES, text) ?? DENIAL_KINDS.get(denialKind);
  // Only we write the sentence of our own refusal, whatever the user adds.
  if (meaning?.denied === undefined || meaning === BY_US) return meaning;
  const words = findWords(text) ?? userWords;
  return words === undefined ? meaning : toUserRefusal(words);
}

const USER_SAID = 'the user said:';
/** Claude Code's own advice to the model, sometimes after the user's words. */
const ADVICE = "\n\nNote: The user's next message may contain";

function findWords(text: string): string | undefined {
  const at = text.indexOf(USER_SAID);
  if (at === -1 || !text.startsWith('The user')) return undefined;
  const userWords = text.slice(at + USER_SAID.length);
  const end = userWords.indexOf(ADVICE);
  return (end === -1 ? userWords : userWords.slice(0, end)).trim() || undefined;
}

/** The end of a background task, from the notification that Claude Code writes in the user's name. */
export interface BackgroundEnd {
  /** Absent in old builds, which contain only the task's id. */
  readonly callId?: string;
  readonly taskId?: string;
  /** The call that ended, as far as the notification describes it. */
  readonly call: Pick<StartedCall, 'tool' | 'rawTool'>;
  readonly result: CallResult;
}

const NOTIFICATION_OPEN = '<task-notification>';
const TASK_KINDS: readonly (readonly [summary: RegExp, call: BackgroundEnd['call']])[] = [
  [/^Background command\b/, { tool: 'shell', rawTool: 'Bash' }],
  [/^Agent\b/, { tool: 'task', rawTool: 'Agent' }],
];
/** Stopped from outside. */
const STOPPED_STATUSES = new Set(['killed', 'stopped', 'cancelled', 'interrupted']);

/** Undefined for any other text, for a task that is still running, and for an unknown kind. */
export function parseNotification(text: string): BackgroundEnd | undefined {
  if (!text.trimStart().startsWith(NOTIFICATION_OPEN)) return undefined;
  const summary = findTag(text, 'summary') ?? '';
  const status = findTag(text, 'status') ?? '';
  const call = TASK_KINDS.find(([pattern]) => pattern.test(summary))?.[1];
  const result = toTaskResult(status, summary, Number(findTag(text, 'duration_ms') ?? Number.NaN));
  if (call === undefined || result === undefined) return undefined;
  const [callId, taskId] = [findTag(text, 'tool-use-id'), findTag(text, 'task-id')];
  return { ...dropAbsent({ callId, taskId }), call, result };
}

function toTaskResult(status: string, summary: string, ms: number): CallResult | undefined {
  const time = Number.isFinite(ms) ? { durationMs: ms } : {};
  if (STOPPED_STATUSES.has(status)) return { isError: false, cancelled: true, text: '', ...time };
  if (status !== 'completed' && status !== 'failed') return undefined;
  // The summary ends with the exit code; the text before it is the agent's own description of the task.
  const code = /(?:\(exit code (\d{1,3})\)|with exit code (\d{1,3}))\.?$/.exec(summary);
  const exitCode = code === null ? {} : { exitCode: Number(code[1] ?? code[2]) };
  return { isError: status === 'failed', ...exitCode, text: '', ...time };
}

function findTag(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from === -1 || to === -1 ? undefined : text.slice(from + tag.length + 2, to).trim() || undefined;
}

/**
 * The output of a call, from Claude Code's formats (text, a list of content blocks, or a tool's own output object), cut
 * to a window.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return cutText(toBlocksText(value));
  return isRecord(value) ? cutText(toOutputText(value)) : '';
}

/** A web search: the results, and the text about them. */
function toFoundText(results: readonly unknown[]): string {
  const texts = results.flatMap((one) => {
    if (typeof one === 'string') return [one];
    return isRecord(one)
      ? toWires(one.content).flatMap((found) => [findText(found, 'title'), findText(found, 'url')])
      : [];
  });
  return texts.filter((text) => text).join('\n');
}

/** Edit and Write return the file's content, which they did not print; `filePath` marks them. */
function toOutputText(output: Wire): string {
  if (typeof output.stdout === 'string') {
    return [output.stdout, findText(output, 'stderr')].filter((text) => text).join('\n');
  }
  if (typeof output.filePath === 'string') return '';
  const file = findWire(output, 'file');
  if (file !== undefined) return findText(file, 'content') ?? '';
  if (Array.isArray(output.content)) return toBlocksText(output.content);
  const text = findText(output, 'content') ?? findText(output, 'result');
  if (text !== undefined) return text;
  if (Array.isArray(output.results)) return toFoundText(output.results);
  return Array.isArray(output.filenames) ? output.filenames.filter((name) => typeof name === 'string').join('\n') : '';
}
