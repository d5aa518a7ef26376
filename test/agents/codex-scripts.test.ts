import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openRollout } from '../../src/agents/codex/history.ts';
import { loadScriptReader } from '../../src/agents/codex/nested-calls.ts';
import type { ScriptOutput } from '../../src/agents/codex/scripts/follow-way.ts';
import { readScript } from '../../src/agents/codex/scripts/read-script.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { type Made, SCRIPTS } from '../acceptance/codex-code-story.ts';
import { openLines, readAll } from './open-lines.ts';

type Row = EventOf<'call-ended'> | EventOf<'background-ended'>;

const FOLDER = fileURLToPath(new URL('../fixtures/codex/', import.meta.url));

/** A script that ended well and printed these texts. */
function done(...blocks: string[]): ScriptOutput {
  return { status: 'completed', blocks };
}

const result = (exit_code: number, output = ''): string =>
  JSON.stringify({ chunk_id: 'a1', wall_time_seconds: 0.5, exit_code, original_token_count: 1, output });

/** `command: how exit-code`. */
function read(source: string, output: ScriptOutput): readonly string[] {
  return readScript(source, output).calls.map(({ input, end }) => {
    const text = typeof input === 'string' ? input.slice(0, 20) : String(input.cmd ?? '?');
    return `${text}: ${[end.how, end.exitCode].filter((part) => part !== undefined).join(' ')}`;
  });
}

