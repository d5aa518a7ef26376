import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPECTED_EXITS, type ExpectedExit } from '../../src/capture/expected-exits.ts';
import { isExpectedExit } from '../../src/capture/is-expected-exit.ts';

/** A command that the row is about, and an output that it asks for. */
function toExample({ sub = [], options = [], output }: ExpectedExit, program: string): readonly [string, string] {
  const command = [program, ...sub, ...options.slice(0, 1), 'x'].join(' ');
  if (output === 'noise') return [command, `./a\n${program}: ./b: Permission denied`];
  return [command, output === 'results' ? `a.ts:1:x\n${program}: b: No such file or directory` : ''];
}

describe('exit codes that are answers', () => {
  for (const row of EXPECTED_EXITS) {
    const { programs, codes } = row;
    for (const program of programs) {
      const [command, text] = toExample(row, program);
      it(`${codes.join(', ')} of \`${command}\``, () => {
        for (const code of codes) {
          assert.equal(isExpectedExit(command, code, text), true);
          assert.equal(isExpectedExit(`cd y && ${command}`, code, text), true);
        }
        assert.equal(isExpectedExit(command, 99, text), false);
        assert.equal(isExpectedExit(`make ${command}`, codes[0] ?? 1, text), false);
      });
    }
  }

  it('need the option that asks for them', () => {
    assert.equal(isExpectedExit('jq . x.json', 4, ''), false);
    assert.equal(isExpectedExit('terraform plan', 2, ''), false);
    assert.equal(isExpectedExit('git diff main', 1, ''), false);
    assert.equal(isExpectedExit('systemctl start x', 3, ''), false);
  });

  it('are errors when there is nothing but complaints, or another complaint than noise', () => {
    assert.equal(isExpectedExit('rg x missing', 2, 'rg: missing: No such file or directory'), false);
    assert.equal(isExpectedExit('find missing', 1, 'find: missing: No such file or directory'), false);
    assert.equal(isExpectedExit('find / -name x', 1, ''), false);
  });

  it('do not include a download that failed or a command that ran out of time', () => {
    assert.equal(isExpectedExit('curl -f https://x', 22, ''), false);
    assert.equal(isExpectedExit('timeout 5 grep x', 124, ''), false);
  });
});
