import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { classifyFailure, FAILURE_CLASSES, type FailureClass } from '../../src/measure/frozen-measures.ts';

const shell = (command: string, output: string, exitCode = 1) =>
  classifyFailure({ tool: 'shell', command, output, exitCode });

const all = (wanted: FailureClass, rows: readonly (readonly [string, string, number?])[]): void => {
  for (const [command, output, exitCode] of rows) assert.equal(shell(command, output, exitCode), wanted, command);
};

describe('the class of a failure', () => {
  it('is command if the call itself was wrong', () => {
    all('command', [
      ['gh pr diff 7 --stat', 'unknown flag: --stat'],
      ['golangci-lint run', 'zsh: command not found: golangci-lint', 127],
      ['cd app && go test ./...', 'cd: no such file or directory: app'],
      ['grep -rn x --include=*.go .', 'zsh:1: no matches found: --include=*.go'],
      ['mise run lint:all', 'mise ERROR no task lint:all found'],
      ['cat docs', 'cat: docs: Is a directory'],
      ['GOOS=windows go test ./a', 'fork/exec /x/a.test.exe: exec format error'],
      ['git push', 'error: failed to push some refs to "origin"'],
    ]);
    assert.equal(classifyFailure({ tool: 'read', output: 'EISDIR: illegal operation on a directory' }), 'command');
  });

  it('is verdict if a check ran and failed', () => {
    all('verdict', [
      ['go test ./...', '--- FAIL: TestX (0.00s)\n    x_test.go:3: open a.txt: no such file or directory'],
      ['mise run lint', '[lint] ERROR task failed'],
      ['npm test', 'Tests: 3 failed, 10 passed'],
      ['go build ./...', '# shop\n./main.go:3:5: undefined: x'],
      ['npx tsc --noEmit', 'src/a.ts(3,5): error TS2304: Cannot find name'],
      ['git merge origin/main', 'CONFLICT (content): Merge conflict in a.go'],
    ]);
  });

  it('is verdict, not world, if tests ran and mention the network', () => {
    assert.equal(shell('go test ./...', '--- FAIL: TestDial (0.00s)\n dial tcp: connection refused'), 'verdict');
  });

  it('is command, not verdict, if a check did not end by itself', () => {
    all('command', [
      ['pytest -q', 'Command timed out after 2m 0s\n1 failed', 143],
      ['timeout 60 pytest', 'tests/a.py F', 124],
    ]);
  });

  it('is harness if the agent rejected the input', () => {
    for (const output of [
      'String to replace not found in file.\nString: x',
      'File has not been read yet. Read it first before writing to it.',
      'Found 3 matches of the string to replace, but replace_all is false',
      'InputValidationError: Edit failed due to the following issue',
      'File does not exist.',
    ])
      assert.equal(classifyFailure({ tool: 'edit', output }), 'harness', output);
    assert.equal(shell('python x.py', 'File does not exist.'), 'command', 'a program that says the same is none');
  });

  it('is world if the same call works at another time', () => {
    all('world', [
      ['go get ./...', 'dial tcp: lookup proxy.example.org on 10.0.0.2:53: no such host'],
      ['git fetch', 'fatal: unable to access: Could not resolve host: example.test', 128],
      ['git add a', "fatal: Unable to create '/x/.git/index.lock': File exists.", 128],
      ['gh pr checks 3', 'lint pending', 8],
      ['curl https://example.test', 'HTTP/2 503 service unavailable'],
    ]);
  });

  it('is one of four for any input', () => {
    const text = fc.string({ maxLength: 200 });
    fc.assert(
      fc.property(fc.constantFrom('shell', 'edit', 'mcp:x'), text, text, (tool, command, output) =>
        FAILURE_CLASSES.includes(classifyFailure({ tool, command, output })),
      ),
    );
  });
});