describe('the calls of a script', () => {
  it('do not include a call behind a field that the result of a patch lacks', () => {
    const source = `let r; try {
      r = await tools.apply_patch('one').catch((e) => ({output: String(e)}));
      r.output.includes('x');
      await tools.apply_patch('two');
    } catch (e) { text('caught ' + e); }`;
    const told = read(source, done("caught TypeError: Cannot read properties of undefined (reading 'includes')"));
    assert.deepEqual(told, ['one: resolved']);
  });

  const CASES: Readonly<Record<string, readonly [source: string, ...commands: string[]]>> = {
    literals: ["await tools.exec_command({cmd: 'ls', workdir: '/x'})", 'ls'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    'templates and constants': ["const dir = 'src'; await tools.exec_command({cmd: `ls ${dir}/${1 + 1}`})", 'ls src/2'],
    concatenation: ["let c = 'git'; c += ' ' + 'status'; await tools.exec_command({cmd: c})", 'git status'],
    'object spread': ["const o = {workdir: '.'}; await tools.exec_command({...o, cmd: 'make'})", 'make'],
    'short names': ["const cmd = 'pwd'; await tools.exec_command({cmd})", 'pwd'],
    'a list that is mapped': [
      "await Promise.all(['a', 'b'].map((x) => tools.exec_command({cmd: 'cat ' + x})))",
      'cat a',
      'cat b',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    'a loop over a list': ["for (const x of ['a', 'b']) await tools.exec_command({cmd: `wc ${x}`})", 'wc a', 'wc b'],
    'a counting loop': ["for (let i = 0; i < 2; i++) await tools.exec_command({cmd: 'n ' + i})", 'n 0', 'n 1'],
    'entries of an object': [
      "for (const [k, v] of Object.entries({a: 1})) await tools.exec_command({cmd: k + '=' + v})",
      'a=1',
    ],
    'names of an object': [
      "for (const x in {a: 1, b: 2}) await tools.exec_command({cmd: 'cat ' + x})",
      'cat a',
      'cat b',
    ],
    'a helper': [
      "async function sh(cmd) { return tools.exec_command({cmd}); } await sh('one'); await sh('two')",
      'one',
      'two',
    ],
    'a helper that is no function statement': ["const sh = (cmd) => tools.exec_command({cmd}); await sh('one')", 'one'],
    'a tool under another name': ["const { exec_command: run } = tools; await run({cmd: 'one'})", 'one'],
    'a name in brackets': ["await tools['exec_command']({cmd: 'one'})", 'one'],
    'joined lines': ["await tools.exec_command({cmd: ['cd x', 'make'].join(' && ')})", 'cd x && make'],
    'JSON in a command': ["await tools.exec_command({cmd: 'echo ' + JSON.stringify({a: 1})})", 'echo {"a":1}'],
    'String.raw': ['await tools.exec_command({cmd: String.raw`grep "\\d+" x`})', 'grep "\\d+" x'],
    'a condition that is known': [
      "if (1 > 2) await tools.exec_command({cmd: 'no'}); else await tools.exec_command({cmd: 'yes'})",
      'yes',
    ],
  };
  for (const [name, [source, ...commands]] of Object.entries(CASES))
    it(`are found in ${name}`, () => {
      const calls = readScript(source, done()).calls;
      assert.deepEqual(
        calls.map(({ input }) => (typeof input === 'string' ? input : input.cmd)),
        commands,
      );
    });

  it('have no text if the script computes it while it runs', () => {
    const source =
      "const r = await tools.exec_command({cmd: 'ls'}); await tools.exec_command({cmd: 'cat ' + r.output.trim()})";
    const [, second] = readScript(source, done()).calls;
    assert.deepEqual([second?.isComplete, second?.input], [false, {}]);
    assert.match(second?.source ?? '', /^tools\.exec_command\(\{cmd: 'cat '/);
  });

  it('have the text that the output shows', () => {
    const source =
      "const r = await tools.exec_command({cmd: 'ls'}); text(r); await tools.exec_command({cmd: 'cat ' + r.output})";
    assert.deepEqual(read(source, done(result(0, 'a.txt'))), ['ls: resolved 0', 'cat a.txt: resolved']);
  });

  it('are not reported if the script may not have made them', () => {
    const source =
      "const r = await tools.exec_command({cmd: 'ls'}); if (r.exit_code) await tools.exec_command({cmd: 'fix'})";
    assert.deepEqual(read(source, done()), ['ls: resolved']);
    assert.equal(readScript(source, done()).unsure, 1);
  });

  it('are reported if the output shows which way the script took', () => {
    const source =
      "const r = await tools.exec_command({cmd: 'ls'}); if (r.exit_code !== 0) { await tools.exec_command({cmd: 'fix'}); text('fixed'); } text('end')";
    assert.deepEqual(read(source, done('fixed', 'end')), ['ls: resolved', 'fix: resolved']);
    assert.deepEqual(read(source, done('end')), ['ls: resolved 0']);
  });

  it('are those before the place where JavaScript failed', () => {
    const source = "await tools.exec_command({cmd: 'one'});\nnoSuchThing();\nawait tools.exec_command({cmd: 'two'});";
    const error = 'ReferenceError: noSuchThing is not defined\n    at exec_main.mjs:2:1';
    assert.deepEqual(read(source, { status: 'failed', blocks: [], error }), ['one: resolved']);
  });

  it('are none if the client dropped them, or never ran the script', () => {
    assert.deepEqual(read("tools.exec_command({cmd: 'one'}); text('x')", done('x')), []);
    const error = 'SyntaxError: Illegal return statement';
    assert.deepEqual(
      read("await tools.exec_command({cmd: 'x'}); return 1", { status: 'failed', blocks: [], error }),
      [],
    );
  });
});

describe('the end of a call of a script', () => {
  const one = "const r = await tools.exec_command({cmd: 'x'}); ";

  it('is found in every way of printing the exit code', () => {
    const ways: Readonly<Record<string, readonly string[]>> = {
      'text(r)': [result(3)],
      'text(JSON.stringify(r, null, 2))': [JSON.stringify(JSON.parse(result(3)), null, 2)],
      'text(r.exit_code)': ['3'],
      'text(r.exit_code ?? "running")': ['3'],
      'text(`exit ${r.exit_code}\\n${r.output}`)': ['exit 3\nexit 4'],
      'text(r.output + "\\nexit: " + r.exit_code)': ['exit: 4\nexit: 3'],
      'text({code: r.exit_code, out: r.output})': ['{"code":3,"out":"no"}'],
      'text({cmd: "x", ...r})': [JSON.stringify({ cmd: 'x', ...JSON.parse(result(3)) })],
      'text([r])': [`[${result(3)}]`],
      'const { exit_code: code, output } = r; text(`${code}|${output}`)': ['3|4|5'],
    };
    for (const [print, blocks] of Object.entries(ways))
      assert.deepEqual(read(one + print, done(...blocks)), ['x: resolved 3'], print);
  });

  it('is found in a fallback for commands that continue, also if the exit code is 0', () => {
    const source = `${one}text(r.exit_code ?? 'running')`;
    assert.deepEqual(read(source, done('0')), ['x: resolved 0']);
    assert.deepEqual(read(source, done('running')), ['x: resolved']);
  });

  it('is unknown if the script printed only the output, which is kept', () => {
    const [call] = readScript(`${one}text(r.output)`, done('npm ERR! Missing script')).calls;
    assert.deepEqual(call?.end, { how: 'resolved', text: 'npm ERR! Missing script' });
  });

  it('is unknown if the text may be split in more than one way', () => {
    const source = `const [a, b] = await Promise.all(['x', 'y'].map((cmd) => tools.exec_command({cmd}))); text(a.output + '-' + b.output)`;
    const ends = readScript(source, done('1-2-3')).calls.map(({ end }) => end);
    assert.deepEqual(ends, [{ how: 'resolved' }, { how: 'resolved' }]);
  });

  it('comes from its own text, in whatever order texts of parallel tasks came', () => {
    const source =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
      "await Promise.all(['x', 'y'].map(async (cmd) => { const r = await tools.exec_command({cmd}); text(`${cmd}: ${r.exit_code}`); }))";
    assert.deepEqual(read(source, done('y: 1', 'x: 0')), ['x: resolved 0', 'y: resolved 1']);
  });

  it('is a rejection of the one call that the error can be about', () => {
    const source =
      "await tools.exec_command({cmd: 'one'}); await tools.apply_patch('bad'); await tools.exec_command({cmd: 'two'})";
    const error = 'apply_patch verification failed: invalid patch';
    assert.deepEqual(read(source, { status: 'failed', blocks: [], error }), ['one: resolved', 'bad: rejected']);
  });

  it('is unknown for two calls that the error can be about', () => {
    const source = "await tools.exec_command({cmd: 'one'}); await tools.exec_command({cmd: 'two'})";
    assert.deepEqual(read(source, { status: 'failed', blocks: [], error: 'aborted' }), ['one: unknown']);
  });

  it('is unknown if the script has more ways than are tried, and one of the others may be the real one', () => {
    const each = "await Promise.all(['a', 'b'].map(async (w) => { await tools.exec_command({cmd: w}); text(w); }));";
    const source = `await tools.exec_command({cmd: 'one'});
      try {
        await Promise.all([tools.exec_command({cmd: 'two'}), tools.exec_command({cmd: 'bad'})]);
        ${"await tools.exec_command({cmd: 'more'});".repeat(4)}
      } catch (e) { text('caught ' + e); }
      ${`try { ${each} } catch (e) { text('caught ' + e); }`.repeat(8)}`;
    const told = read(source, done('caught exec_command failed: no', ...Array(8).fill(['a', 'b']).flat()));
    assert.deepEqual(told, ['one: resolved', 'two: unknown', 'bad: unknown']);
  });

  it('is found at both ends of an output that was cut', () => {
    const cut =
      'Warning: truncated output (original token count: 900)\nTotal output lines: 99\n\nbegun\n1\n2…800 tokens truncated…98\n99\nexit 3';
    const source =
      "text('begun'); const r = await tools.exec_command({cmd: 'x'}); text(r.output); text('exit ' + r.exit_code)";
    assert.deepEqual(read(source, { status: 'completed', blocks: [cut], isCut: true }), ['x: resolved 3']);
  });

  it('is a failure if the output contains an error line of the program', () => {
    const call = {
      callId: 'c',
      tool: 'shell',
      rawTool: 'exec_command',
      input: { command: 'npm run x', json: '{}' },
    } as const;
    const judge = (text: string) => judgeOutcome({ ...call, result: { isError: false, unended: true, text } });
    assert.deepEqual(judge('npm error Missing script: "x"'), {
      outcome: 'failure',
      outcomeType: 'error-line',
      masked: false,
    });
    assert.equal(judge('all is well').outcomeType, 'no-end');
    assert.equal(judge('').outcomeType, 'no-end');
  });
});

describe('rollouts with scripts, recorded from the real clients', () => {
  before(loadScriptReader);

  for (const version of ['0.142', '0.144', '0.166'])
    it(`report every call that Codex ${version} made once, with an outcome that is right or unknown`, () => {
      const rows = readRows(`scripts-${version}`);
      const made = SCRIPTS({ home: '', project: '' }).flatMap((scene) => scene.made);
      assert.deepEqual(rows.map(toLabel).sort(), made.map(({ tool, text }) => `${tool} ${text}`).sort());
      const hasRows = version === '0.166';
      for (const call of made) {
        const same = rows.filter((row) => toLabel(row) === `${call.tool} ${call.text}`);
        assert.ok(
          same.some((row) => isRight(call, row, hasRows)),
          `${call.text}: ${JSON.stringify(same.map((row) => row.result))}`,
        );
      }
    });

  it('keep the id that hooks use if a call has a row of its own', () => {
    const rows = readRows('scripts-0.166').filter(({ tool }) => tool === 'shell');
    const nested = rows.filter(({ callId }) => !callId.startsWith('exec-')).map(({ input }) => input.command);
    // Refused before they ran, or ended with their script.
    assert.deepEqual(nested, ['cat hidden-thing', 'git push origin main', 'sleep 20']);
  });

  it('report a command that continued after its script at the line of the script, and its end at that of the script that looked', () => {
    const events = readAll(openRollout, 'x.jsonl', readLines('scripts-0.144')).filter(isRow);
    const told = events.filter(({ input }) => input.command === 'sleep 1; echo late; exit 7');
    assert.deepEqual(
      told.map(({ kind, result: { background, exitCode } }) => [kind, background, exitCode]),
      [
        ['call-ended', true, undefined],
        ['background-ended', undefined, 7],
      ],
    );
    const [begun, seen] = told.map(({ line = 0 }) => readLines('scripts-0.144')[line - 1] ?? '');
    assert.match(begun ?? '', /"name":"exec".*sleep 1; echo late/);
    assert.match(seen ?? '', /"name":"exec".*write_stdin/);
  });

  it('estimate the duration of a call as its share of the script, if the script does not print it', () => {
    const rows = readRows('scripts-0.144');
    const [one, two] = ['echo one; exit 0', 'echo two; exit 1'].map((command) =>
      rows.find(({ input }) => input.command === command),
    );
    const script = rows.find(({ callId }) => callId === one?.callId.split('.')[0]);
    assert.deepEqual([one?.result.durationMs, one?.result.gapMs], [undefined, two?.result.gapMs]);
    assert.ok(Math.abs((one?.result.gapMs ?? 0) * 2 - (script?.result.pairedMs ?? 0)) <= 1);
  });

  it('count a failure once: as that of the call, not of the script that it ended', () => {
    const rows = readRows('scripts-0.144');
    const patch = rows.find(({ tool, result: { isError } }) => tool === 'edit' && isError);
    const script = rows.find(({ callId }) => callId === patch?.callId.split('.')[0]);
    assert.deepEqual([script?.rawTool, script?.result.isError], ['exec', false]);
  });

  it('count a failure once also if a later look at the running script shows it', () => {
    const row = (payload: object) =>
      JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item', payload });
    const script =
      "text('begun'); await tools.apply_patch('*** Begin Patch\\n*** Add File: a.txt\\n+a\\n*** End Patch')";
    const blocks = (...texts: string[]) => texts.map((text) => ({ type: 'input_text', text }));
    const head = (how: string) => `Script ${how}\nWall time 0.1 seconds\nOutput:\n`;
    const wait = (id: string) => ({ type: 'function_call', name: 'wait', arguments: '{"cell_id":"4"}', call_id: id });
    const failed = blocks(head('failed'), 'Script error:\napply_patch verification failed: no');
    const events = readAll(openRollout, 'x.jsonl', [
      row({ type: 'custom_tool_call', name: 'exec', call_id: 's', input: script }),
      row({ type: 'custom_tool_call_output', call_id: 's', output: blocks(head('running with cell ID 4'), 'begun') }),
      row(wait('w1')),
      row({ type: 'function_call_output', call_id: 'w1', output: 'Tool call blocked by PreToolUse hook: later' }),
      row(wait('w2')),
      row({ type: 'function_call_output', call_id: 'w2', output: failed }),
    ]).filter(isRow);
    const last = new Map(events.map((event) => [event.callId, event.result.isError]));
    assert.deepEqual([...last.values()].filter(Boolean).length, 2, 'the patch, and the look that a hook refused');
    assert.equal(last.get('s'), false);
    assert.deepEqual(
      events.filter(({ tool }) => tool === 'edit').map(({ input }) => input.path),
      ['a.txt'],
    );
  });

  it('give a forked agent the calls of its own scripts, without those of its parent', () => {
    for (const version of ['0.144', '0.166']) {
      const rows = readRows(`scripts-forked-${version}`).filter(({ tool }) => tool === 'shell');
      assert.equal(rows.length, 1, version);
      assert.notEqual(rows[0]?.contextId, '');
      assert.ok(rows[0]?.input.command?.endsWith(`exit ${rows[0].result.exitCode}`));
    }
  });

  it('contain no commands in the memo for the next reading', () => {
    for (const version of ['0.142', '0.144', '0.166']) {
      const reader = openRollout({ path: 'x.jsonl', siblingFiles: {} });
      for (const [at, line] of readLines(`scripts-${version}`).entries()) {
        reader.read(line, at + 1);
        assert.ok(!/sleep|echo|cat /.test(reader.memo ?? ''), reader.memo);
      }
    }
  });
});

function readLines(name: string): readonly string[] {
  return readFileSync(`${FOLDER}${name}.jsonl`, 'utf8').trimEnd().split('\n');
}

/** The last report of each call, once nobody writes to the file any more. */
function readRows(name: string): readonly Row[] {
  const { reader, read: readLine } = openLines(openRollout, 'x.jsonl');
  const events = readLines(name).flatMap((line) => [...readLine(line)]);
  const rows = [...events, ...(reader.leave?.() ?? [])].filter(isRow);
  return [...new Map(rows.map((row) => [row.callId, row])).values()];
}

function isRow(event: AgentEvent): event is Row {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

function toLabel({ tool, rawTool, input }: Row): string {
  if (tool === 'shell') return `shell ${input.command ?? '?'}`;
  return tool === 'edit' ? `edit ${(input.path ?? '?').split('/').at(-1)}` : `${tool} ${rawTool}`;
}

function isRight({ outcome, exitCode, isHidden }: Made, row: Row, hasRows: boolean): boolean {
  if (isHidden === true && !hasRows) return row.result.unended === true;
  return row.result.unended !== true && judgeOutcome(row).outcome === outcome && row.result.exitCode === exitCode;
}
