import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASH } from '../../src/base/shell/parse-command.ts';
import { ROWS } from '../../src/base/shell/programs/rows.ts';
import { isExpectedExit, parseExit } from '../../src/capture/outcomes/judge-facts.ts';

const isExpected = (command: string, code: number, text: string) => isExpectedExit(command, BASH, code, text);

const CLOSE: Readonly<Record<string, string>> = { '[': ']', '[[': ']]', '((': '))' };

/** A command of the row, and an output that it requires. */
function toExample({ sub, options, output }: ReturnType<typeof parseExit>, program: string): readonly [string, string] {
  const close = CLOSE[program] === undefined ? [] : [CLOSE[program]];
  const command = [program, ...sub, ...options.slice(0, 1), 'x', ...close].join(' ');
  if (output === 'noise') return [command, `./a\n${program}: ./b: Permission denied`];
  return [command, output === 'results' ? `a.ts:1:x\n${program}: b: No such file or directory` : ''];
}

describe('exit codes that are answers', () => {
  for (const [names, { exits = [] }] of ROWS) {
    for (const [program, exit] of names.split(' ').flatMap((name) => exits.map((one) => [name, one] as const))) {
      const codes = parseExit(exit).codes.map(Number);
      const [command, text] = toExample(parseExit(exit), program);
      it(`${codes.join(', ')} of \`${command}\``, () => {
        for (const code of codes) {
          assert.equal(isExpected(command, code, text), true);
          assert.equal(isExpected(`cd y && ${command}`, code, text), true);
        }
        assert.equal(isExpected(command, 99, text), false);
        assert.equal(isExpected(`make ${command}`, codes[0] ?? 1, text), false);
      });
    }
  }

  it('need the option that requests them', () => {
    assert.equal(isExpected('jq . x.json', 4, ''), false);
    assert.equal(isExpected('terraform plan', 2, ''), false);
    assert.equal(isExpected('git diff main', 1, ''), false);
    assert.equal(isExpected('systemctl start x', 3, ''), false);
  });

  it('are errors if the output has only complaints, or another complaint than noise', () => {
    assert.equal(isExpected('rg x missing', 2, 'rg: missing: No such file or directory'), false);
    const ofPattern = 'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode.';
    assert.equal(isExpected('rg "a\\n" src', 2, ofPattern), false);
    assert.equal(isExpected('find missing', 1, 'find: missing: No such file or directory'), false);
    assert.equal(isExpected('find / -name x', 1, ''), false);
  });

  it('are those of a condition anywhere in a chain', () => {
    for (const command of [
      '[[ -f x ]]',
      '[[ -f x ]] && cat x',
      '[ -f x ] && npm test',
      'cd a && [[ -d b ]]',
      'bash -c "[[ -f x ]]"',
      'test -d a || [[ -d b ]]',
      '(( 1 > 2 ))',
    ])
      assert.equal(isExpected(command, 1, 'Exit code 1\n'), true, command);
    assert.equal(isExpected('[[ -f x ]] && cat x', 1, 'cat: x: Permission denied'), false, 'it ran');
    assert.equal(isExpected('[[ -f x ]] && cat x', 2, ''), false);
    assert.equal(isExpected('[[ -f x ]] || exit 1', 1, ''), false);
    assert.equal(isExpected('npm run a && npm run b', 1, ''), false);
  });

  it('are those of the inner program that another one runs', () => {
    for (const command of [
      'find . -name "*.ts" -exec grep -l foo {} +',
      'docker exec -it box grep foo x',
      'docker compose exec web grep foo x',
      'kubectl exec pod -- grep foo x',
      'git ls-files | xargs grep foo',
    ])
      assert.equal(isExpected(command, 1, ''), true, command);
    assert.equal(isExpected('docker exec box make x', 1, ''), false);
    assert.equal(isExpected('find . -exec make {} +', 1, ''), false);
  });

  it('do not include a failed download or a command that timed out', () => {
    assert.equal(isExpected('curl -f https://x', 22, ''), false);
    assert.equal(isExpected('timeout 5 grep x', 124, ''), false);
  });
});
