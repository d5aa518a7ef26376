/**
 * A slow and simple reader of Codex rollouts, written from the format's facts alone: all rows are parsed, everything
 * that is told of a call is gathered under its id, and only then is it judged.
 */
import type { ReferenceCall, ReferenceOutcome, ReferenceReader } from './reference.ts';

// biome-ignore lint/suspicious/noExplicitAny: this reader checks the strict ones, and trusts nothing but the facts.
type Json = any;

interface Bag {
  readonly id: string;
  readonly tool: string;
  readonly line: number;
  readonly input: string;
  /** What the model was told. */
  output?: string;
  /** What an item or an event tells. */
  end?: Json;
  /** A provider's own status. */
  status?: string;
  /** The turn was interrupted before anything was told. */
  interrupted?: boolean;
}

export const readCodexReference: ReferenceReader = (_path, lines) => {
  const bags = new Map<string, Bag>();
  for (const { payload, line, type } of toOwnRows(lines)) {
    if (type === 'response_item') gatherResponse(bags, payload, line);
    if (type === 'event_msg') gatherEvent(bags, payload, line);
  }
  return [...bags.values()].map((bag) => ({
    id: bag.id,
    tool: bag.tool,
    line: bag.line,
    outcome: judge(bag, bags),
  })) satisfies readonly ReferenceCall[];
};

/** A fork begins with the parent's rows; their turns were begun before this thread existed. */
function toOwnRows(lines: readonly string[]): readonly Json[] {
  const rows = lines.flatMap((text, index) => {
    const row = parse(text);
    return row?.payload === undefined ? [] : [{ ...row, line: index + 1 }];
  });
  const metas = rows.filter((row) => row.type === 'session_meta').map((row) => row.payload);
  const thread: string = metas[0]?.id ?? '';
  const isFork = metas.some((meta) => meta.id !== thread);
  let turn = '';
  return rows.filter((row) => {
    if (row.type === 'turn_context' || row.payload.type === 'task_started') turn = row.payload.turn_id ?? turn;
    const start = metas[0]?.subagent_history_start_ordinal;
    return !(isFork && turn < thread) && !(start !== undefined && row.ordinal < start);
  });
}

function gatherResponse(bags: Map<string, Bag>, payload: Json, line: number): void {
  const tools: Record<string, string> = {
    function_call: payload.name,
    custom_tool_call: payload.name,
    local_shell_call: 'local_shell',
    tool_search_call: 'tool_search',
    web_search_call: 'web_search',
    image_generation_call: 'image_generation',
  };
  const tool = tools[payload.type];
  if (tool !== undefined) {
    const isHosted = payload.type === 'web_search_call' || payload.type === 'image_generation_call';
    const id = isHosted ? (payload.id ?? `${tool}-${line}`) : (payload.call_id ?? payload.id);
    const input = payload.arguments ?? payload.input ?? '';
    if (id !== undefined && !bags.has(id)) {
      bags.set(id, {
        id,
        tool,
        line,
        input: String(input),
        ...(isHosted ? { status: payload.status ?? 'completed' } : {}),
      });
    }
  }
  if (/_output$/.test(payload.type)) {
    const bag = bags.get(payload.call_id);
    if (bag !== undefined) bag.output = toText(payload.output);
  }
}

function gatherEvent(bags: Map<string, Bag>, payload: Json, line: number): void {
  if (payload.type === 'turn_aborted') {
    for (const bag of bags.values()) if (bag.output === undefined && bag.end === undefined) bag.interrupted = true;
  }
  const item = payload.type === 'item_completed' ? payload.item : payload;
  const kind = payload.type === 'item_completed' ? item.type : payload.type;
  const ends: Record<string, string> = {
    CommandExecution: 'exec_command',
    exec_command_end: 'exec_command',
    FileChange: 'apply_patch',
    patch_apply_end: 'apply_patch',
    McpToolCall: 'mcp',
    mcp_tool_call_end: 'mcp',
    DynamicToolCall: item.tool,
    dynamic_tool_call_response: item.tool,
    CollabAgentToolCall: item.tool,
    ImageView: 'view_image',
  };
  const tool = ends[kind];
  const isOther = item.source === 'user_shell' || item.source === 'unified_exec_interaction';
  if (tool === undefined || isOther) return;
  const id = kind === item.type && payload.type === 'item_completed' ? item.id : (item.call_id ?? item.callId);
  const bag: Bag = bags.get(id) ?? { id, tool, line, input: '' };
  bag.end = { ...item, kind };
  bags.set(id, bag);
}

