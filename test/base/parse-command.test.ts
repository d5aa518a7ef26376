import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommand } from '../../src/base/parse-command.ts';

const programs = (source: string) => parseCommand(source).map((command) => command.program);
const words = (source: string) => parseCommand(source).map((c) => [c.program, ...c.args.map((a) => a.value)].join(' '));

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

  it('does not look through package runners: running a tool through one is often the fix', () => {
    assert.deepEqual(words('mise exec -- golangci-lint run'), ['mise exec -- golangci-lint run']);
    assert.deepEqual(words('npx tsc'), ['npx tsc']);
  });

  it('leaves questions about a program alone', () => {
    assert.deepEqual(words('command -v gh'), ['command -v gh']);
  });

  it('takes the base name of a path, and no name where only the shell knows it', () => {
    assert.deepEqual(programs('/usr/bin/gh pr list; ./scripts/check.sh; $TOOL run'), ['gh', 'check.sh', '']);
  });

  it('removes quotes from arguments and keeps how they were typed', () => {
    assert.deepEqual(parseCommand(`grep --include='*.go' x`)[0]?.args[0], {
      value: '--include=*.go',
      text: "--include='*.go'",
    });
  });

  it('says whose exit code the line can hide (!), and who reads what another prints (|)', () => {
    const places = (source: string) =>
      parseCommand(source)
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

  it('survives anything, and a megabyte of it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (source) => void parseCommand(source)));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('$(', ')', '"', "'", '`', '{', '}', '<<E', '\n', 'bash -c ', '|', 'x '), {
          maxLength: 200,
        }),
        (parts) => void parseCommand(parts.join('')),
      ),
    );
    assert.equal(programs(`echo ${'$('.repeat(5000)}`)[0], 'echo');
    assert.equal(programs(`printf ${'x'.repeat(1_000_000)}`)[0], 'printf');
  });
});
