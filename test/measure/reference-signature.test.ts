import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toReferenceProgram, toReferenceSignature } from '../../src/measure/frozen-measures.ts';

const of = (command: string, output: string) => toReferenceSignature({ tool: 'shell', command, output });

describe('the reference signature', () => {
  it('does not change, because figures of different versions are compared by it', () => {
    assert.equal(
      of('cd x && gh pr diff 7 --stat', 'Exit code 1\nunknown flag: --stat\nUsage: …'),
      'gh: unknown flag: --stat',
    );
    assert.equal(of('go test ./a', 'ok b\n--- FAIL: TestA (0.01s)'), 'go: --- fail: testa (<n>.<n>s)');
    assert.equal(
      of('cat a/b.txt', 'cat: a/b.txt: No such file or directory'),
      'cat: cat: <path> no such file or directory',
    );
    assert.equal(of('gh pr view --json x', 'Unknown JSON field: "x"'), 'gh: unknown json field: <q>');
    assert.equal(
      toReferenceSignature({ tool: 'edit', output: 'String to replace not found' }),
      'edit: string to replace not found',
    );
  });

  it('is the same for lines that differ only in places, numbers and quoted words', () => {
    assert.equal(of('ls a/1', 'ls: a/1: No such file or directory'), of('ls /b', 'ls: /b: No such file or directory'));
    assert.notEqual(of('ls a', 'ls: permission denied'), of('ls a', 'ls: a/b: No such file or directory'));
  });

  it('names the program that a command line is about', () => {
    const program = (command: string) => toReferenceProgram({ tool: 'shell', command });
    assert.equal(program('cd /x && A=1 B=2 /usr/bin/Make all'), 'make');
    assert.equal(program('dir=$(mktemp -d); go run . | head'), 'go');
    assert.equal(program('A=$(pwd)/x B=1 go test ./a'), 'go');
    assert.equal(program(''), 'shell');
  });

  it('is defined for any text', () => {
    fc.assert(fc.property(fc.string(), fc.string({ unit: 'binary' }), (a, b) => of(a, b).length < 400));
  });
});
