import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EndedCall } from '../../src/base/model/event.ts';
import { makeHintSearch } from '../../src/base/text/hint-search.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { toCalls } from '../../src/capture/calls/to-calls.ts';
import {
  ANY_PROGRAM_LINE,
  ERROR_HINTS,
  ERROR_LINES,
  NAMED_ERROR,
  SHELL_LINE,
} from '../../src/capture/outcomes/error-lines.ts';
import { findMaskedError, judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { assertLinear } from '../measure-cpu.ts';
import { toRuns } from '../to-runs.ts';

function shell(command: string, text: string, exitCode = 0): EndedCall {
  const input = { command, json: JSON.stringify({ command }) };
  return { callId: 'c', tool: 'shell', rawTool: 'Bash', input, result: { isError: exitCode !== 0, exitCode, text } };
}

const MASKED = { outcome: 'failure', outcomeType: 'masked', masked: true };

/** A command, its output, and the program whose failure the output shows. */
const HIDDEN: readonly (readonly [command: string, text: string, program: string])[] = [
  ['foo --all; echo done', 'bash: line 1: foo: command not found\ndone', 'foo'],
  ['foo | head -3', '(eval):1: command not found: foo', 'foo'],
  ['timeout 5 foo | head', 'zsh: command not found: timeout', ''],
  ['grep -rn x --include=*.go . | head', '(eval):1: no matches found: --include=*.go', 'grep'],
  ['git log -3 2>&1 | cat', 'fatal: not a git repository (or any of the parent directories): .git', 'git'],
  ['git push origin main || true', 'error: failed to push some refs to origin', 'git'],
  ['git show main:a.txt 2>&1 | head -5', "fatal: path 'a.txt' does not exist in 'main'", 'git'],
  ['git pull && make || echo failed', 'fatal: no remote repository specified', 'git'],
  ['gh pr diff 7 --stat | head', 'unknown flag: --stat\n\nUsage:  gh pr diff [<number>]\n\nFlags:\n  --patch', 'gh'],
  ['gh api repos/a/b/pulls/1/comments/2 | jq .body', '{\n "a": 1,\n "b": 2\n}\ngh: Not Found (HTTP 404)', 'gh'],
  ['npm run lnt 2>&1 | tail -4', 'npm error Missing script: "lnt"\nnpm error\nnpm error To see a list', 'npm'],
  ['cat missing.txt; ls', 'cat: missing.txt: No such file or directory\na\nb\nc', 'cat'],
  ['ls /nope 2>&1 || echo none', "ls: cannot access '/nope': No such file or directory\nnone", 'ls'],
  ['python3 run.py | tee log', 'Traceback (most recent call last):\n  File "run.py"\nKeyError: 1', 'python3'],
  ['node x.js; echo $?', 'node:internal/modules\nError: Cannot find module\n\nNode.js v24.0.0\n1', 'node'],
  ['go build ./... 2>&1 | head -20', '# app\ncmd/a.go:3:2: undefined: x', 'go'],
  ['go test ./... 2>&1 | tail -5', 'ok  \tapp/a\t0.1s\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tapp/b\t0.2s', 'go'],
  ['mise run lint 2>&1 | tail -3', 'Linting…\n[lint] ERROR task failed', 'mise'],
  ['make all | grep -v warning', 'cc a.c\nmake: *** [all] Error 1', 'make'],
  ['npx tsc --noEmit | head', "src/a.ts(3,5): error TS2304: Cannot find name 'x'.", 'npx'],
  ['for f in a b; do cat $f; done', 'cat: b: No such file or directory\nhello', 'cat'],
  ['(mytool --bogus; true)', 'Error: unknown flag: --bogus\nUsage: mytool', 'mytool'],
  ['curl -s http://x | jq .', 'curl: (6) Could not resolve host: x', 'curl'],
  ['npm run x | tail', 'npm ERR! Missing script: "x"', 'npm'],
  ['pnpm x | tail', ' ERR_PNPM_NO_SCRIPT  Missing script: x', 'pnpm'],
  ['gh pr view 1 2 || true', 'accepts 1 arg(s), received 2', 'gh'],
  ['gh issue list || true', 'GraphQL: Something went wrong', 'gh'],
  ['gh api x | head', 'gh: Bad credentials (HTTP 401)', 'gh'],
  ['gh api x | head', 'HTTP 502: Bad Gateway', 'gh'],
  ['node --test | tail -5', 'ℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0', 'node'],
  ['npm test 2>&1 | tail -5', '# tests 3\n# pass 2\n# fail 1\n# skipped 0', 'npm'],
  ['gcc -c a.c 2>&1 | head', "a.c: In function 'f':\na.c:1:1: error: expected ';'", 'gcc'],
  ['clang++ x.cc || true', 'clang++: error: no input files', 'clang++'],
  ['pip install nope | tail', 'Looking\nERROR: No matching distribution found for nope', 'pip'],
  ['java Foo | tail', 'Exception in thread "main" java.lang.NullPointerException', 'java'],
  ['javac A.java 2>&1 | tail', "A.java:3: error: ';' expected\n1 error", 'javac'],
  ['php a.php | tail', 'PHP Fatal error:  Uncaught Error: x in a.php:3', 'php'],
  ['sudo apt-get install x || true', 'Reading…\nE: Unable to locate package x', 'apt-get'],
  ['ruby x.rb | tail', "x.rb:1:in `<main>': undefined local variable (NameError)", 'ruby'],
  ['dotnet build | tail', 'A.cs(1,2): error CS1002: ; expected', 'dotnet'],
];

/** Nothing failed, nothing is hidden, or the text comes from somewhere else. */
const HONEST: readonly (readonly [command: string, text: string])[] = [
  ['cat build.log | tail -3', 'fatal: not a git repository\nmake: *** [all] Error 1'],
  ['grep -rn "command not found" docs | head', 'docs/a.md:3:bash: foo: command not found'],
  ['git log --format=%B | head', 'fatal: crash on start\nfix it\nmore\nlines\nhere'],
  ['curl -s https://example.org/page; echo', 'npm error Missing script: "x"\nTraceback (most recent call last):'],
  ['gh run view 7 --log-failed | tail', 'test\tTests\t2026-01-01 [test] ERROR task failed\na\nb\nc'],
  ['git add . ; go test ./... | tail', 'ok  \tapp\t0.1s\n    git_test.go:3: fatal: not a git repository\na\nb'],
  ['go test ./... 2>&1 | tail -5', 'ok  \tapp/a\t0.1s\nok  \tapp/b\t0.1s'],
  ['echo "fatal: x"; git status', 'fatal: x\nOn branch main'],
  ['set -e; git fetch; git status', 'fatal: shown by something else'],
  ['git status && git log', 'fatal: seen in a message'],
  ['grep x file 2>&1 | head', 'grep: secret: Permission denied'],
  ['git add a && cat notes.md | head', 'fatal: a story\nonce upon a time\nthere was\nan end'],
  ['npm test 2>&1 | tail', 'all good, 0 failed, no error: found nothing unknown'],
  ['bash run.sh; cat README.md', 'zsh: command not found: brew'],
  ['node --test | tail -3', 'ℹ tests 3\nℹ pass 3\nℹ fail 0'],
  ['gcc -c a.c 2>&1 | head', 'a.c:1:1: warning: unused error: x'],
  ['apt list | tail', 'nice: E: is a letter'],
];

/** Any line that a table contains. */
function toLines(line: RegExp): fc.Arbitrary<string> {
  // The generator cannot look around: what is forbidden is dropped, what is demanded is taken as it stands.
  const plain = line.source
    .replaceAll(/\(\?![^()]*(?:\([^()]*\))*[^()]*\)/g, '')
    .replaceAll(/\(\?=/g, '(?:')
    .replaceAll('\\b', '');
  return fc.stringMatching(new RegExp(plain, line.flags.replace('i', '')));
}

/** A runner's last line is not the cause. */
const CAUSES: readonly (readonly [command: string, text: string, message: string])[] = [
  [
    'node a.js || true',
    '/x/a.js:1\nthrow new Error("db down")\n^\n\nError: db down\n    at Object.<anonymous> (/x/a.js:1:7)\n\nNode.js v22.0.0',
    'Error: db down',
  ],
  [
    'node b.js || true',
    '/x/b.js:1\nTypeError: cannot read properties of undefined\n    at x\n\nNode.js v22.0.0',
    'TypeError: cannot read properties of undefined',
  ],
  [
    'python a.py | tail -5',
    'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: \'x\'',
    "KeyError: 'x'",
  ],
  [
    'pytest | tail -5',
    'FAILED tests/a.py::test_x - assert 1 == 2\n==== 1 failed in 0.12s ====',
    'FAILED tests/a.py::test_x - assert 1 == 2',
  ],
  ['pytest | tail -1', '==== 1 failed in 0.12s ====', '==== 1 failed in 0.12s ===='],
];

describe('a failure that its command hides', () => {
  for (const [command, text, program] of HIDDEN) {
    it(`is found in \`${command}\``, () => {
      assert.deepEqual(judgeOutcome(shell(command, text)), MASKED);
      assert.equal(findMaskedError(shell(command, text))?.program, program);
    });
  }

  for (const [command, text] of HONEST) {
    it(`is not invented for \`${command}\``, () => {
      assert.equal(findMaskedError(shell(command, text)), undefined);
    });
  }

  it('is a failure even if the remaining exit code is an answer', () => {
    const call = shell('cat missing.txt | grep x', 'cat: missing.txt: No such file or directory', 1);
    assert.deepEqual(judgeOutcome(call), MASKED);
  });

  it('keeps the outcome of its exit code if that is visible', () => {
    const call = shell('foo; git log', 'bash: foo: command not found\nfatal: bad revision', 128);
    assert.equal(judgeOutcome(call).outcomeType, 'exit-code');
  });

  it('is also one that the program itself corrected', () => {
    const said =
      "WARNING: You called a Git command named 'comit', which does not exist.\nContinuing under the assumption that you meant 'commit'.\n[main 1a2b3c4] x";
    const { outcome, masked } = judgeOutcome(shell('git comit -m x', said, 0));
    assert.deepEqual([outcome, masked], ['failure', true]);
    assert.equal(findMaskedError(shell('git comit -m x', said, 0))?.program, 'git');
    assert.equal(
      judgeOutcome(shell('git commit -m x', said, 0)).outcome === 'failure',
      false,
      'it names no word of the call',
    );
    assert.notEqual(judgeOutcome(shell('cat notes.md', `notes.md\n${said}`, 0)).outcome, 'failure');
  });

  it('has the signature of the error line and its program, not of the text around it', () => {
    const line = "error: pathspec 'x' did not match any file(s) known to git";
    const call = shell('git checkout x; git branch', `${line}\nerror handling\n* main`);
    const origin = {
      agent: 'a',
      sessionId: 's',
      contextId: '',
      at: '2026-01-01T00:00:00.000Z',
      source: 'hook',
    } as const;
    const [kept] = toCalls({ ...origin, kind: 'call-ended', ...call }, 'p');
    assert.equal(kept?.message, line);
    assert.deepEqual(kept?.signature, toSignature('git', line)?.signature);
  });

  it('is not missed by the hints: every line of the tables contains one', () => {
    const find = makeHintSearch(ERROR_HINTS);
    const named = /^(?:\S*\/)?[\w.+-]+: /.source;
    const forms = [...ERROR_LINES.map((row) => row.line), ANY_PROGRAM_LINE, SHELL_LINE];
    for (const form of [
      ...forms,
      ...NAMED_ERROR.source
        .slice(1)
        .split('|:')
        .map((end) => new RegExp(`${named}x:${end}`)),
    ])
      fc.assert(
        fc.property(toLines(form), (line) => find(line).size > 0),
        { numRuns: toRuns(30) },
      );
  });

  for (const [command, text, message] of CAUSES) {
    it(`has its cause in \`${command}\``, () => assert.equal(findMaskedError(shell(command, text))?.line, message));
  }

  it('takes time in proportion to the output, whatever that is', () => {
    const row = `${'error fail fatal: x '.repeat(40)}\n`;
    assertLinear((count) => findMaskedError(shell('a | b; c || d', row.repeat(count))), 500);
    fc.assert(fc.property(fc.string(), fc.string(), (command, output) => void findMaskedError(shell(command, output))));
  });
});
