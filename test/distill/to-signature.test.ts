import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findCauseLine, toSignature } from '../../src/base/text/signature.ts';
import { assertLinear } from '../measure-cpu.ts';

const CAUSES: readonly (readonly [title: string, output: string, cause: string])[] = [
  [
    'not the exit code',
    'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff\n\nFlags:\n  --color string',
    'unknown flag: --stat',
  ],
  [
    'not the last line of a runner',
    '[lint] $ golangci-lint run ./...\n[lint] ERROR task failed\n\na/b.go:3:5: undefined: x',
    'a/b.go:3:5: undefined: x',
  ],
  [
    'not the frame of an npm script',
    'npm error code ELIFECYCLE\nsh: 1: tsc: command not found',
    'sh: 1: tsc: command not found',
  ],
  [
    'not a usage text that contains an error word',
    'usage: x\n  --error: fail\nfatal: bad revision',
    'fatal: bad revision',
  ],
  [
    'the exception of a traceback',
    'Traceback (most recent call last):\n  File "a.py", line 3, in x\nKeyError: \'a\'',
    "KeyError: 'a'",
  ],
  [
    'not the code that a linter shows',
    '[lint] a/b.go:3:5: error is not checked (errcheck)\n[lint] func Get() (T, error) {\n[lint]      ^',
    'a/b.go:3:5: error is not checked (errcheck)',
  ],
  ['not a test that passed', '--- PASS: TestA (0.0s)\n--- FAIL: TestB (0.1s)\nFAIL', '--- FAIL: TestB (0.1s)'],
  ['not what was logged on the way', 'INFO error budget is full\nconnection refused', 'connection refused'],
  [
    'what stands around it, if nothing else was said',
    'ok  \tshop/cart\t0.1s\nok  \tshop/order\t0.2s',
    'ok  \tshop/cart\t0.1s',
  ],
  [
    'the edit tool’s own words, not the code it quotes',
    'Found 2 matches of the string to replace, but replace_all is false.\nString: // error: not found',
    'Found 2 matches of the string to replace, but replace_all is false.',
  ],
  ['the program’s own line after its output', 'compiling\nlinking\nerror: linker failed', 'error: linker failed'],
  ['without colours', '\u001b[31merror\u001b[0m: \u001b[1mno\u001b[0m', 'error: no'],
  ['the first line when none says why', 'nothing to do\nbye', 'nothing to do'],
  ['what a progress bar left', 'fetch 10%\rfetch 100%\rerror: gone\n', 'error: gone'],
];

describe('the cause line', () => {
  for (const [title, output, cause] of CAUSES) it(`is ${title}`, () => assert.equal(findCauseLine(output), cause));

  it('is absent when nothing was said', () => {
    for (const output of ['', '  \n\n', 'Exit code 1', 'Exit code 1\n']) assert.equal(findCauseLine(output), undefined);
  });
});

const SAME: readonly (readonly [string, string])[] = [
  ['cat: /a/b.txt: No such file or directory', 'cat: src/x/y.go: No such file or directory'],
  ['error: timed out after 30s at 10:11:12', 'error: timed out after 4.5s at 23:00:01'],
  ["error: branch 'a b' not found", "error: branch 'main' not found"],
  ['fatal: bad object 1f3a9bc', 'fatal: bad object 00ddeeff11223344'],
  ['error: job 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed', 'error: job 6ba7b811-9dad-11d1-80b4-00c04fd430c9 failed'],
  ['error: 2026-01-02T03:04:05Z too old', 'error: 2025-11-12 13:14:15 too old'],
  ['Unknown JSON field: "merged"', 'Unknown  JSON field: "mergeable2"'],
];

describe('a signature', () => {
  it('is the same for the same mistake', () => {
    for (const [a, b] of SAME) assert.equal(toSignature('p', a)?.signature.id, toSignature('p', b)?.signature.id, a);
  });

  it('differs by program, option and error code', () => {
    const ids = [
      toSignature('gh', 'unknown flag: --stat'),
      toSignature('gh', 'unknown flag: --sort'),
      toSignature('docker', 'unknown flag: --stat'),
      toSignature('tsc', "error TS2345: Argument of type 'a'"),
      toSignature('tsc', "error TS2322: Argument of type 'a'"),
    ].map((one) => one?.signature.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('tells its version, template and the line it came from', () => {
    const signed = toSignature('git', 'Exit code 128\nfatal: bad object 1f3a9bc');
    assert.ok(signed);
    assert.match(signed.signature.id, /^sig2_[0-9a-z]+$/);
    assert.equal(signed.signature.version, 2);
    assert.equal(signed.signature.template, 'fatal: bad object <*>');
    assert.equal(signed.causeLine, 'fatal: bad object 1f3a9bc');
  });

  it('is absent without text', () => assert.equal(toSignature('p', 'Exit code 1\n'), undefined));

  it('survives anything, in time that grows with the text only', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void toSignature('p', text)));
    for (const part of ['a/', "'", '`', '/', '1', '1.', 'a.', '\u001b[', 'x:', '-', 'error: a.b/'])
      assertLinear((count) => toSignature('p', part.repeat(count)), 50_000, part);
  });
});
