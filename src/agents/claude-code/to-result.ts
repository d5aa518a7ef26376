/** How a call ended, from what Claude Code tells about it. */
import type { CallResult, Denial } from '../../base/outcome.ts';
import type { ToolName } from '../../base/tool.ts';
import { findNumber, findText, isWire } from '../wire.ts';
import { findMeaning, type Meaning } from './find-meaning.ts';
import { toText } from './to-text.ts';

/** What the model was told about a call that may not have worked. */
export interface ToldResult {
  /** Absent where nobody says: then only the text can tell. */
  readonly isError?: boolean;
  readonly content: unknown;
  /** `toolDenialKind` of the transcript. */
  readonly denialKind?: string;
  /** What the user said, where it is told beside the text. */
  readonly said?: string;
  readonly durationMs?: number;
}

/** A call that the agent counts as done: `response` is the tool's own output, or what the model saw of it. */
export function toDoneResult(tool: ToolName, response: unknown, durationMs?: number): CallResult {
  const background = isBackground(response);
  // Of a start in the background the agent's figure is the time to start it.
  const duration = background ? undefined : (durationMs ?? findDuration(response));
  const exitCode = tool === 'shell' ? findExitCode(response) : undefined;
  return {
    isError: false,
    ...(background ? { background } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    text: toPrinted(toText(response)),
    ...(isWire(response) && response.interrupted === true ? { cancelled: true } : {}),
    ...(duration === undefined ? {} : { durationMs: duration }),
  };
}

export function toToldResult(told: ToldResult): CallResult {
  const text = toText(told.content);
  const meaning = told.isError === false ? undefined : findMeaning(text, told.denialKind, told.said);
  const exitCode = told.isError === false ? undefined : parseExitCode(text);
  return {
    isError: told.isError ?? (exitCode !== undefined || meaning !== undefined || text.startsWith(ERROR_OPEN)),
    ...(exitCode === undefined ? {} : { exitCode }),
    text: toPlainText(text),
    ...(meaning?.kind === 'denied' ? { denied: toDenial(meaning) } : {}),
    ...(meaning?.kind === 'cancelled' ? { cancelled: true } : {}),
    ...(told.durationMs === undefined ? {} : { durationMs: told.durationMs }),
  };
}

function toDenial({ by, words }: Meaning): Denial {
  return { ...(by === undefined ? {} : { by }), ...(words === undefined ? {} : { words }) };
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

/** What the program printed, without what the harness wrote around it. */
function toPlainText(text: string): string {
  const inner = text.startsWith(ERROR_OPEN) ? text.slice(ERROR_OPEN.length) : text;
  const plain = inner.endsWith(ERROR_CLOSE) && inner !== text ? inner.slice(0, -ERROR_CLOSE.length) : inner;
  return toPrinted(plain.replace(EXIT_LINE, ''));
}

/**
 * A foreground command that is not reported as failed ended with 0, unless its code was read as something else than
 * an error. Without the output object (sub-agent transcripts) nothing is known.
 */
function findExitCode(response: unknown): number | undefined {
  if (!isWire(response) || typeof response.stdout !== 'string' || response.interrupted === true) return undefined;
  return isBackground(response) || findText(response, 'returnCodeInterpretation') !== undefined ? undefined : 0;
}

/** A command or a sub-agent that goes on while the agent does something else. */
function isBackground(response: unknown): boolean {
  if (!isWire(response)) return false;
  return findText(response, 'backgroundTaskId') !== undefined || response.status === 'async_launched';
}

function findDuration(response: unknown): number | undefined {
  return isWire(response) ? (findNumber(response, 'durationMs') ?? findNumber(response, 'totalDurationMs')) : undefined;
}
