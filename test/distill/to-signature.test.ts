import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findCauseLine } from '../../src/base/text/cause-line.ts';
import { SIGNATURE_VERSION, signCall, toSignature } from '../../src/base/text/signature.ts';
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
  [
    'not what a host prints before a command',
    'Debian GNU/Linux 12\n***********************\n* Authorized users only *\n***********************\nunit web.service was not loaded',
    'unit web.service was not loaded',
  ],
  [
    'not what ssh says about the connection',
    'Pseudo-terminal will not be allocated because stdin is not a terminal.\n** WARNING: connection is not using a post-quantum key exchange algorithm.\n** The server may need to be upgraded.\nunit web.service was not loaded\nConnection to h closed.',
    'unit web.service was not loaded',
  ],
  [
    'not the warning of a runtime',
    '(node:12) ExperimentalWarning: it may change\n(Use `node --trace-warnings ...` to show where the warning was created)\n/a/b.py:3: DeprecationWarning: old\nit broke',
    'it broke',
  ],
  ['not the options that Java took up', 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nit broke', 'it broke'],
  ['not how far a program is', 'Resolving packages [1/4]...\n########## 100.0%\nthe lock is held', 'the lock is held'],
  [
    'not the banner of a script runner',
    'yarn run v1.22.19\n$ node x.js\nnothing to do here\nerror Command failed with exit code 1.',
    'nothing to do here',
  ],
  [
    'behind the number of a build step',
    '#8 1.2 npm error code EUSAGE\n#8 1.2 npm error `npm ci` can only install packages\n#8 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    '#8 1.2 npm error `npm ci` can only install packages',
  ],
  [
    'not what git says of a connection that failed',
    'git@h.test: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights',
    'git@h.test: Permission denied (publickey).',
  ],
  [
    'why git did not push',
    " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'h.test:a.git'",
    '! [rejected]        main -> main (fetch first)',
  ],
  [
    "git's own line, if it is the only one",
    "To h.test:a.git\nerror: failed to push some refs to 'h.test:a.git'",
    "error: failed to push some refs to 'h.test:a.git'",
  ],
  [
    'the module that a test misses, not the test',
    "ImportError while importing test module '/a/t.py'.\nE   ModuleNotFoundError: No module named 'foo'",
    "E   ModuleNotFoundError: No module named 'foo'",
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
  ['not a warning before it', 'warning: x not found\nbuild broke: error in step 2', 'build broke: error in step 2'],
  [
    'not a line that only states the exit code',
    'error: x exited with code 2\nlinker died: no memory',
    'linker died: no memory',
  ],
  [
    'with the line below a heading',
    'Edit failed due to the following issue:\nno path',
    'Edit failed due to the following issue: no path',
  ],
  [
    'that the time was over, not what was printed until then',
    'Command timed out after 2m 0s\nerror: x',
    'Command timed out after 2m 0s',
  ],
  [
    'the whole message that PowerShell broke into lines',
    "Get-Item : Cannot find path 'C:\\a\nb' because it does not\nexist.\nAt line:1 char:1\n+ Get-Item\n+ ~~~~\n    + CategoryInfo          : x",
    "Get-Item : Cannot find path 'C:\\a b' because it does not exist.",
  ],
  [
    'not a line of information',
    '[INFO] BUILD FAILURE\n[ERROR] there is no POM in this directory',
    '[ERROR] there is no POM in this directory',
  ],
  [
    'not the system call that npm names',
    'npm error code ENOENT\nnpm error syscall open\nnpm error enoent Could not read package.json',
    'npm error enoent Could not read package.json',
  ],
  [
    'not that the linker failed',
    "main.c:(.text+0xa): undefined reference to `x'\ncollect2: error: ld returned 1 exit status",
    "main.c:(.text+0xa): undefined reference to `x'",
  ],
  [
    'an error that begins with stars',
    '** (Mix) The task "a" could not be found\nnote: b',
    '** (Mix) The task "a" could not be found',
  ],
  ['not the command that a package runner runs', '> web@1.0.0 test\n> vitest run a\n\nno files here', 'no files here'],
  ['one of several options', 'To see help, run:\n\nUnknown options: --a,b', 'Unknown options: --a,b'],
  [
    'what a program asks for, a number included',
    'ERROR 1045 (28000): denied for x (password: NO)',
    'ERROR 1045 (28000): denied for x (password: NO)',
  ],
  ['what a program sees for lack of a file', "Oops!\n\nLint couldn't find a config", "Lint couldn't find a config"],
  ['what a progress bar left', 'fetch 10%\rfetch 100%\rerror: gone\n', 'error: gone'],
];

describe('the cause line', () => {
  for (const [title, output, cause] of CAUSES) it(`is ${title}`, () => assert.equal(findCauseLine(output), cause));

  it('is absent when nothing was said', () => {
    for (const output of ['', '  \n\n', 'Exit code 1', 'Exit code 1\n', 'Debian GNU/Linux 12'])
      assert.equal(findCauseLine(output), undefined);
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
    assert.match(signed.signature.id, /^sig\d+_[0-9a-z]+$/);
    assert.ok(signed.signature.id.startsWith(`sig${SIGNATURE_VERSION}_`));
    assert.equal(signed.signature.version, SIGNATURE_VERSION);
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

const id = (command: string, output: string): string | undefined =>
  signCall({ tool: 'shell', rawTool: 'Bash', command }, output)?.signature.id;

describe('the signature of a failed command', () => {
  it('does not depend on the way the program was started', () => {
    const said = 'src/a.ts(12,5): error TS2345: Argument is wrong';
    const ways = [
      'tsc',
      'npx tsc',
      './node_modules/.bin/tsc -p .',
      'cd a && tsc',
      'CI=1 tsc',
      'bash -c "tsc"',
      'env tsc',
    ];
    assert.equal(new Set(ways.map((way) => id(way, said))).size, 1);
    const tested = 'ImportError: no plugin';
    const runs = ['pytest -q', 'python3 -m pytest', 'uv run pytest a', 'poetry run pytest', 'cd b && pytest'];
    assert.equal(new Set(runs.map((run) => id(run, tested))).size, 1);
  });

  it('is of the program that failed, not of the others of the line', () => {
    assert.equal(
      id('ls && cat x.md', 'cat: x.md: No such file or directory'),
      id('cat y', 'cat: y: No such file or directory'),
    );
    assert.equal(id("ssh h 'psql -c x'", 'psql: error: refused'), id('psql -c x', 'psql: error: refused'));
    assert.notEqual(id('cat x', 'cat: x: No such file or directory'), id('wc x', 'wc: x: No such file or directory'));
    assert.equal(
      id('ls x', "ls: cannot access 'x': No such file or directory"),
      id('ls y', 'ls: y: No such file or directory'),
    );
    assert.notEqual(id('pytest -q', 'error: no'), id('tsc', 'error: no'));
  });

  it('is one for a missing module, whichever program the runtime ran', () => {
    const said = "ModuleNotFoundError: No module named 'shop'";
    assert.equal(new Set(['python3 a.py', 'pytest', 'uv run alembic up'].map((way) => id(way, said))).size, 1);
    assert.notEqual(id('pytest', said), id('node a.js', "Error: Cannot find module 'shop'"));
  });

  it('is one for a missing program, whichever shell says so', () => {
    const said = [
      'bash: line 1: foo: command not found',
      '/bin/bash: foo: command not found',
      '(eval):1: command not found: foo',
      'zsh:3: command not found: foo',
      '/bin/sh: 1: foo: not found',
      "foo : The term 'foo' is not recognized as the name of a cmdlet, function, script file, or operable program.",
      "'foo' is not recognized as an internal or external command,",
    ];
    assert.equal(new Set(said.map((line) => id('cd a && foo x', line))).size, 1);
    assert.notEqual(id('foo', 'zsh:1: command not found: foo'), id('bar', 'zsh:1: command not found: bar'));
  });

  it('masks the words of the call that are values', () => {
    const of = (name: string) => id(`box capture ${name}`, `Error: No agent runs in ${name}`);
    assert.equal(of('a-b'), of('fix-of-the-readme'));
    assert.equal(id('box stop web', 'No such box: web'), id('box stop api', 'No such box: api'));
    assert.equal(
      id('pip install a[b]', 'zsh:1: no matches found: a[b]'),
      id('uv add .[c]', 'zsh:1: no matches found: .[c]'),
    );
    assert.notEqual(id('box fetch a-b', "unknown command 'fetch'"), id('box pull a-b', "unknown command 'pull'"));
    assert.notEqual(id('gh x --stat', 'unknown flag: --stat'), id('gh x --sort', 'unknown flag: --sort'));
  });

  it('is one for the same message in JSON and in plain text', () => {
    const plain = "gh: Could not resolve to a Repository with the name 'a/b'.";
    const json = `{"errors":[{"path":["x"],"message":"Could not resolve to a Repository with the name 'c/d'."}]}`;
    assert.equal(id('gh api x', json), id('gh pr view', plain));
    const more = (word: string) => `{"message":"Invalid request.\\n\\n\\"${word}\\" is absent"}`;
    assert.equal(id('gh api x', more('title')), id('gh api y', more('head')), 'details follow on other lines');
  });

  it('does not depend on advice behind the first sentence', () => {
    assert.equal(
      id('cat', 'error: File does not exist. Did you mean b.ts?'),
      id('cat', 'error: File does not exist. Current folder: /a'),
    );
  });

  it('is the name that a program gives to a cause', () => {
    const [short, long] = [
      'ERR_PNPM_TO_ROOT  It goes to the root',
      'ERR_PNPM_TO_ROOT  It goes to the root - if you mean it',
    ];
    assert.equal(id('pnpm add a', short), id('pnpm add b', long));
  });

  it('is of the error of a script, although the script has the same words', () => {
    const of = (key: string) =>
      id(
        `python3 -c "print({}['${key}'])"`,
        `Traceback (most recent call last):\n  File "<string>", line 1\nKeyError: '${key}'`,
      );
    assert.equal(of('customer'), of('price'));
    assert.equal(
      signCall({ tool: 'shell', rawTool: 'Bash', command: "x['customer']" }, "a\nKeyError: 'customer'")?.causeLine,
      "KeyError: 'customer'",
    );
  });

  it('is that of a time-out, whatever was printed until then', () => {
    assert.equal(
      id('pytest', 'Exit code 143\nCommand timed out after 2m 0s\n1 failed'),
      id('pytest a', 'Command timed out after 30s'),
    );
  });

  const quoted = fc.stringMatching(/^[a-z][a-z0-9 _.-]{0,12}$/);
  const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
    number: fc.nat().map(String),
    path: fc
      .array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 2, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}.ts`),
    hash: fc.stringMatching(/^[0-9a-f]{39}7$/),
    uuid: fc.uuid(),
    time: fc
      .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-01-01') })
      .map((date) => date.toISOString()),
    duration: fc.nat(900).map((n) => `${n}.${n % 10}s`),
    size: fc.nat(900).map((n) => `${n} MB`),
    quoted: quoted.map((text) => `"${text}"`),
    url: fc.webUrl().filter((url) => !/['"`(),;!]|[.:]$/.test(url)),
    address: fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 65_535 })).map(([host, port]) => `${host}:${port}`),
  };
  const TEMPLATES = ['cannot open @ now', 'error: job @ failed', 'lost @ after step', 'refused: @'];

  it('is the same for the same words with other values', () => {
    for (const [kind, value] of Object.entries(VALUES)) {
      fc.assert(
        fc.property(fc.constantFrom(...TEMPLATES), value, value, (template, a, b) => {
          assert.equal(
            id(
              'box',
              template.replace('@', () => a),
            ),
            id(
              'box',
              template.replace('@', () => b),
            ),
            kind,
          );
        }),
      );
    }
  });

  it('is another one for another option', () => {
    const option = fc.stringMatching(/^--[a-z]{2,8}(?:-[a-z]{2,5})?$/);
    fc.assert(
      fc.property(option, option, (a, b) => {
        assert.equal(id(`box ${a}`, `unknown option '${a}'`) === id(`box ${b}`, `unknown option '${b}'`), a === b);
      }),
    );
  });

  it('takes time that grows with the texts only', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, command) => void id(command, text)));
    for (const part of ['a ', 'a: ', 'sh: ', '{"message":"', '. A', 'x | ', 'E   ', '"', 'error:\n'])
      assertLinear((count) => id(`box ${'a '.repeat(50)}`, part.repeat(count)), 20_000, part);
  });
});
