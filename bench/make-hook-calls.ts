/** PreToolUse calls of Claude Code in sessions of 20, of 5 KB each; every fourth is one that a lesson speaks about. */
import { BENCH_PROGRAMS } from './bench-programs.ts';
import type { BenchLesson } from './make-bench-lessons.ts';

export interface HookCall {
  readonly sessionId: string;
  readonly payload: string;
  /** A text that must come, such as the slug of a lesson; absent where the hook must be silent. */
  readonly expects?: string;
}

const PAYLOAD_BYTES = 5 * 1024;
const CALLS_PER_SESSION = 20;
const DELIVERS_EVERY = 4;

export interface HookCallsInput {
  readonly count: number;
  readonly lessons: readonly BenchLesson[];
  readonly place: { readonly cwd: string };
  readonly transcriptsDir: string;
}

export function makeHookCalls(input: HookCallsInput): readonly HookCall[] {
  const speaking = input.lessons.filter((one) => one.command !== undefined);
  return Array.from({ length: input.count }, (_, n) => {
    const sessionId = `bench-${Math.floor(n / CALLS_PER_SESSION)}`;
    const toPayload = (tool: Tool) => makePayload(n, sessionId, tool, input);
    const one = speaking[Math.floor(n / DELIVERS_EVERY) % speaking.length];
    if (n % DELIVERS_EVERY !== 0 || one?.command === undefined)
      return { sessionId, payload: toPayload(toSilentTool(n)) };
    return {
      sessionId,
      payload: toPayload(toShell(`${one.command} 2>&1 | tail -40`)),
      expects: `(${one.lesson.slug})`,
    };
  });
}

interface Tool {
  readonly tool_name: string;
  readonly tool_input: (filler: string) => Readonly<Record<string, unknown>>;
}

/** Two thirds commands (of programs that lessons speak about, used right), one third edits and new files. */
function toSilentTool(n: number): Tool {
  const program = BENCH_PROGRAMS[n % BENCH_PROGRAMS.length];
  const kind = n % 12;
  if (kind === 1 || kind === 6) return toEdit(`src/part-${n}/parse.ts`);
  if (kind === 3) return toWrite(`docs/part-${n}.md`);
  return toShell(`${program?.name} ${program?.subs[n % program.subs.length]} ${program?.right} 2>&1 | head -60`);
}

/** Agents write files through here-documents; their text is no command. */
function toShell(command: string): Tool {
  return {
    tool_name: 'Bash',
    tool_input: (filler) => ({
      command: `cd packages/app && cat > notes.md <<'EOF'\n${filler}\nEOF\n${command}`,
      description: 'Write the notes and look at the result',
    }),
  };
}

function toEdit(path: string): Tool {
  return {
    tool_name: 'Edit',
    tool_input: (filler) => ({ file_path: `/repo/${path}`, old_string: 'return undefined;', new_string: filler }),
  };
}

function toWrite(path: string): Tool {
  return { tool_name: 'Write', tool_input: (filler) => ({ file_path: `/repo/${path}`, content: filler }) };
}

function makePayload(n: number, sessionId: string, tool: Tool, input: HookCallsInput): string {
  const toJson = (filler: string) =>
    JSON.stringify({
      session_id: sessionId,
      transcript_path: `${input.transcriptsDir}/${sessionId}.jsonl`,
      cwd: input.place.cwd,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: tool.tool_name,
      tool_input: tool.tool_input(filler),
      tool_use_id: `toolu_bench_${n}`,
    });
  return toJson(toFiller(PAYLOAD_BYTES - toJson('').length));
}

/** Text with the quotes, dollars and newlines that real text has, of so many bytes when it is written as JSON. */
function toFiller(bytes: number): string {
  const line = 'const found = await read("$DIR/part.json"); // it\'s what `npm run check` needs\n';
  const inJson = JSON.stringify(line).length - 2;
  return line.repeat(Math.floor(bytes / inJson)) + 'x'.repeat(bytes % inJson);
}
