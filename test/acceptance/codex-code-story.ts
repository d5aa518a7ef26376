/**
 * What the scripted model asks of Codex, in code mode and outside it, and every call that this makes: its tool, its text
 * and how it ends. The texts are written down here and not read out of the scripts, so that the reader is checked
 * against something else than itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RigTool, RunContext, Turn } from './rig.ts';

export type Outcome = 'success' | 'failure' | 'denied' | 'cancelled';

export interface Made {
  readonly tool: string;
  /** The command, the file of an edit, or the name of another tool. */
  readonly text: string;
  readonly outcome: Outcome;
  readonly exitCode?: number;
  /** The script prints nothing that tells how it ended: only a row of the call's own does. */
  readonly isHidden?: boolean;
}

export interface Scene {
  readonly turn: Turn;
  readonly made: readonly Made[];
}

type Story = (context: RunContext) => readonly Scene[];

const sh = (text: string, exitCode: number, more: Partial<Made> = {}): Made => ({
  tool: 'shell',
  text,
  outcome: exitCode === 0 ? 'success' : 'failure',
  exitCode,
  ...more,
});
const edit = (text: string, outcome: Outcome): Made => ({ tool: 'edit', text, outcome });
const other = (text: string, outcome: Outcome = 'success'): Made => ({ tool: 'other', text, outcome });
const HIDDEN = { isHidden: true } as const;

const say = (...tools: RigTool[]): Turn => ({ text: 'go', tools });
const script = (input: string, ...made: Made[]): Scene => ({
  turn: say({ name: 'exec', custom: true, input }),
  made: [other('exec'), ...made],
});
const failing = (input: string, ...made: Made[]): Scene => ({
  turn: say({ name: 'exec', custom: true, input }),
  made: [other('exec', 'failure'), ...made],
});

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const GOOD_PATCH = patch('*** Update File: hello.txt', '@@', ' hello', '-world', '+moon');
const BAD_PATCH = patch('*** Update File: hello.txt', '@@', '-NOT THERE', '+x');

