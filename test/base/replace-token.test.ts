import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommand } from '../../src/base/parse-command.ts';
import { replaceToken } from '../../src/base/replace-token.ts';

const STAT = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };

describe('replacing one word of a command', () => {
  const CHANGED: readonly (readonly [string, string])[] = [
    ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'],
    ['cd src && gh pr diff 12 --stat | head -3', 'cd src && gh pr diff 12 --name-only | head -3'],
    ['gh pr diff --stat 12; echo "--stat2"', 'gh pr diff --name-only 12; echo "--stat2"'],
    ['  gh   pr diff\t12   --stat  # what', '  gh   pr diff\t12   --name-only  # what'],
    ['GH_PAGER=cat /usr/bin/gh pr diff 12 --stat >out.txt', 'GH_PAGER=cat /usr/bin/gh pr diff 12 --name-only >out.txt'],
    ['x=$(gh pr diff 12 --stat)', 'x=$(gh pr diff 12 --name-only)'],
    ['x="$(gh pr diff 12 --stat)"', 'x="$(gh pr diff 12 --name-only)"'],
    ["# don't ask\ngh pr diff 12 --stat", "# don't ask\ngh pr diff 12 --name-only"],
    ["cat <<A\nit's\nA\ngh pr diff 12 --stat", "cat <<A\nit's\nA\ngh pr diff 12 --name-only"],
    [`cd "it's" && gh pr diff 12 --stat -R 'a/b'`, `cd "it's" && gh pr diff 12 --name-only -R 'a/b'`],
  ];
  for (const [line, expected] of CHANGED) it(`changes ${line}`, () => assert.equal(replaceToken(line, STAT), expected));

  const LEFT: readonly (readonly [why: string, line: string])[] = [
    ['the word is not there', 'gh pr diff 12'],
    ['it is there twice', 'gh pr diff 12 --stat && gh pr diff 13 --stat'],
    ['it is there twice, once as a text', 'echo "use --stat" && gh pr diff 12 --stat'],
    ['it has a value', 'gh pr diff 12 --stat=40'],
    ['it is quoted', "gh pr diff 12 '--stat'"],
    ['it is in a quoted script', "bash -c 'gh pr diff 12 --stat'"],
    ['it is in a script in double quotes', 'bash -c "gh pr diff 12 --stat"'],
    ['it is in a script behind quotes that are closed', `echo "it's" && sh -c 'cd "a b" && gh pr diff 12 --stat'`],
    ['it is behind a quote inside quotes', 'bash -c "echo \\"x; gh pr diff 12 --stat"'],
    ['it is in a script that is put together', 'eval "gh pr diff 12 --stat"'],
    ['it is in a script behind a quote in a comment', "# don't ask\nbash -c 'gh pr diff 12 --stat'"],
    ['it is in a script behind a quote in a here-document', "cat <<'A'\nit's\nA\nbash -c 'gh pr diff 12 --stat'"],
    ['it is in a script behind an inch', 'cat <<A\n5" disk\nA\nbash -c "gh pr diff 12 --stat"'],
    ['it is in a script behind a quote in quotes in quotes', `x="$(echo "it's")"; bash -c 'gh pr diff 12 --stat'`],
    ['it is in a script behind an escaped quote', `echo $'a\\'' && bash -c 'gh pr diff 12 --stat'`],
    ['it is in a script in a script', `bash -c "bash -c 'gh pr diff 12 --stat'"`],
    ['it is for a shell that reads its input', 'bash <<A\ngh pr diff 12 --stat\nA'],
    ['it is part of a text', 'gh pr diff 12 -m "with --stat here"'],
    ['it is another program’s', 'git diff --stat'],
    ['it is another sub-command’s', 'gh pr view --stat'],
    ['it is in a comment', 'gh pr diff 12 # --stat'],
    ['it is in a here-document', 'gh pr diff 12 <<EOF\n--stat\nEOF'],
    ['it is where output goes', 'gh pr diff 12 > --stat'],
    ['only the shell knows the program', '$GH pr diff 12 --stat'],
    ['the line is data', `gh pr diff 12 --stat ${'x'.repeat(5000)}`],
  ];
  for (const [why, line] of LEFT)
    it(`leaves a line where ${why}`, () => assert.equal(replaceToken(line, STAT), undefined));

  it('takes only words that mean nothing to a shell', () => {
    for (const to of ['$(rm -rf x)', 'a b', '*', '~', 'a;b', '', '`x`', 'a\nb', '=x', 'a>b', '{a,b}', '--stat'])
      assert.equal(replaceToken('gh pr diff 12 --stat', { ...STAT, to }), undefined, to);
    assert.equal(replaceToken('gh pr diff 12 *', { ...STAT, from: '*' }), undefined);
  });

  const word = fc.constantFrom(
    ...[
      'gh',
      'pr',
      'diff',
      '--stat',
      '--stat=4',
      '"--stat"',
      "'a --stat b'",
      '12',
      '-m',
      '$X',
      '$(gh pr diff --stat)',
      '#',
    ],
    ...[
      '*',
      '>',
      '<',
      '\\--stat',
      '--state',
      'x--stat',
      '--',
      'sudo',
      'env',
      'A=1',
      '{',
      '}',
      '(',
      ')',
      '\n',
      '`--stat`',
    ],
  );
  const line = fc
    .array(fc.oneof(word, fc.constantFrom('&&', '||', '|', ';', '&', ' ')), { maxLength: 14 })
    .map((words) => words.join(' '));

  it('changes that word and nothing else, whatever the line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          line,
          fc.string(),
          fc.string().map((text) => `gh pr diff --stat ${text}`),
        ),
        (before) => {
          const after = replaceToken(before, STAT);
          if (after === undefined) return;
          // Character by character: one place, and the rest is untouched.
          const at = before.split('').findIndex((char, i) => after[i] !== char);
          const start = before.lastIndexOf('--stat', at);
          assert.equal(after, `${before.slice(0, start)}--name-only${before.slice(start + '--stat'.length)}`);
          // And as the shell sees it: the same commands with the same words, but for one.
          const [old, now] = [parseCommand(before), parseCommand(after)];
          const words = (commands: typeof old) =>
            commands.flatMap(({ program, args }) => [program, ...args.map(({ value }) => value)]);
          assert.equal(words(old).length, words(now).length);
          const others = words(old).flatMap((one, i) => (one === words(now)[i] ? [] : [[one, words(now)[i]]]));
          assert.deepEqual(others, [['--stat', '--name-only']]);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
