/** Calls as Claude Code reports them, from every source, in the shapes of the recordings. */

export type Telling =
  | { readonly hook: Readonly<Record<string, unknown>>; readonly at: string }
  | { readonly rows: readonly object[]; readonly path?: string };

export interface Scenario {
  readonly name: string;
  readonly tellings: readonly Telling[];
  /** The first report comes first, because only then can the second be paired with it. The agent waits for it. */
  readonly startsFirst?: true;
  /** Fields of the resulting row. */
  readonly expected: Readonly<Record<string, unknown>> & { readonly outcome: string };
}

const time = (second: number): string => new Date(Date.UTC(2026, 10, 15, 10) + second * 1000).toISOString();
const ID = 'toolu_1';
const HARD = { tool_name: 'Bash', tool_use_id: ID };
const NOTHING = { stderr: '', interrupted: false, isImage: false };

interface Asked {
  readonly tool?: string;
  readonly input: object;
  readonly agentId?: string;
}

const tool = ({ tool: name = 'Bash', input, agentId }: Asked) => ({
  ...HARD,
  tool_name: name,
  tool_input: input,
  ...(agentId === undefined ? {} : { agent_id: agentId, agent_type: 'Explore' }),
});

const pre = (asked: Asked): Telling => ({ hook: { hook_event_name: 'PreToolUse', ...tool(asked) }, at: time(0) });
const post = (asked: Asked, response: object, more: object = {}): Telling => ({
  hook: { hook_event_name: 'PostToolUse', ...tool(asked), tool_response: response, ...more },
  at: time(3),
});
const failure = (asked: Asked, error: string, more: object = {}): Telling => ({
  hook: { hook_event_name: 'PostToolUseFailure', ...tool(asked), error, is_interrupt: false, ...more },
  at: time(3),
});
const batch = (asked: Asked, response: unknown): Telling => ({
  hook: {
    hook_event_name: 'PostToolBatch',
    ...(asked.agentId === undefined ? {} : { agent_id: asked.agentId }),
    tool_calls: [
      { tool_name: asked.tool ?? 'Bash', tool_input: asked.input, tool_use_id: ID, tool_response: response },
    ],
  },
  at: time(4),
});

function transcript(asked: Asked, content: unknown, more: object = {}, isError = false): Telling {
  const side = asked.agentId === undefined ? {} : { isSidechain: true, agentId: asked.agentId };
  const use = { type: 'tool_use', id: ID, name: asked.tool ?? 'Bash', input: asked.input };
  const result = { type: 'tool_result', tool_use_id: ID, content, ...(isError ? { is_error: true } : {}) };
  return {
    rows: [
      { type: 'assistant', timestamp: time(0), ...side, message: { content: [use] } },
      { type: 'user', timestamp: time(2), ...side, message: { content: [result] }, ...more },
    ],
  };
}

function withRow(telling: Telling, row: object): Telling {
  return 'rows' in telling ? { ...telling, rows: [...telling.rows, row] } : telling;
}

