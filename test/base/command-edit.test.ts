import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TokenReplacement } from '../../src/base/model/lesson.ts';
import { applyEdit, toReplacementEdit } from '../../src/base/shell/command-edit.ts';
import { findObjectKind } from '../../src/base/shell/object-kind.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { hasClosedQuotes } from '../../src/base/text/short-text.ts';
import { toEdit, toLasting, toTemplate } from '../../src/distill/episodes/find-edit.ts';
import { toSetEdit } from '../../src/distill/episodes/teachable-edit.ts';
import { renderEdit, renderWords } from '../../src/distill/text/render-edit.ts';
import { toRuns } from '../to-runs.ts';

const replaceToken = (line: string, replacement: TokenReplacement) =>
  applyEdit(toReplacementEdit(replacement), line, true);
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
    ['echo "use --stat" && gh pr diff 12 --stat', 'echo "use --stat" && gh pr diff 12 --name-only'],
    [`cd "it's" && gh pr diff 12 --stat -R 'a/b'`, `cd "it's" && gh pr diff 12 --name-only -R 'a/b'`],
  ];
  for (const [line, expected] of CHANGED) it(`changes ${line}`, () => assert.equal(replaceToken(line, STAT), expected));

  const LEFT: readonly (readonly [why: string, line: string])[] = [
    ['the word is not there', 'gh pr diff 12'],
    ['it is there twice', 'gh pr diff 12 --stat && gh pr diff 13 --stat'],
    ['it has a value', 'gh pr diff 12 --stat=40'],
    ['it is quoted', "gh pr diff 12 '--stat'"],
    ['it is an operand behind `--`', 'gh pr diff 12 -- --stat'],
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
    it(`leaves a line alone if ${why}`, () => assert.equal(replaceToken(line, STAT), undefined));

  it('uses only words without a meaning to the shell', () => {
    for (const to of ['$(rm -rf x)', 'a b', '*', '~', 'a;b', '', '`x`', 'a\nb', '=x', 'a>b', '{a,b}', '--stat'])
      assert.equal(replaceToken('gh pr diff 12 --stat', { ...STAT, to }), undefined, to);
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
          // Character by character: one position differs, and the rest is the same.
          const at = before.split('').findIndex((char, i) => after[i] !== char);
          const start = before.lastIndexOf('--stat', at);
          assert.equal(after, `${before.slice(0, start)}--name-only${before.slice(start + '--stat'.length)}`);
          // As the shell reads it: the same commands with the same words, except for one.
          const [old, now] = [parseCommand(before, ANY_SHELL), parseCommand(after, ANY_SHELL)];
          const words = (commands: typeof old) =>
            commands.flatMap(({ program, args }) => [program, ...args.map(({ value }) => value)]);
          assert.equal(words(old).length, words(now).length);
          const others = words(old).flatMap((one, i) => (one === words(now)[i] ? [] : [[one, words(now)[i]]]));
          assert.deepEqual(others, [['--stat', '--name-only']]);
        },
      ),
      { numRuns: toRuns(3000) },
    );
  });
});

const toCommand = (line: string) => {
  const [command, ...others] = parseCommand(line, { rawTool: 'Bash' });
  assert.ok(command !== undefined && others.length === 0, line);
  return command;
};
const learn = (failing: string, fixing: string) => {
  const edit = toEdit(toCommand(failing), toCommand(fixing));
  return edit === undefined ? undefined : toLasting(edit);
};

