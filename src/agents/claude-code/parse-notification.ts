/** How a background task ended, from the notification that Claude Code writes in the user's name. */
import type { StartedCall } from '../../base/event.ts';
import type { CallResult } from '../../base/outcome.ts';

export interface BackgroundEnd {
  /** Absent in old builds: then only the task's id is told. */
  readonly callId?: string;
  readonly taskId?: string;
  /** What ended, as far as the notification says. */
  readonly call: Pick<StartedCall, 'tool' | 'rawTool'>;
  readonly result: CallResult;
}

const OPEN = '<task-notification>';
const KINDS: readonly (readonly [summary: RegExp, call: BackgroundEnd['call']])[] = [
  [/^Background command\b/, { tool: 'shell', rawTool: 'Bash' }],
  [/^Agent\b/, { tool: 'task', rawTool: 'Agent' }],
];
/** Ended from outside. */
const STOPPED = new Set(['killed', 'stopped', 'cancelled', 'interrupted']);

/** Undefined for any other text, and for a task that is still running or of a kind we do not know. */
export function parseNotification(text: string): BackgroundEnd | undefined {
  if (!text.trimStart().startsWith(OPEN)) return undefined;
  const summary = findTag(text, 'summary') ?? '';
  const status = findTag(text, 'status') ?? '';
  const call = KINDS.find(([pattern]) => pattern.test(summary))?.[1];
  const result = toResult(status, summary, Number(findTag(text, 'duration_ms') ?? Number.NaN));
  if (call === undefined || result === undefined) return undefined;
  const [callId, taskId] = [findTag(text, 'tool-use-id'), findTag(text, 'task-id')];
  return {
    ...(callId === undefined ? {} : { callId }),
    ...(taskId === undefined ? {} : { taskId }),
    call,
    result,
  };
}

function toResult(status: string, summary: string, ms: number): CallResult | undefined {
  const time = Number.isFinite(ms) ? { durationMs: ms } : {};
  if (STOPPED.has(status)) return { isError: false, cancelled: true, text: '', ...time };
  if (status !== 'completed' && status !== 'failed') return undefined;
  // The summary ends with the code; what stands before it is the agent's own description of the task.
  const code = /(?:\(exit code (\d{1,3})\)|with exit code (\d{1,3}))\.?$/.exec(summary);
  const exitCode = code === null ? {} : { exitCode: Number(code[1] ?? code[2]) };
  return { isError: status === 'failed', ...exitCode, text: '', ...time };
}

function findTag(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from === -1 || to === -1 ? undefined : text.slice(from + tag.length + 2, to).trim() || undefined;
}
