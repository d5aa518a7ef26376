import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../src/base/model/finding.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { toRuns } from '../to-runs.ts';
import { failed, makeWindow, other, type Step, worked } from './session-script.ts';

const FLAG = 'unknown flag: --stat';
const GO_RED =
  '=== RUN   TestParse\n    parse_test.go:12: got 1, want 2\n--- FAIL: TestParse (0.00s)\nFAIL\nFAIL\texample.com/p\t0.01s';

const NOTHING: Readonly<Record<string, readonly Step[]>> = {
  'a red-green test cycle': [
    failed('go test ./p -run TestParse', GO_RED),
    other('edit', '/repo/p/parse.go'),
    worked('go test ./p -run TestParse'),
  ],
  'a test that prints an argument error of the code under test': [
    failed('go test ./cmd -run TestFlags -v', `${FLAG}\n--- FAIL: TestFlags (0.00s)\nFAIL`),
    worked('go test ./cmd -run TestFlags'),
  ],
  'a compiler error': [
    failed('go build ./...', 'p/a.go:3:5: undefined: unknownFlag'),
    other('edit', '/repo/p/a.go'),
    worked('go build ./...'),
  ],
  'a linter verdict': [
    failed('npm run lint', 'src/a.ts:3:5 error Unexpected argument x\n1 problem'),
    worked('npm run lint -- --fix'),
  ],
  'grep without a hit': [failed('grep -rn needle src', ''), worked('grep -rn pin src')],
  'exploration of paths that do not exist': [
    failed('ls src/lib', 'ls: src/lib: No such file or directory'),
    failed('cat docs/setup.md', 'cat: docs/setup.md: No such file or directory'),
    worked('ls src'),
    worked('cat docs/install.md'),
  ],
  'a wrong directory': [
    failed('cd cmd/tool && go test', '(eval):cd:1: no such file or directory: cmd/tool'),
    worked('go test'),
  ],
  'a path or revision that git does not know': [
    failed('git checkout feature/x', "error: pathspec 'feature/x' did not match any file(s) known to git"),
    worked('git checkout feature-x'),
  ],
  'an unrelated success': [
    failed('gh pr diff 12 --stat', FLAG),
    worked('gh pr list'),
    worked('git diff --stat'),
    worked('gh pr diff 7 --name-only'),
  ],
  'no fix at all': [failed('gh pr diff 12 --stat', FLAG), worked('ls'), other('read', 'a.ts')],
  'a fix that comes too late': [
    failed('gh pr diff 12 --stat', FLAG),
    ...Array.from({ length: 8 }, () => other('read', 'a.ts')),
    worked('gh pr diff 12'),
  ],
  'a probe only': [failed('gh pr diff 12 --stat', FLAG), worked('gh pr diff 12 --help'), worked('gh pr diff -h')],
  'a network failure': [
    failed('gh pr view 1 --json merged', 'error connecting to api.github.com\ndial tcp: connection refused'),
    worked('gh pr view 1 --json state'),
  ],
  'a lock': [
    failed('git add a', "fatal: Unable to create '/r/.git/index.lock': File exists."),
    worked('rm -f .git/index.lock && git add a'),
  ],
  'a cancelled call': [{ ...failed('gh pr diff 12 --stat', FLAG), outcome: 'cancelled' }, worked('gh pr diff 12')],
  'a call the user denied': [{ ...failed('gh pr diff 12 --stat', FLAG), outcome: 'denied' }, worked('gh pr diff 12')],
  'a program that every machine has: the line lost its PATH': [
    failed('while read path; do echo $path | grep x; done', 'zsh: command not found: grep'),
    worked('/usr/bin/grep x a.txt'),
  ],
  'an option that another program of the line refused': [
    failed('cat notes.txt --- && echo "---"', "cat: unrecognized option '---'"),
    worked('echo "=== notes ==="'),
  ],
  'a fix that was cancelled or denied': [
    failed('gh pr diff 12 --stat', FLAG),
    { ...worked('gh pr diff 12'), outcome: 'cancelled' },
    { ...worked('gh pr diff 12'), outcome: 'denied' },
  ],
  'a fix that only a pipe made look like one': [
    failed('gh pr diff 12 --stat', FLAG),
    worked('gh pr diff 12 --summary 2>&1 | head', 'unknown flag: --summary'),
  ],
  'a word that works later: the program changed': [
    failed('./tool export --csv out', 'unknown flag: --csv'),
    worked('./tool export out'),
    other('edit', '/repo/cmd/export.go'),
    worked('go build -o tool . && ./tool export --csv out'),
  ],
  'a script that is being written': [
    failed('python3 tools/seed.py --fast db', 'seed.py: error: unrecognized arguments: --fast'),
    other('edit', '/repo/tools/seed.py'),
    worked('python3 tools/seed.py db'),
  ],
  'a program built for a test': [
    failed('/tmp/tool-test export --csv out', 'unknown flag: --csv'),
    worked('/tmp/tool-test export out'),
  ],
  'a word that the message names but the command lacks': [
    failed('./scripts/release.sh', 'unknown flag: --draft'),
    worked('./scripts/release.sh 1.2'),
  ],
  'a safety option that was merely left out': [
    failed('git gc --dry-run', "error: unknown option `dry-run'\nusage: git gc [<options>]"),
    worked('git gc'),
  ],
  'a missing program that was installed': [
    failed('jq . a.json', 'zsh: command not found: jq'),
    worked('brew install jq'),
    worked('jq . a.json'),
  ],
  'a missing program and a look at the same file': [
    failed('jq . a.json', 'zsh: command not found: jq'),
    worked('cat a.json'),
    worked('which jq || true'),
  ],
  'another script that has nothing in common': [
    failed('npm run typecheck', 'npm error Missing script: "typecheck"'),
    worked('npm run build'),
  ],
};

/** What code mended never becomes one; of what nothing mended, once is not enough (`gate-lesson.test.ts`). */
function mayBeLesson({ kind, failingCallId, fixingCallId }: Finding): boolean {
  return kind !== 'code-edit' && failingCallId !== fixingCallId;
}

describe('what is not a lesson', () => {
  for (const [title, steps] of Object.entries(NOTHING)) {
    it(title, () => assert.deepEqual(detectFindings(makeWindow(steps)).filter(mayBeLesson), []));
  }

  it('nothing makes a detector throw', () => {
    const words = fc.constantFrom(
      'gh',
      'pr',
      '--json',
      'merged',
      '-A',
      '--',
      '$(',
      '"',
      "'",
      '|',
      '`x',
      '<<E',
      '\n',
      '=',
      ',',
      'npx',
    );
    const said = fc.constantFrom(
      'unknown flag: --json',
      'command not found: gh',
      "illegal option -- 'A'",
      'Unknown JSON field: "merged"',
      'no tasks  found',
      '\u001b[31m',
      '',
    );
    const text = (of: fc.Arbitrary<string>) =>
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(of).map((all) => all.join(' ')),
      );
    const step = fc.record(
      {
        tool: fc.constantFrom('shell' as const, 'edit' as const),
        outcome: fc.constantFrom('success' as const, 'failure' as const, 'partial' as const, 'cancelled' as const),
        command: text(words),
        output: text(said),
        targetPath: fc.string(),
      },
      { requiredKeys: ['tool', 'outcome'] },
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.nat(9),
        (steps, from) => void detectFindings(makeWindow(steps, from)),
      ),
      { numRuns: toRuns(500) },
    );
  });
});
