import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toCategory } from '../../src/base/text/failure-category.ts';
import { toLineSignature } from '../../src/base/text/signature.ts';
import { assertLinear } from '../measure-cpu.ts';

const SAID: readonly (readonly [category: string, program: string, line: string])[] = [
  ['test_failure', 'go', '--- FAIL: TestParse (0.00s)'],
  ['test_failure', 'go', '    parse_test.go:14: replay failed: no tokens'],
  ['test_failure', 'pytest', 'E   AssertionError: assert 3 == 4'],
  ['test_failure', 'npm', '3 failed, 12 passed, 15 total'],
  ['test_failure', 'cargo', 'test result: FAILED. 3 passed; 1 failed; 0 ignored'],
  ['test_failure', 'jest', 'thrown: something odd'],
  ['build_error', 'cargo', 'error: could not compile `shop` (bin "shop") due to 2 previous errors'],
  ['build_error', 'ld', 'main.c:(.text+0x5): undefined reference to `pay`'],
  ['build_error', 'webpack', 'Something in the bundle is odd'],
  ['lint_error', 'make', 'api/pay.go:31:9: Error return value of `f.Close` is not checked (errcheck)'],
  ['lint_error', 'ruff', 'shop/pay.py:3:8: F401 `os` imported but unused'],
  ['lint_error', 'npm', '✖ 7 problems (7 errors, 0 warnings) prefer-const'],
  ['lint_error', 'prettier', '[warn] Code style issues found in the above file. Run Prettier with --write to fix.'],
  ['type_error', 'npx', "src/pay.ts(3,9): error TS2322: Type 'string' is not assignable to type 'number'."],
  ['type_error', 'go', './pay.go:12:4: undefined: total'],
  ['type_error', 'mypy', 'pay.py:4: note: Revealed something'],
  ['runtime_error', 'go', 'panic: runtime error: index out of range [3] with length 3'],
  ['runtime_error', 'node', "TypeError: Cannot read properties of undefined (reading 'id')"],
  ['missing_dependency', 'bash', 'bash: line 1: rg: command not found'],
  ['missing_dependency', 'pytest', "ModuleNotFoundError: No module named 'numpy'"],
  ['missing_dependency', 'node', "Error: Cannot find module 'left-pad'"],
  ['config_error', 'npm', 'npm error Missing script: "lnt"'],
  ['config_error', 'git', 'fatal: not a git repository (or any of the parent directories): .git'],
  ['missing_path', 'cat', 'cat: notes.md: No such file or directory'],
  ['missing_path', 'read', 'File does not exist.'],
  ['stale_edit', 'edit', 'String to replace not found in file.'],
  ['stale_edit', 'edit', 'File has not been read yet. Read it first before writing to it.'],
  ['wrong_usage', 'gh', 'unknown flag: --stat'],
  ['wrong_usage', 'grep', 'zsh: no matches found: --include=*.ts'],
  ['access_denied', 'git', 'git@github.com: Permission denied (publickey).'],
  ['network_error', 'curl', 'curl: (6) Could not resolve host: api.example.com'],
  ['timeout', 'make', 'Error: context deadline exceeded'],
  ['merge_conflict', 'git', 'CONFLICT (content): Merge conflict in src/pay.ts'],
  ['not_found', 'gh', 'gh: Not Found (HTTP 404)'],
  ['other', 'deploy', 'the moon is in the wrong place'],
];

describe('the category of a failure', () => {
  for (const [category, program, line] of SAID) {
    it(`is ${category}: ${program} prints ${line.trim().slice(0, 60)}`, () => {
      assert.equal(toCategory(toLineSignature(program, line)), category);
    });
  }

  it('is one of the known categories for any text', () => {
    const known = new Set(SAID.map(([category]) => category));
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary', maxLength: 500 }), (program, template) =>
        known.has(toCategory({ program, template })),
      ),
    );
  });

  it('takes time in proportion to the text, also for adversarial texts', () => {
    for (const part of ['expected ', 'no-a', 'got want ', '<*> ', 'unknown a ', 'should '])
      assertLinear((count) => toCategory({ program: 'go', template: `<*> ${part.repeat(count)}!` }), 2_000, part);
  });
});
