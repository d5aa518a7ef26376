/**
 * Gemini CLI: what its hooks tell of a run and what its chats keep of it are the same calls, sub-agent included, also
 * after the session was resumed and compressed.
 */
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { compareCalls, readHome, type ToldCall } from './compare-calls.ts';
import { type HookRecord, openRig, type RigTool, type RunContext, type RunResult, type Turn } from './rig.ts';

const sh = (command: string, more: object = {}): RigTool => ({
  name: 'run_shell_command',
  input: { command, ...more },
});
const say = (...tools: RigTool[]): Turn => ({ text: 'go', tools });

const everything = ({ project }: RunContext): readonly Turn[] => {
  const file = (name: string, input: string, more: object = {}): RigTool => ({
    name,
    input: { file_path: join(project, input), ...more },
  });
  return [
    say(sh('echo fine', { description: 'x' })),
    say(sh('echo before; exit 3')),
    say(sh('echo warned >&2')),
    say(sh('kill -9 $$')),
    say(file('read_file', 'missing.txt')),
    say(file('read_file', 'hello.txt')),
    say(file('replace', 'hello.txt', { instruction: 'x', old_string: 'NOT THERE', new_string: 'x' })),
    say(file('replace', 'hello.txt', { instruction: 'x', old_string: 'world', new_string: 'moon' })),
    say(file('write_file', 'new.txt', { content: 'fresh\n' })),
    say({ name: 'glob', input: { pattern: '*.txt' } }),
    say({ name: 'grep_search', input: { pattern: 'moon' } }),
    say(sh('sleep 0.3; echo slow'), sh('ls /nonexistent-place'), file('read_file', 'hello.txt')),
    say(sh('cat hidden-thing')),
    say({ name: 'read_file', input: { wrong: 1 } }),
    say({ name: 'no_such_tool', input: { a: 1 } }),
    say(sh('sleep 5; echo later', { is_background: true })),
    say({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'STORY-SUB go' } }),
    { text: 'all finished' },
  ];
};

/** Bad arguments and an unknown tool fire no hook. */
const UNHEARD = ['read_file failure', 'no_such_tool failure'];

/** The last thing that is asked of the model for a compression. */
const SUMMARY_REQUEST = 'Critically evaluate the <state_snapshot>';

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('gemini');
  const answer = `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{if(s.includes('hidden-thing'))process.stdout.write(JSON.stringify({decision:'deny',reason:'not this'}))})`;
  const options = {
    // Far below what the scripted model says it used: the second prompt finds a conversation to compress.
    settings: { model: { compressionThreshold: 0.0005 } },
    steps: [{ prompt: 'RIG-MAIN go' }, { prompt: 'RIG-MORE go', args: ['--resume', 'latest'] }],
    hooks: ({ hookLog }: { readonly hookLog: string }) => {
      const hooks = rig.hooksFor?.(hookLog) ?? {};
      const command = `'${process.execPath}' -e '${answer.replaceAll("'", `'\\''`)}'`;
      const refuse = { hooks: [{ type: 'command', name: 'refuse', command }] };
      return { ...hooks, BeforeTool: [...(hooks.BeforeTool ?? []), refuse] };
    },
    script: (context: RunContext) => ({
      routes: [
        {
          name: 'sub',
          match: 'STORY-SUB',
          turns: [
            { tools: [{ name: 'list_directory', input: { dir_path: context.project } }] },
            { tools: [sh('exit 4')] },
            { tools: [{ name: 'complete_task', input: { result: { response: 'done' }, response: 'done' } }] },
          ],
        },
        { name: 'main', match: 'RIG-MAIN', turns: everything(context) },
        // Compressed, the conversation no longer begins with its first prompt.
        { name: 'more', match: 'session_context', turns: [say(sh('echo resumed')), { text: 'more finished' }] },
      ],
    }),
  };
  await check(await rig.run('oncebitten-transcript', options), checks);
}

async function check(run: RunResult, checks: Checks): Promise<void> {
  checks.check('both sessions end cleanly', run.results.map(({ code }) => code).join() === '0,0');
  const read = await readHome('gemini', run.home, {});
  const named = await readHome('gemini', '/nonexistent', { GEMINI_CLI_HOME: run.home });
  // Two, and one without a call where the clock turned to another minute before the session was resumed.
  const isFound = read.files >= 2 && named.files === read.files;
  checks.check('its chats are found in the home, and where the variable says', isFound, `${read.files} files`);
  checks.check('every record is known', read.skipped.length === 0, read.skipped.join(', '));
  checks.check('a second read tells nothing', read.again === 0, String(read.again));
  compareCalls(toTold(run.hooks), read.rows, UNHEARD, checks);

  const subs = read.rows.filter((row) => row.contextId !== '').map((row) => row.rawTool);
  checks.check(
    'the sub-agent has its own context',
    subs.join() === 'list_directory,run_shell_command,complete_task',
    subs.join(),
  );
  const ids = new Set(read.events.map((event) => event.sessionId));
  const told = new Set(run.hooks.map(({ payload }) => payload.session_id));
  checks.check('all in the session that the hooks name', [...ids].join() === [...told].join(), [...ids].join());
  const prompts = read.events.flatMap((event) => (event.kind === 'prompted' ? [event.text] : []));
  checks.check('each prompt once', prompts.join() === 'RIG-MAIN go,RIG-MORE go', prompts.join());
  const compactions = read.events.filter((event) => event.kind === 'compacted').length;
  const asked = run.requests.filter(({ body }) => JSON.stringify(body).includes(SUMMARY_REQUEST)).length;
  checks.check('each compression is told once', asked > 0 && compactions === asked, `${compactions} of ${asked}`);
  const folders = new Set(read.rows.map((row) => row.cwd));
  checks.check('with the folder of the project', [...folders].join() === run.project, [...folders].join());
}

/** A hook before each call, and one after those that ran; nothing but the order and the input joins the two. */
function toTold(hooks: readonly HookRecord[]): readonly ToldCall[] {
  const ends = hooks.filter(({ event }) => event === 'AfterTool').map(({ payload }) => payload);
  return hooks
    .filter(({ event }) => event === 'BeforeTool')
    .map(({ payload }) => {
      const { tool_name, tool_input } = payload;
      const key = JSON.stringify([tool_name, tool_input]);
      const at = ends.findIndex((end) => JSON.stringify([end.tool_name, end.tool_input]) === key);
      const [end] = at === -1 ? [] : ends.splice(at, 1);
      return { rawTool: String(tool_name), input: tool_input, ...toEnd(end?.tool_response) };
    });
}

function toEnd(response: unknown): { readonly outcome: string; readonly exitCode?: number } {
  if (response === undefined) return { outcome: 'denied' };
  const { llmContent, error } = response as { readonly llmContent?: unknown; readonly error?: unknown };
  const [, code, signal] = /^(?:Exit Code: (\d+)|Signal: (\d+))$/m.exec(String(llmContent)) ?? [];
  const exitCode = code === undefined ? (signal === undefined ? undefined : 128 + Number(signal)) : Number(code);
  if (exitCode !== undefined) return { outcome: 'failure', exitCode };
  return { outcome: error === undefined ? 'success' : 'failure' };
}
