/** How a call ended, from the log's record of its end. */
import type { CallResult } from '../../base/outcome.ts';
import type { ToolName } from '../../base/tool.ts';
import { cutText } from '../cut-text.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { findMeaning, type Meaning } from './find-meaning.ts';

/** What is known of a call beside the record of its end. */
export interface EndContext {
  readonly tool: ToolName;
  /** How the question for its permission was answered. */
  readonly verdict?: Meaning | undefined;
  /** The user stopped the agent while it ran. */
  readonly isAborted: boolean;
}

export function toResult(data: Wire, { tool, verdict, isAborted }: EndContext): CallResult {
  if (data.success === true) return toDoneResult(tool, data);
  const error = findWire(data, 'error') ?? {};
  const text = withoutHooks(findText(error, 'message') ?? findContent(data));
  const meaning = verdict ?? findMeaning(text, findText(error, 'code'));
  return {
    isError: true,
    text: cutText(text),
    ...(meaning?.kind === 'denied' ? { denied: meaning.denial } : {}),
    ...(meaning?.kind === 'cancelled' || (meaning === undefined && isAborted) ? { cancelled: true } : {}),
  };
}

/** A command that fails is a success to Copilot CLI. */
function toDoneResult(tool: ToolName, data: Wire): CallResult {
  const told = withoutHooks(findContent(data));
  if (tool !== 'shell') return { isError: false, text: cutText(told) };
  const exitCode = findExitCode(data);
  if (exitCode === undefined && parseShellId(told) !== undefined) return { isError: false, text: '', background: true };
  return {
    isError: false,
    ...(exitCode === undefined ? {} : { exitCode }),
    text: cutText(told.replace(EXIT_LINE, '')),
  };
}

const EXIT_LINE = /\n?<(?:shellId: [^\s>]{1,64} completed|exited) with exit code (\d{1,5})>\s*$/;

/** Also of what was read later of a command that had been left running. */
export function findExitCode(data: Wire): number | undefined {
  const told = findNumber(findWire(data, 'shellExecution') ?? {}, 'exitCode');
  if (told !== undefined) return told;
  const code = EXIT_LINE.exec(withoutHooks(findContent(data)))?.[1];
  return code === undefined ? undefined : Number(code);
}

/** What a command printed that had been left running. */
export function toPrinted(data: Wire): string {
  return cutText(withoutHooks(findContent(data)).replace(EXIT_LINE, ''));
}

const STARTED = /<command started in background with shellId: ([^\s>]{1,64})>/;
const RUNNING = /<command with shellId: ([^\s>,]{1,64}),? is still running after /;

/** The shell of a command that was left running; undefined where none was. */
export function findShellId(data: Wire): string | undefined {
  return parseShellId(findContent(data));
}

function parseShellId(told: string): string | undefined {
  const tail = told.slice(-1000);
  return STARTED.exec(tail)?.[1] ?? RUNNING.exec(tail)?.[1];
}

function findContent(data: Wire): string {
  return findText(findWire(data, 'result') ?? {}, 'content') ?? '';
}

const GUIDANCE = /\n\nTool "[^"\n]{1,200}" (?:succeeded|failed)\. Additional guidance from \w{1,40} hooks:\n/;

/** What hooks added stands behind the result. */
function withoutHooks(text: string): string {
  const at = text.search(GUIDANCE);
  return at === -1 ? text : text.slice(0, at);
}