/** In code mode. */
export const SCRIPTS: Story = (context) => [
  script("const r = await tools.exec_command({cmd: 'echo nested'});\ntext(r);", sh('echo nested', 0)),
  script("text((await tools.exec_command({cmd: 'echo quiet'})).output);", sh('echo quiet', 0, HIDDEN)),
  script(
    "const rs = await Promise.all([tools.exec_command({cmd: 'echo a; exit 5'}), tools.exec_command({cmd: 'echo b', workdir: '/'})]);\ntext(rs);",
    sh('echo a; exit 5', 5),
    sh('echo b', 0),
  ),
  script(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    "const names = ['one', 'two'];\nconst done = await Promise.all(names.map((name, i) => tools.exec_command({cmd: `echo ${name}; exit ${i}`})));\ndone.forEach((r, i) => text(`${names[i]} ended with ${r.exit_code}\\n${r.output}`));",
    sh('echo one; exit 0', 0),
    sh('echo two; exit 1', 1),
  ),
  script(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    "const base = {workdir: '.', max_output_tokens: 400};\nconst run = async (cmd) => {\n  const r = await tools.exec_command({...base, cmd});\n  text(`$ ${cmd}\\nexit: ${r.exit_code}\\n${r.output}`);\n  return r;\n};\nfor (const cmd of ['echo first', 'cat ' + 'missing.txt', 'echo third']) {\n  const r = await run(cmd);\n  if (r.exit_code !== 0) break;\n}",
    sh('echo first', 0),
    sh('cat missing.txt', 1),
  ),
  script(
    "await Promise.all(['sleep 0.5; echo slow', 'echo fast; exit 3'].map(async (cmd) => { const r = await tools.exec_command({cmd}); text({cmd, code: r.exit_code}); }));",
    sh('sleep 0.5; echo slow', 0),
    sh('echo fast; exit 3', 3),
  ),
  script(`text(await tools.apply_patch(${JSON.stringify(GOOD_PATCH)}));`, edit('hello.txt', 'success')),
  script(`await tools.apply_patch(${JSON.stringify(BAD_PATCH)});`, edit('hello.txt', 'failure')),
  script(
    `try { await tools.apply_patch(${JSON.stringify(BAD_PATCH)}); } catch (error) { text('could not: ' + error); }\nconst r = await tools.exec_command({cmd: 'git status --short'}); text(r.exit_code);`,
    edit('hello.txt', 'failure'),
    sh('git status --short', 0),
  ),
  script("await tools.exec_command({cmd: 'cat hidden-thing'});", {
    tool: 'shell',
    text: 'cat hidden-thing',
    outcome: 'denied',
  }),
  script("const r = await tools.exec_command({cmd: 'git push origin main'}); text(r);", {
    tool: 'shell',
    text: 'git push origin main',
    outcome: 'denied',
  }),
  script("await tools.exec_command({cmd: 'echo nowhere', workdir: '/nonexistent-place'});", {
    tool: 'shell',
    text: 'echo nowhere',
    outcome: 'failure',
  }),
  failing(
    "const r = await tools.exec_command({cmd: 'echo before'});\ntext(r);\nnoSuchThing(r);\nawait tools.exec_command({cmd: 'echo never'});",
    sh('echo before', 0),
  ),
  failing("tools.exec_command({cmd: 'echo dropped'}); throw new Error('boom');"),
  script(
    "const r = await tools.exec_command({cmd: 'sleep 1; echo late; exit 7', yield_time_ms: 250});\ntext(r);",
    sh('sleep 1; echo late; exit 7', 7),
  ),
  {
    turn: later(context, (request) => ({
      name: 'exec',
      custom: true,
      input: `const r = await tools.write_stdin({session_id: ${findLast(request, /session_id\\*":(\d+)/g)}, yield_time_ms: 5000});\ntext(r);`,
    })),
    made: [other('exec'), other('write_stdin')],
  },
  script(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    "// @exec: {\"yield_time_ms\": 250}\ntext('begun');\nconst r = await tools.exec_command({cmd: 'sleep 1; echo cell; exit 4'});\ntext(`ended with ${r.exit_code}`);",
    sh('sleep 1; echo cell; exit 4', 4),
  ),
  {
    turn: later(context, (request) => ({
      name: 'wait',
      input: { cell_id: findLast(request, /cell ID ([\w-]+)/g), yield_time_ms: 8000 },
    })),
    made: [other('wait')],
  },
  {
    turn: say({
      name: 'exec',
      custom: true,
      input: '// @exec: {"yield_time_ms": 250}\nawait tools.exec_command({cmd: "sleep 20"});',
    }),
    made: [other('exec', 'cancelled'), { tool: 'shell', text: 'sleep 20', outcome: 'cancelled' }],
  },
  {
    turn: later(context, (request) => ({
      name: 'wait',
      input: { cell_id: findLast(request, /cell ID ([\w-]+)/g), terminate: true },
    })),
    made: [{ tool: 'other', text: 'wait', outcome: 'cancelled' }],
  },
  script(
    "text(await tools.mcp__echo__echo({text: 'hi'}));\ntext(await tools.mcp__echo__fail({}));",
    { tool: 'mcp:echo/echo', text: 'mcp__echo__echo', outcome: 'success' },
    { tool: 'mcp:echo/fail', text: 'mcp__echo__fail', outcome: 'failure' },
  ),
  script(
    '// @exec: {"max_output_tokens": 200}\nconst r = await tools.exec_command({cmd: "seq 1 400"});\ntext(r);\ntext("exit " + r.exit_code);',
    sh('seq 1 400', 0),
  ),
];

/** The same client asked without scripts. */
export const DIRECT: Story = (context) => [
  direct('exec_command', { cmd: 'echo fine' }, sh('echo fine', 0)),
  direct('exec_command', { cmd: 'echo before; exit 3' }, sh('echo before; exit 3', 3)),
  direct('exec_command', { cmd: 'cat hidden-thing' }, { tool: 'shell', text: 'cat hidden-thing', outcome: 'denied' }),
  direct(
    'exec_command',
    { cmd: 'git push origin main' },
    { tool: 'shell', text: 'git push origin main', outcome: 'denied' },
  ),
  direct(
    'exec_command',
    { cmd: 'echo nowhere', workdir: '/nonexistent-place' },
    {
      tool: 'shell',
      text: 'echo nowhere',
      outcome: 'failure',
    },
  ),
  { turn: say({ name: 'apply_patch', custom: true, input: BAD_PATCH }), made: [edit('hello.txt', 'failure')] },
  { turn: say({ name: 'apply_patch', custom: true, input: GOOD_PATCH }), made: [edit('hello.txt', 'success')] },
  direct(
    'exec_command',
    { cmd: 'sleep 1; echo late; exit 7', yield_time_ms: 250 },
    sh('sleep 1; echo late; exit 7', 7),
  ),
  {
    turn: later(context, (request) => ({
      name: 'write_stdin',
      input: { session_id: Number(findLast(request, /session ID (\d+)/g)), yield_time_ms: 5000 },
    })),
    made: [other('write_stdin')],
  },
];

function direct(name: string, input: object, ...made: Made[]): Scene {
  return { turn: say({ name, input }), made };
}

/** A turn that speaks of a number which the client made up before: it stands in the request. */
function later({ project }: RunContext, toTool: (request: string) => RigTool): Turn {
  const file = join(project, '../requests.jsonl');
  return {
    text: 'go',
    get tools() {
      return [toTool(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')];
    },
  };
}

function findLast(text: string, pattern: RegExp): string {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? '0';
}
