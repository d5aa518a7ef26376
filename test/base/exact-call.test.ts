import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ExactCall, normalizeCommand, toExactKey } from '../../src/base/shell/exact-call.ts';
import { toRuns } from '../to-runs.ts';

const ROOT = '/home/ada/shop';

function shell(command: string, cwd = ROOT): ExactCall {
  return { tool: 'shell', rawTool: 'Bash', input: { command, json: '' }, cwd };
}

function keyOf(command: string, cwd?: string, root = ROOT): string | undefined {
  return toExactKey(shell(command, cwd), root);
}

describe('the same call', () => {
  it('may be typed with other blanks, line ends and quotes that change nothing', () => {
    const key = keyOf('shipit deploy --to prod "north sea"');
    for (const alike of [
      "  shipit   deploy --to prod 'north sea' ",
      'shipit deploy \\\n  --to prod "north sea"',
      'shipit "deploy" --to \'prod\' "north sea"',
    ])
      assert.equal(keyOf(alike), key, alike);
  });

  it('may show more or less of its output', () => {
    for (const shown of ['2>&1', '| tail -20', '2>&1 | head -n 5', '2>&1 | cat', '| tail -50 | head'])
      assert.equal(keyOf(`shipit up ${shown}`), keyOf('shipit up'), shown);
    for (const other of ['shipit up | grep x', 'shipit up | tail -f log', 'shipit up 2>log'])
      assert.notEqual(keyOf(other), keyOf('shipit up'), other);
  });

  it('keeps quotes, values and line ends that change something', () => {
    const key = keyOf('shipit send "$HOME  a"');
    for (const other of ["shipit send '$HOME  a'", 'shipit send "$HOME a"', 'shipit send $HOME  a', 'shipit send'])
      assert.notEqual(keyOf(other), key, other);
    assert.notEqual(keyOf('shipit a\nshipit b'), keyOf('shipit a shipit b'));
    assert.notEqual(keyOf('py <<E\nif a:\n  b\nE'), keyOf('py <<E\nif a:\nb\nE'), 'a here-document');
  });

  it('runs in the same folder of the project, wherever the project is', () => {
    assert.equal(keyOf('cd src && shipit up'), keyOf('shipit up', `${ROOT}/src`));
    assert.equal(keyOf(`cd ${ROOT}/src && shipit up`), keyOf('shipit up', `${ROOT}/src`));
    assert.notEqual(keyOf('shipit up', `${ROOT}/src`), keyOf('shipit up'));
    assert.equal(keyOf(`shipit check ${ROOT}/a.txt`), keyOf('shipit check a.txt'));
    const elsewhere = '/tmp/worktrees/shop';
    assert.equal(keyOf(`shipit check ${elsewhere}/a.txt`, elsewhere, elsewhere), keyOf('shipit check a.txt'));
    assert.notEqual(keyOf('shipit check /home/ada/shopping/a.txt'), keyOf('shipit check ping/a.txt'));
  });

  it('may carry ids of sessions and temporary folders of another day', () => {
    const pairs = [
      [
        'shipit read /tmp/agent/0b9e7c54-0d3c-4b1e-9a43-2f6a7d1c0e11/out',
        'shipit read /tmp/agent/1b9e7c54-0d3c-4b1e-9a43-2f6a7d1c0e12/out',
      ],
      ['shipit read /tmp/tmp.Ab3dE6gH9k/x', 'shipit read /tmp/tmp.Zz9yX8wV7u/x'],
    ] as const;
    for (const [one, other] of pairs) assert.equal(keyOf(one), keyOf(other), one);
    const others = [
      ['shipit show 2026-11-16', 'shipit show 2026-12-01'],
      ['shipit revert 3f2a9bc1d', 'shipit revert 0aa19be2f'],
      ['shipit run 1234567890', 'shipit run 9876543210'],
    ] as const;
    for (const [one, other] of others) assert.notEqual(keyOf(one), keyOf(other), `${one} is about another thing`);
  });

  it('has the same time limit and the same switches', () => {
    const call = (more: object): string | undefined => {
      const input = {
        command: 'shipit up',
        json: JSON.stringify({ command: 'shipit up', description: 'go', ...more }),
      };
      return toExactKey({ tool: 'shell', rawTool: 'Bash', input, cwd: ROOT }, ROOT);
    };
    assert.equal(call({ description: 'other words' }), call({}));
    assert.equal(call({ timeout: 5 }), call({ timeout: 5 }));
    assert.notEqual(call({ timeout: 5 }), call({ timeout: 600 }));
    assert.notEqual(call({}), call({ withoutSandbox: true }));
    assert.notEqual(call({}), call({ sandbox: 'ask_the_user' }));
  });

  it('of another tool has the same JSON, in any order', () => {
    const call = (json: string, rawTool = 'Query'): string | undefined =>
      toExactKey({ tool: 'mcp:db', rawTool, input: { json }, cwd: ROOT }, ROOT);
    assert.equal(call('{"a":1,"b":{"c":2,"d":3}}'), call('{"b":{"d":3,"c":2},"a":1}'));
    assert.notEqual(call('{"a":1}'), call('{"a":2}'));
    assert.notEqual(call('{"a":1}'), call('{"a":1}', 'Explain'));
    assert.equal(call('no json'), undefined);
  });

  it('never comes again for edits, pages, other agents and long texts', () => {
    for (const tool of ['edit', 'write', 'web', 'task'] as const)
      assert.equal(toExactKey({ tool, rawTool: tool, input: { json: '{}' } }, ROOT), undefined);
    assert.equal(keyOf(`shipit ${'x'.repeat(5_000)}`), undefined);
  });

  it('is normal in one step, whatever the command', () => {
    const part = fc.constantFrom(
      ...`a b' " \\ $X \n | && ; cd src ${ROOT} /x 1234567 3f2a9bc1d 2026-01-02 <<E #`.split(' '),
      ' ',
      '  ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 20 }).map((all) => all.join('')),
          fc.string(),
        ),
        (command) => {
          const place = { rawTool: 'Bash', cwd: ROOT, root: ROOT };
          const once = normalizeCommand(command, place);
          const cwd = once.folder.startsWith('/') ? once.folder : `${ROOT}/${once.folder}`.replace(/\/$/, '');
          assert.deepEqual(normalizeCommand(once.line, { ...place, cwd }), once);
        },
      ),
      { numRuns: toRuns(3_000) },
    );
  });
});