describe('an edit learned from one pair of calls', () => {
  const PAIRS: readonly (readonly [
    failing: string,
    fixing: string,
    told: string,
    next: string,
    corrected: string | undefined,
  ])[] = [
    [
      './shipit deploy --fast prod',
      './shipit deploy --quick prod',
      'replace `--fast` with `--quick`',
      './shipit deploy --fast staging',
      './shipit deploy --quick staging',
    ],
    [
      'gh pr diff 104 --stat',
      'gh pr diff 104 --name-only',
      'replace `--stat` with `--name-only`',
      'cd x && gh pr diff 7 --stat 2>&1 | head',
      'cd x && gh pr diff 7 --name-only 2>&1 | head',
    ],
    [
      'git show 8312232 --no-stat',
      'git show 8312232',
      'leave out `--no-stat`',
      'git show abc1234 --no-stat',
      'git show abc1234',
    ],
    [
      'app show --format json x',
      'app show --json x',
      'replace `--format json` with `--json`',
      'app show --format json y',
      'app show --json y',
    ],
    [
      'app send a -P /tmp/a.md',
      'app send a --file /tmp/a.md',
      'replace `-P` with `--file`',
      "app send b -P '/tmp/b c.md'",
      "app send b --file '/tmp/b c.md'",
    ],
    [
      'gh pr view 2 --json state,merged',
      'gh pr view 2 --json state,mergedAt',
      'replace `merged` with `mergedAt`',
      'gh pr view 5 --json=number,merged',
      'gh pr view 5 --json=number,mergedAt',
    ],
    [
      'uv pip install flask',
      'uv pip install --system flask',
      'add `--system`',
      'uv pip install "black>1"',
      'uv pip install --system "black>1"',
    ],
    [
      'go version',
      'mise exec -- go version',
      'run it through `mise exec --`',
      'cd a && go build ./x',
      'cd a && mise exec -- go build ./x',
    ],
    [
      'docker-compose ps',
      'docker compose ps',
      'use `docker compose` instead of `docker-compose`',
      'docker-compose up -d',
      'docker compose up -d',
    ],
    [
      'gh api repos/a/b/pulls?page=1',
      'gh api "repos/a/b/pulls?page=1"',
      'put the word with `?` in quotes, unless it is to name files',
      'gh api repos/c/d/issues?state=open',
      "gh api 'repos/c/d/issues?state=open'",
    ],
    [
      'grep -rn A --include=*.go .',
      "grep -rn A . --include='*.go'",
      'put the value of `--include` with `*` in quotes',
      'grep -rn B --include=*.ts src',
      "grep -rn B --include='*.ts' src",
    ],
    [
      'app ls --limit=5 a',
      'app ls -n 5 a',
      'replace `--limit=<number>` with `-n <number>`',
      'app ls --limit=70 b',
      'app ls -n 70 b',
    ],
    ['go test ./a', 'go test -c ./a -o /tmp/a.test', 'add `-c` and `-o <path>`', 'go test ./b', undefined],
  ];
  for (const [failing, fixing, told, next, corrected] of PAIRS)
    it(`is rendered as "${told}" and changes ${next} to ${corrected ?? 'nothing'}`, () => {
      const edit = learn(failing, fixing);
      assert.ok(edit !== undefined);
      assert.equal(renderEdit(edit, 200), told);
      assert.equal(applyEdit(edit, next), corrected);
    });

  it('is empty if only the objects differ', () => {
    assert.equal(learn('ls -lh src/a', 'ls -lh src/b'), undefined);
    assert.equal(learn('git checkout 1f2e3d4', 'git checkout 5a6b7c8'), undefined);
  });

  it('sets a variable, and does not lose a redirection', () => {
    const set = toSetEdit('npm', { name: 'CI', value: 'true' }, '');
    assert.ok(set !== undefined);
    assert.equal(applyEdit(set, 'cd a; npm test -- x | tail'), 'cd a; CI=true npm test -- x | tail');
    const edit = learn('app run --fast x --old', 'app run --quick x');
    assert.ok(edit !== undefined);
    assert.equal(applyEdit(edit, 'app run --fast 2>err.log x --old'), undefined);
  });

  const plain = fc.constantFrom(
    '--fast',
    '--quick',
    '-v',
    '-o',
    'json',
    '--out=dist',
    '--json',
    'a,b,c',
    'a,c',
    '--all',
    'sub',
    'x',
    '--',
  );
  const object = fc.oneof(
    fc.constantFrom(
      '/tmp/a.txt',
      'src/x.ts',
      '7f3e2a1b',
      '2026-01-02',
      '8080',
      'feature/a-b',
      "'it is'",
      '"$HOME/x"',
      '*.go',
      "'*.go'",
      'a?b=1',
      '\\$x',
      '"a b"',
      'web-7f8c9',
      'https://a.example/x',
      '1,2',
    ),
    fc.stringMatching(/^[a-z0-9./:@_-]{1,12}$/).filter((word) => !word.startsWith('-')),
  );
  const words = fc.array(fc.oneof(plain, object), { maxLength: 7 });
  const line = fc
    .tuple(fc.constantFrom('app run', './shipit deploy', 'gh pr diff', 'tool'), words)
    .map(([head, rest]) => [head, ...rest].join(' '));
  /** One command made from another by a few changes, as agents make them. */
  const pair = fc
    .tuple(
      line,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('add', 'remove', 'replace'), fc.oneof(plain, object)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([failing, changes]) => {
      const all = failing.split(/ (?=(?:[^'"]*['"][^'"]*['"])*[^'"]*$)/);
      for (const [n, how, word] of changes) {
        const at = 1 + (n % all.length);
        all.splice(at, how === 'add' ? 0 : 1, ...(how === 'remove' ? [] : [word]));
      }
      return [failing, all.join(' ')] as const;
    });
  const toValues = (text: string) => {
    const commands = parseCommand(text, { rawTool: 'Bash' });
    return commands.map(({ program, args }) => [program, ...args.map(({ value }) => value)]);
  };

  it('makes the fixing call of its own failing call', () => {
    let made = 0;
    fc.assert(
      fc.property(pair, ([failing, fixing]) => {
        const [a, b] = [parseCommand(failing, ANY_SHELL)[0], parseCommand(fixing, ANY_SHELL)[0]];
        const exact = a === undefined || b === undefined ? undefined : toEdit(a, b);
        const now = exact === undefined ? undefined : applyEdit(exact, failing);
        if (now === undefined) return;
        made++;
        const [before, after] = [toValues(now), toValues(fixing)].map((all) => all.map((one) => one.toSorted()));
        assert.deepEqual(before, after, `${failing} -> ${fixing}: ${now}`);
      }),
      { numRuns: toRuns(3000) },
    );
    assert.ok(made > toRuns(1500), `only ${made} edits were found`);
  });

  const listObjects = (text: string): readonly string[] => {
    const code = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, found = '']) => found.split(' ').slice(1));
    return code.filter((word) => {
      if (word === '…' || word.startsWith('-') || word.includes('<') || /^[?*[\]{}!#&;()|]$/.test(word)) return false;
      const kind = findObjectKind({ value: word, text: word });
      return kind !== undefined && !(kind === 'name' && /^[a-z][\w:-]*$/i.test(word));
    });
  };

  it('gives a line that parses, and contains no object of the original call', () => {
    fc.assert(
      fc.property(pair, line, ([failing, fixing], next) => {
        const [a, b] = [parseCommand(failing, ANY_SHELL)[0], parseCommand(fixing, ANY_SHELL)[0]];
        const exact = a === undefined || b === undefined ? undefined : toEdit(a, b);
        const edit = exact === undefined ? undefined : toLasting(exact);
        if (edit === undefined || b === undefined) return;
        assert.ok(!JSON.stringify(edit).includes('"object"'));
        for (const text of [renderEdit(edit, 200) ?? '', `\`${renderWords(toTemplate(b))}\``]) {
          assert.ok(hasClosedQuotes(text), text);
          assert.deepEqual(listObjects(text), [], text);
        }
        const now = applyEdit(edit, next);
        if (now !== undefined) assert.equal(parseCommand(now, ANY_SHELL).length, parseCommand(next, ANY_SHELL).length);
      }),
      { numRuns: toRuns(3000) },
    );
  });
});

describe('no edit follows from', () => {
  it('another order of the same operands', () => {
    assert.equal(learn('tool cp one two', 'tool cp two one'), undefined);
    assert.equal(learn('tool cp -v a.txt b.txt', 'tool cp -v b.txt a.txt'), undefined);
  });

  it('a replacement of which only the kind is known', () => {
    const step = { from: ['feature'], to: [{ any: 'name' as const }] };
    assert.equal(renderEdit({ program: 'tool', steps: [step] }, 100), undefined);
    const value = { from: ['--type', 'x'], to: ['--type', { any: 'number' as const }] };
    assert.equal(renderEdit({ program: 'tool', steps: [value] }, 100), undefined);
  });

  it('a line that does not parse', () => {
    const edit = { program: 'shipit', steps: [{ from: ['--fast'], to: ['--quick'] }] };
    assert.equal(applyEdit(edit, './shipit deploy --fast prod'), './shipit deploy --quick prod');
    for (const open of ["'prod", '"prod', '$(prod'])
      assert.equal(applyEdit(edit, `./shipit deploy --fast ${open}`), undefined, open);
  });

  it('puts `--` only where no option follows', () => {
    const edit = { program: 'findx', steps: [{ from: [], to: ['--'], at: '-n' }] };
    assert.equal(applyEdit(edit, 'findx -n "--keep" src'), 'findx -n -- "--keep" src');
    assert.equal(applyEdit(edit, 'findx -n "--keep" src -g a'), undefined);
  });
});
