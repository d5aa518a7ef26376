/**
 * A slow and simple reader of Claude Code's transcripts: every row is parsed, what is told of a call is gathered under
 * its id (a message may span rows, a result may stand before its call), and only then is it judged.
 */
import type { ReferenceCall, ReferenceOutcome, ReferenceReader } from './reference.ts';

// biome-ignore lint/suspicious/noExplicitAny: this reader checks the strict ones, and trusts nothing but the facts.
type Json = any;

interface Bag {
  readonly id: string;
  readonly tool: string;
  readonly line: number;
}

interface Result {
  readonly isError: boolean;
  readonly text: string;
  readonly row: Json;
}

export const readClaudeCodeReference: ReferenceReader = (_path, lines) => {
  const calls = new Map<string, Bag>();
  const results = new Map<string, Result>();
  /** Call id or task id -> how it ended in the background. */
  const notices = new Map<string, string>();
  for (const [index, text] of lines.entries()) {
    const row = parse(text);
    if (row?.type === 'assistant') gatherCalls(calls, row, index + 1);
    if (row?.type === 'user') gatherResults(results, row);
    const said = row?.type === 'attachment' ? row.attachment?.prompt : row?.type === 'user' ? row.message?.content : '';
    gatherNotice(notices, toText(said));
  }
  return [...calls.values()].map((call) => ({
    ...call,
    outcome: judge(results.get(call.id), call.id, notices),
  })) satisfies readonly ReferenceCall[];
};

function gatherCalls(calls: Map<string, Bag>, row: Json, line: number): void {
  for (const block of toBlocks(row.message?.content)) {
    if (block.type === 'tool_use' && !calls.has(block.id))
      calls.set(block.id, { id: block.id, tool: block.name, line });
  }
}

function gatherResults(results: Map<string, Result>, row: Json): void {
  for (const block of toBlocks(row.message?.content)) {
    if (block.type !== 'tool_result') continue;
    results.set(block.tool_use_id, { isError: block.is_error === true, text: toText(block.content), row });
  }
}

function gatherNotice(notices: Map<string, string>, text: string): void {
  if (!text.trim().startsWith('<task-notification>')) return;
  const status = /<status>\s*(\w+)/.exec(text)?.[1];
  const summary = /<summary>\s*([\s\S]*?)\s*<\/summary>/.exec(text)?.[1] ?? '';
  if (status === undefined || !/^(?:Background command|Agent)\b/.test(summary)) return;
  for (const tag of ['tool-use-id', 'task-id']) {
    const id = new RegExp(`<${tag}>\\s*(\\S+?)\\s*</${tag}>`).exec(text)?.[1];
    if (id !== undefined) notices.set(id, status);
  }
}

function judge(result: Result | undefined, id: string, notices: ReadonlyMap<string, string>): ReferenceOutcome {
  const output = result?.row.toolUseResult;
  const task = output?.backgroundTaskId ?? (output?.status === 'async_launched' ? output.agentId : undefined);
  const status = notices.get(id) ?? notices.get(task ?? '');
  if (status === 'failed') return 'failure';
  if (status !== undefined && ['killed', 'stopped', 'cancelled', 'interrupted'].includes(status)) return 'cancelled';
  if (result === undefined) return 'open';
  if (!result.isError) return result.row.toolUseResult?.interrupted === true ? 'cancelled' : 'success';
  return judgeError(result.text, result.row.toolDenialKind);
}

function judgeError(text: string, kind: string | undefined): ReferenceOutcome {
  const cancelled = [
    "The user doesn't want to take this action right now.",
    '[Request interrupted by user',
    '[Tool call ',
    'Sibling tool call errored',
    'Cancelled: parallel tool call',
  ];
  const plain = text.replace(/^Exit code \d+\n(?=\[Request)/, '').replace(/^<tool_use_error>/, '');
  if (cancelled.some((start) => plain.startsWith(start))) return 'cancelled';
  const denied = [
    /^The user doesn't want to proceed with this tool use/,
    /^User rejected tool use/,
    /^Permission (?:to use|for this action) [\s\S]*denied/,
    /^Claude requested permissions to /,
    /^[^\n]* needs approval\. /,
    /^(?:Hook )?PreToolUse:\S+ (?:hook error|denied)/,
  ];
  if (denied.some((sentence) => sentence.test(text))) return 'denied';
  if (kind === 'interrupted' || kind === 'cancelled') return 'cancelled';
  return kind === undefined ? 'failure' : 'denied';
}

function toBlocks(content: Json): readonly Json[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

function toText(content: Json): string {
  if (typeof content === 'string') return content;
  return toBlocks(content)
    .map((block) => (typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