const ls = { input: { command: 'ls', description: 'x' } };
const bad = { input: { command: 'ls --colour', description: 'x' } };
const hidden = { input: { command: 'foo; echo done', description: 'x' } };
const edit = { tool: 'Edit', input: { file_path: '/home/dev/project/a', old_string: 'x', new_string: 'y' } };
const shown = { input: { command: 'cat notes', description: 'x' } };
const server = { input: { command: 'npm start', description: 'x', run_in_background: true } };
const sub = { ...ls, agentId: 'a1b2c3' };
const NO =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, not ls";
const ENDED =
  '<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n<status>failed</status>\n<summary>Background command "x" failed with exit code 3</summary>\n</task-notification>';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a success',
    tellings: [
      pre(ls),
      post(ls, { stdout: 'a', ...NOTHING }, { duration_ms: 37 }),
      batch(ls, 'a'),
      transcript(ls, 'a', { toolUseResult: { stdout: 'a', ...NOTHING } }),
    ],
    expected: {
      outcome: 'success',
      outcomeType: 'exit-code',
      exitCode: 0,
      durationMs: 37,
      durationSource: 'agent',
      occurredAt: time(0),
    },
  },
  {
    name: 'a success without a time of its own',
    startsFirst: true,
    tellings: [
      pre(ls),
      post(ls, { stdout: 'a', ...NOTHING }),
      transcript(ls, 'a', { toolUseResult: { stdout: 'a', ...NOTHING } }),
    ],
    expected: { outcome: 'success', durationSource: 'paired' },
  },
  {
    name: 'a failure',
    tellings: [
      pre(bad),
      failure(bad, "Exit code 2\nls: unrecognized option '--colour'", { duration_ms: 15 }),
      batch(bad, "Exit code 2\nls: unrecognized option '--colour'"),
      transcript(bad, "Exit code 2\nls: unrecognized option '--colour'", {}, true),
    ],
    expected: {
      outcome: 'failure',
      outcomeType: 'exit-code',
      exitCode: 2,
      message: "ls: unrecognized option '--colour'",
    },
  },
  {
    name: 'a failure that fires no event of its own',
    tellings: [
      batch(edit, '<tool_use_error>String to replace not found in file.</tool_use_error>'),
      transcript(edit, '<tool_use_error>String to replace not found in file.</tool_use_error>', {}, true),
    ],
    expected: { outcome: 'failure', outcomeType: 'error-flag', tool: 'edit' },
  },
  {
    name: 'a failure that the command hides',
    tellings: [
      pre(hidden),
      post(hidden, { stdout: 'bash: foo: command not found\ndone', ...NOTHING }, { duration_ms: 5 }),
      batch(hidden, 'bash: foo: command not found\ndone'),
      transcript(hidden, 'bash: foo: command not found\ndone', {
        toolUseResult: { stdout: 'bash: foo: command not found\ndone', ...NOTHING },
      }),
    ],
    expected: { outcome: 'failure', outcomeType: 'masked', masked: true, exitCode: 0 },
  },
  {
    name: 'a success that a batch guesses wrong',
    tellings: [
      pre(shown),
      post(shown, { stdout: 'Exit code 1\nis what it said', ...NOTHING }, { duration_ms: 5 }),
      batch(shown, 'Exit code 1\nis what it said'),
      transcript(shown, 'Exit code 1\nis what it said', {
        toolUseResult: { stdout: 'Exit code 1\nis what it said', ...NOTHING },
      }),
    ],
    expected: { outcome: 'success', exitCode: 0, message: undefined, signature: undefined },
  },
  {
    name: "the user's no, with words that are kept without their secret",
    tellings: [
      pre(ls),
      batch(ls, NO),
      transcript(ls, NO, { toolDenialKind: 'user-rejected', toolUseResult: 'User rejected tool use' }, true),
    ],
    expected: { outcome: 'denied', outcomeType: 'user-refusal', message: 'use [redacted:github-token], not ls' },
  },
  {
    name: 'a rule',
    tellings: [
      pre(ls),
      batch(ls, 'Permission to use Bash with command ls has been denied.'),
      transcript(
        ls,
        'Permission to use Bash with command ls has been denied.',
        { toolDenialKind: 'permission-rule' },
        true,
      ),
    ],
    expected: { outcome: 'denied', outcomeType: 'rule-denial', message: undefined },
  },
  {
    name: 'a rule in the name of a user who cannot be asked',
    tellings: [
      pre(ls),
      batch(ls, 'Permission to use Bash has been auto-denied (prompts unavailable).'),
      transcript(ls, 'Permission to use Bash has been auto-denied (prompts unavailable).', {}, true),
    ],
    expected: { outcome: 'denied', outcomeType: 'rule-denial', message: undefined },
  },
  {
    name: 'an interrupt',
    tellings: [
      pre(ls),
      failure(ls, '[Request interrupted by user for tool use]', { is_interrupt: true, duration_ms: 9 }),
      transcript(ls, '[Request interrupted by user for tool use]', {}, true),
    ],
    expected: { outcome: 'cancelled', outcomeType: 'interrupt' },
  },
  {
    name: 'a sibling of a call that failed',
    tellings: [
      pre(ls),
      batch(ls, '<tool_use_error>Sibling tool call errored</tool_use_error>'),
      transcript(ls, '<tool_use_error>Sibling tool call errored</tool_use_error>', {}, true),
    ],
    expected: { outcome: 'cancelled', outcomeType: 'interrupt' },
  },
  {
    name: 'out of time',
    tellings: [
      pre(ls),
      failure(ls, 'Exit code 143\nCommand timed out after 1s', { duration_ms: 1013 }),
      batch(ls, 'Exit code 143\nCommand timed out after 1s'),
      transcript(ls, 'Exit code 143\nCommand timed out after 1s', {}, true),
    ],
    expected: { outcome: 'failure', outcomeType: 'timeout', exitCode: 143 },
  },
  {
    name: 'a start in the background and its end',
    tellings: [
      pre(server),
      post(server, { stdout: '', ...NOTHING, backgroundTaskId: 'b1' }, { duration_ms: 12 }),
      batch(server, 'Command running in background with ID: b1'),
      withRow(
        transcript(server, 'Command running in background with ID: b1', {
          toolUseResult: { stdout: '', ...NOTHING, backgroundTaskId: 'b1' },
        }),
        { type: 'attachment', timestamp: time(30), attachment: { type: 'queued_command', prompt: ENDED } },
      ),
      { hook: { hook_event_name: 'UserPromptSubmit', prompt: ENDED }, at: time(30) },
    ],
    expected: { outcome: 'failure', outcomeType: 'exit-code', exitCode: 3, durationMs: 30_000, occurredAt: time(0) },
  },
  {
    name: 'a call of a sub-agent, whose transcript lacks the output object',
    tellings: [
      pre(sub),
      post(sub, { stdout: 'a', ...NOTHING }, { duration_ms: 6 }),
      batch(sub, 'a'),
      { ...transcript(sub, 'a'), path: '/x/main/subagents/agent-a1b2c3.jsonl' },
    ],
    expected: { outcome: 'success', outcomeType: 'exit-code', exitCode: 0, contextId: 'a1b2c3' },
  },
];
