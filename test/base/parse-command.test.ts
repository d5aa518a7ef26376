import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ANY_SHELL, listExecuted, MAX_COMMANDS, parseCommand } from '../../src/base/shell/parse-command.ts';
import type { Argument } from '../../src/base/shell/simple-command.ts';
import { assertLinear } from '../measure-cpu.ts';

const programs = (source: string) => parseCommand(source, ANY_SHELL).map((command) => command.program);
const words = (source: string) =>
  parseCommand(source, ANY_SHELL).map((c) => [c.program, ...c.args.map((a) => a.value)].join(' '));

describe('parsing a shell command', () => {
  it('finds every simple command of lists, pipelines and compound commands', () => {
    assert.deepEqual(programs('cd x && npm test | tee log; if true; then make -j2; fi'), [
      'cd',
      'npm',
      'tee',
      'true',
      'make',
    ]);
  });

  it('does not take quoted words or here-documents for commands', () => {
    assert.deepEqual(programs(`grep 'npm run dev' README.md`), ['grep']);
    assert.deepEqual(programs("cat <<'EOF' > run.sh\nrm -rf /\nnpm test\nEOF"), ['cat']);
    assert.deepEqual(programs('git commit -m "fix: curl the thing"'), ['git']);
  });

  it('finds commands inside substitutions, also in double quotes', () => {
    assert.deepEqual(programs('echo "$(git rev-parse HEAD)" `date`'), ['echo', 'git', 'date']);
  });

  it('looks through programs that only run another program', () => {
    assert.deepEqual(words('sudo -u bob env A=1 FOO=2 timeout -k 1 5 gh pr diff'), ['gh pr diff']);
    assert.deepEqual(words('find . -print0 | xargs -0 -n 1 rm -f'), ['find . -print0', 'rm -f']);
    assert.deepEqual(words(`bash -lc 'cd a && go test ./...'`), ['cd a', 'go test ./...']);
  });

  const WRAPPED = [
    ...['bash -euo pipefail -c "npm test"', 'bash -eo pipefail -c "npm test"', 'bash -xeuo pipefail -c "npm test"'],
    ...['bash -ceu "npm test"', 'bash -O extglob -c "npm test"', 'sh -c -- "npm test"', 'bash --norc -lc "npm test"'],
    ...[
      "env -S'npm test'",
      "env --split-string='npm test'",
      'env -iS "npm test"',
      'env -S npm test',
      'env A="b c" npm test',
    ],
    ...['sudo --chdir /x npm test', 'sudo --prompt p npm test', 'sudo -uphp npm test', 'sudo -Eu php npm test'],
    ...['sudo --user=php npm test', 'sudo -r role -t type -- npm test'],
    ...['xargs -IP npm test', 'xargs --arg-file f npm test', 'xargs --max-lines 1 npm test', 'xargs -0rn1 npm test'],
    ...['su -c "npm test" bob', 'su bob -c "npm test"', "su - bob -s /bin/sh --command='npm test'"],
    ...['watch npm test', 'watch -n 5 npm test', 'watch -dn1 "npm test"', 'watch --interval 2 "npm test"'],
    ...['flock /tmp/l npm test', 'flock -w 5 /tmp/l npm test', "flock -n /tmp/l -c 'npm test'"],
    ...['timeout -sKILL -k5 30 npm test', 'nice -n5 npm test', 'exec -la name npm test'],
  ];
  for (const source of WRAPPED)
    it(`looks through ${source}`, () => {
      assert.deepEqual(words(source), ['npm test']);
    });

  const KEPT = [
    ...['sudo -l npm test', 'sudo -nv npm test', 'bash -s npm test', 'bash -x run.sh -c "npm test"', 'sh run.sh -ec x'],
    ...['su bob', 'flock 9', 'watch', 'env', 'xargs -I', 'command -pv npm', 'pwsh -File run.ps1 -c x'],
    // Programs that run it elsewhere, where other rules apply.
    ...['docker exec -it web npm test', 'ssh -p 22 host npm test', 'kubectl exec pod -- npm test'],
  ];
  for (const source of KEPT)
    it(`does not look through ${source}`, () => {
      assert.deepEqual(words(source), [source.replaceAll('"', '')]);
    });

  it('lists what `find` runs, each once', () => {
    const source = 'find . -exec a 1 {} \\; -o -ok b + -execdir';
    assert.deepEqual(words(source).slice(0, 2), ['a 1 {}', 'b']);
    assert.equal(words(source).length, 3);
  });

  it('does not look through package runners, because running a tool through one is often the fix', () => {
    assert.deepEqual(words('mise exec -- golangci-lint run'), ['mise exec -- golangci-lint run']);
    assert.deepEqual(words('npx tsc'), ['npx tsc']);
  });

  it('does not unwrap questions about a program', () => {
    assert.deepEqual(words('command -v gh'), ['command -v gh']);
  });

  it('takes the base name of a path, and no name if only the shell knows it', () => {
    assert.deepEqual(programs('/usr/bin/gh pr list; ./scripts/check.sh; $TOOL run'), ['gh', 'check.sh', '']);
  });

  it('removes quotes from arguments and keeps the typed text', () => {
    assert.deepEqual(parseCommand(`grep --include='*.go' x`, ANY_SHELL)[0]?.args[0], {
      value: '--include=*.go',
      text: "--include='*.go'",
    });
  });

  it("marks commands whose exit code the line can hide (!) and commands that read another's output (|)", () => {
    const places = (source: string) =>
      parseCommand(source, ANY_SHELL)
        .map(({ program, hidden, piped }) => `${program}${hidden ? '!' : ''}${piped ? '|' : ''}`)
        .join(' ');
    const rows = [
      ['a && b', 'a b'],
      ['a || true', 'a! true'],
      ['a && b || c', 'a! b! c'],
      ['a | b && c; d', 'a! b!| c! d'],
      ['a\nb', 'a! b'],
      ['a & wait', 'a! wait'],
      ['! a', 'a!'],
      ['(a; b) 2>&1', 'a! b'],
      ['if a; then b; else c; fi', 'a! b c'],
      ['for i in 1 2; do a; done', 'a!'],
      ['x=$(a) && echo $(b)', 'a echo b!'],
      ["bash -c 'a; b' | tail", 'a! b! tail|'],
      ['a | xargs grep x', 'a! grep'],
      ['set -euo pipefail; a | b; c', 'set! a b| c'],
    ] as const;
    for (const [source, expected] of rows) assert.equal(places(source), expected, source);
  });

  const MANY = [
    ...['find . -exec a \\; ', '-exec a ', '-exec find '].map((unit) => ['find . ', unit] as const),
    ...['a|', 'a;', 'a&&', '$(a) ', 'f() ', '<<A ', '`a` ', '$(', '"$(', '<( '].map((unit) => ['', unit] as const),
  ];
  for (const [start, unit] of MANY)
    it(`returns a bounded number of commands in bounded time: ${start}${unit} repeated`, () => {
      const parse = (length: number) => parseCommand(start + unit.repeat(length / unit.length), ANY_SHELL);
      assert.ok(parse(70_000).length <= MAX_COMMANDS);
      assertLinear(parse, 16_000);
    });

  const OPEN = ['{', 'a{', 'x={', '{"a",', '{a,', '{1..', '"{', '`{', '$[', '$[ ', '${a:', '${a/'];
  for (const unit of OPEN)
    it(`stays fast after something is opened and never closed: ${unit} repeated`, () => {
      assertLinear((length) => parseCommand(`echo ${unit.repeat(length / unit.length)}`, ANY_SHELL), 16_000);
    });

  const rows = Array.from({ length: 500 }, (_, n) => ({ n, more: [{ name: `it is ${n}` }, {}] }));
  const json = JSON.stringify(rows);
  for (const [how, typed, value] of [
    ['single quotes', `'${json}'`, json],
    ['double quotes', JSON.stringify(json), json],
    ['variables', '$'.concat('{x}').repeat(500), '$'.concat('{x}').repeat(500)],
    ['arithmetic', '$[1+1]'.repeat(500), '$[1+1]'.repeat(500)],
  ] as const)
    it(`keeps a word with many braces and the command after it: ${how}`, () => {
      const found = parseCommand(`curl -d ${typed} https://x.test | jq . && { rm -rf x; }`, ANY_SHELL);
      assert.deepEqual(
        found.map(({ program }) => program),
        ['curl', 'jq', 'rm'],
      );
      assert.deepEqual(found[0]?.args[1], { text: typed, value });
      assert.equal(found[0]?.text, `curl -d ${typed} https://x.test`);
    });

  it('finds the groups, functions and scripts of a long line full of braces', () => {
    const line = 'f() { a "$'.concat('{x}"; }; { b {1..3}; }; ');
    const found = programs(`${line.repeat(100)} bash -c 'c "\${y}"; d {e,f}'`);
    assert.deepEqual(found, [...Array.from({ length: 100 }, () => ['a', 'b']).flat(), 'c', 'd']);
    assert.equal(words(`${line.repeat(100)} bash -c 'd {e,f}'`).at(-1), 'd {e,f}');
  });

  it('keeps the commands found before a part that is nested too deeply', () => {
    assert.deepEqual(programs(`npm test; echo $(${'f() '.repeat(16_000)}`).slice(0, 2), ['npm', 'echo']);
  });

  it('reads all words of a `find`, each once', () => {
    let asked = 0;
    const word = (value: string): Argument => ({
      text: value,
      get value() {
        asked++;
        return value;
      },
    });
    const all = Array.from({ length: 30_000 }, (_, n) => word(n % 3 === 0 ? '-exec' : n % 3 === 1 ? 'a' : ';'));
    assert.equal(listExecuted('find', all).length, 10_000);
    assert.ok(asked < 4 * all.length, `${asked}`);
  });

  it('accepts any text, and a megabyte of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (source) => void parseCommand(source, ANY_SHELL)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('$(', ')', '"', "'", '`', '{', '}', '<<E', '\n', 'bash -c ', '|', 'x '), {
          maxLength: 200,
        }),
        (parts) => void parseCommand(parts.join(''), ANY_SHELL),
      ),
    );
    assert.equal(programs(`echo ${'$('.repeat(5000)}`)[0], 'echo');
    assert.equal(programs(`printf ${'x'.repeat(1_000_000)}`)[0], 'printf');
  });

  it('reads the commands after a document with many braces', () => {
    const rows = Array.from({ length: 90 }, (_, n) => `{"id":${n}}`).join('\n');
    const source = `cat > x.json <<'EOF'\n${rows}\nEOF\nname=\${title//(/}\nrm -rf x`;
    assert.deepEqual(
      parseCommand(source, ANY_SHELL).map(({ program }) => program),
      ['cat', 'rm'],
    );
  });
});