function judge(bag: Bag, bags: ReadonlyMap<string, Bag>): ReferenceOutcome {
  const { output, end, status } = bag;
  if (status !== undefined) return status === 'failed' ? 'failure' : 'success';
  const head = (output ?? '').slice(0, 6000);
  if (output !== undefined && !hasHeader(head)) {
    if (head.includes('aborted by user') || head.trim() === 'aborted') return 'cancelled';
    if (head.includes('blocked by PreToolUse hook')) return 'denied';
    if (head.includes('Rejected(') || /^[\s\S]{0,300}rejected (?:by user|MCP tool call)/.test(head)) return 'denied';
  }
  if (end !== undefined) return judgeEnd(end);
  if (output === undefined) return bag.interrupted === true ? 'cancelled' : 'open';
  return judgeText(bag, head, bags);
}

function judgeEnd(end: Json): ReferenceOutcome {
  if (end.status === 'declined') return 'denied';
  if (end.exit_code !== undefined && end.exit_code !== null) return end.exit_code === 0 ? 'success' : 'failure';
  const result = end.result?.Ok ?? end.result;
  const isBad = end.success === false || end.status === 'failed' || Boolean(end.error) || end.result?.Err !== undefined;
  return isBad || result?.isError === true ? 'failure' : 'success';
}

function judgeText(bag: Bag, head: string, bags: ReadonlyMap<string, Bag>): ReferenceOutcome {
  const isSpeaker = bag.tool === 'write_stdin' || bag.tool === 'wait';
  if (isSpeaker) return / failed: /.test(head.split('\n')[0] ?? '') ? 'failure' : 'success';
  const code = findCode(head);
  if (code !== undefined) return code === 0 ? 'success' : 'failure';
  const session = /^Process running with session ID (\d+)$/m.exec(headOf(head))?.[1];
  if (session !== undefined) return judgeLater(session, bag.line, bags);
  const cell = /^Script running with cell ID (\S+)/.exec(head)?.[1];
  if (cell !== undefined) return judgeScript(cell, bag.line, bags);
  if (head.startsWith('Script failed')) return 'failure';
  if (head.startsWith('Script ')) return 'success';
  if (['exec_command', 'shell', 'local_shell', 'apply_patch'].includes(bag.tool)) return 'failure';
  if (/spawn_agent|close_agent|send_input|list_mcp_resources/.test(bag.tool))
    return head.startsWith('{') ? 'success' : 'failure';
  return /^(?:unsupported call|failed to parse|unable to locate|[\w/ ]+ failed:)/.test(head) ? 'failure' : 'success';
}

/** The first later look at the running command that saw its end. */
function judgeLater(session: string, line: number, bags: ReadonlyMap<string, Bag>): ReferenceOutcome {
  const looks = [...bags.values()].filter(
    (bag) => bag.tool === 'write_stdin' && bag.line > line && String(parse(bag.input)?.session_id) === session,
  );
  for (const look of looks) {
    const code = findCode((look.output ?? '').slice(0, 6000));
    if (code !== undefined) return code === 0 ? 'success' : 'failure';
  }
  return 'success';
}

/** The first later wait for the script that saw its end. */
function judgeScript(cell: string, line: number, bags: ReadonlyMap<string, Bag>): ReferenceOutcome {
  const waits = [...bags.values()].filter(
    (bag) => bag.tool === 'wait' && bag.line > line && String(parse(bag.input)?.cell_id) === cell,
  );
  const end = waits.find((wait) => /^Script (?:completed|failed|terminated)/.test(wait.output ?? ''))?.output ?? '';
  if (end.startsWith('Script terminated')) return 'cancelled';
  return end.startsWith('Script failed') ? 'failure' : 'success';
}

/** Codex's own lines, which end with `Output:`. */
function headOf(text: string): string {
  const at = text.indexOf('\nOutput:');
  return at === -1 ? '' : text.slice(0, at);
}

function hasHeader(text: string): boolean {
  return text.startsWith('{"output"') || /(?:Wall time|Exit code|Process exited)/.test(headOf(text));
}

function findCode(text: string): number | undefined {
  if (text.startsWith('{"output"')) {
    const code = /"exit_code":(-?\d+)/.exec(text.slice(text.lastIndexOf('"metadata"')))?.[1];
    return code === undefined ? undefined : Number(code);
  }
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(headOf(text))?.[1];
  return code === undefined ? undefined : Number(code);
}

function toText(output: Json): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return output.map((block) => block.text ?? '').join('\n');
  return output?.content === undefined ? '' : toText(output.content);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
