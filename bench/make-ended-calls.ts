/** PostToolUse and PostToolUseFailure payloads as Claude Code sends them, with outputs of a few hundred bytes to 8 KB. */
export interface EndedCallOptions {
  readonly count: number;
  readonly session: string;
  readonly cwd: string;
}

const COMMANDS = [
  'npm test',
  'git status --short',
  'go build ./...',
  'ls -la src',
  'pytest tests/unit -q',
  'rg -n "token" src',
];
const LINE = 'src/checkout/total.ts:42:17 resolved 3 packages in 120 ms, no problem was found in this file\n';

export function makeEndedCalls({ count, session, cwd }: EndedCallOptions): readonly string[] {
  return Array.from({ length: count }, (_, n) => {
    const command = `${COMMANDS[n % COMMANDS.length]} # ${n}`;
    const failed = n % 18 === 0;
    const output = LINE.repeat(1 + ((n * 7) % 90));
    return `${JSON.stringify({
      session_id: session,
      transcript_path: '',
      cwd,
      hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command, description: 'work' },
      tool_use_id: `${session}-${n}`,
      duration_ms: 20 + (n % 400),
      ...(failed
        ? { error: `Exit code 1\n${output}error: the build failed in module ${n % 40}`, is_interrupt: false }
        : { tool_response: { stdout: output, stderr: '', interrupted: false } }),
    })}\n`;
  });
}
