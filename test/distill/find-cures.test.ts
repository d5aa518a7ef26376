import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cure } from '../../src/base/model/cure.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { findCures } from '../../src/distill/episodes/find-cures.ts';
import { openCureBook } from '../../src/match/cure-book.ts';
import { failed, makeWindow, other, type Step, worked } from './session-script.ts';

/** With the signature that capture gives to a failure. */
function signed(step: Step): Step {
  const program = step.command?.split(' ')[0] ?? '';
  const signature = toSignature(program, step.output ?? '')?.signature;
  return signature === undefined ? step : { ...step, signature };
}

function cure(...steps: readonly Step[]): readonly Pick<Cure, 'kind' | 'text'>[] {
  const script = steps.map((step) => (step.outcome === 'failure' ? signed(step) : step));
  return findCures(makeWindow(script)).map(({ kind, text }) => ({ kind, text }));
}

describe('a cure', () => {
  it('is the edit between the command that failed and the one that worked', () => {
    assert.deepEqual(
      cure(failed('shipit deploy --fast prod', 'unknown flag: --fast'), worked('shipit deploy --quick prod')),
      [{ kind: 'edit', text: 'replace `--fast` with `--quick`' }],
    );
    assert.deepEqual(
      cure(failed('pytest -q', 'zsh: command not found: pytest'), other('read', '/r/a'), worked('uv run pytest -q')),
      [{ kind: 'edit', text: 'run it through `uv run`' }],
    );
  });

  it('is the file to be read first, where the very same edit worked then', () => {
    const edit: Step = { tool: 'edit', targetPath: '/repo/a.ts', inputHash: 'h1' };
    const refused: Step = { ...edit, outcome: 'failure', output: 'File has not been read yet. Read it first.' };
    assert.deepEqual(cure(refused, other('read', '/repo/a.ts'), { ...edit, outcome: 'success' }), [
      { kind: 'read-first', text: 'read the file first' },
    ]);
    const otherText: Step = { ...edit, inputHash: 'h2', outcome: 'success' };
    assert.deepEqual(cure(refused, other('read', '/repo/a.ts'), otherText), []);
    assert.deepEqual(cure(refused, { ...edit, outcome: 'success' }), []);
  });

  it('is the folder or the command that the same command needed', () => {
    const build = 'deploytool build --all';
    assert.deepEqual(
      cure({ ...failed(build, 'no such target: all'), cwd: '/repo' }, { ...worked(build), cwd: '/repo/app' }),
      [{ kind: 'folder', text: 'run it in `app`' }],
    );
    assert.deepEqual(
      cure(failed(build, "module 'left-pad' is missing"), worked('deploytool fetch left-pad'), worked(build)),
      [{ kind: 'first', text: 'run `deploytool fetch <name>` first' }],
    );
  });

  it('is not what code, chance or the objects of another day changed', () => {
    const red = failed('go test ./cart', '--- FAIL: TestTotal (0.00s)\nFAIL');
    assert.deepEqual(cure(red, other('edit', '/repo/cart.go'), worked('go test ./cart')), [], 'a red test');
    const format = failed('cargo fmt --check', 'Diff in src/main.rs:82:');
    assert.deepEqual(cure(format, worked('cargo fmt')), [], 'a check that only reports');
    const net = failed('git fetch origin', 'fatal: unable to access: Could not resolve host: example.com');
    assert.deepEqual(cure(net, worked('git fetch --all origin')), [], 'the world');
    assert.deepEqual(cure(failed('cat a.txt', 'cat: a.txt: No such file'), worked('cat b.txt')), [], 'exploration');
    assert.deepEqual(cure(failed('make it', 'make: busy'), worked('make it')), [], 'chance');
    assert.deepEqual(cure(failed('shipit up', 'no room left'), worked('shipit status')), [], 'another sub-command');
  });

  it('never forces, never raises rights, and never comes from a hidden outcome', () => {
    const refused = failed('shipit push main', 'error: push was rejected');
    assert.deepEqual(cure(refused, worked('shipit push --force main')), []);
    assert.deepEqual(cure(refused, worked('shipit push --no-verify main')), []);
    assert.deepEqual(cure(failed('shipit up', 'permission denied: shipit'), worked('sudo shipit up')), []);
    const locked = failed('shipit up prod', "lock 'shipit.lock' is held");
    for (const first of ['sudo lockctl free shipit.lock', 'lockctl free --force shipit.lock', 'rm -rf ~/ shipit.lock'])
      assert.deepEqual(cure(locked, worked(first), worked('shipit up prod')), [], first);
    const flag = failed('shipit deploy --fast prod', 'unknown flag: --fast');
    assert.deepEqual(cure(flag, { ...worked('shipit deploy --quick prod | cat'), masked: true }), []);
  });
});

describe('the book of cures', () => {
  const base = {
    agent: 'claude-code',
    projectId: 'prj_1',
    failingCallId: 'c1',
    fixingCallId: 'c2',
    kind: 'edit',
  } as const;
  const make = (sessionId: string, text: string, at: string, more: Partial<Cure> = {}): Cure => ({
    ...{ ...base, sessionId, text, at, signatureId: 'sig' },
    ...more,
  });
  const asked = { sessionId: 'now', projectId: 'prj_1', signatureId: 'sig' };
  const find = (...cures: readonly Cure[]) => {
    const book = openCureBook();
    for (const one of cures) book.add(one);
    return book.find(asked);
  };

  it('knows what earlier sessions of the same project got past the same failure with', () => {
    assert.equal(find(make('s1', 'add `-x`', '2026-01-01'))?.text, 'add `-x`');
    assert.equal(find(make('now', 'add `-x`', '2026-01-01')), undefined, 'this session');
    assert.equal(find(make('s1', 'add `-x`', '2026-01-01', { projectId: 'prj_2' })), undefined, 'another project');
    assert.equal(find(make('s1', 'add `-x`', '2026-01-01', { signatureId: 'other' })), undefined, 'another failure');
  });

  it('prefers what worked in most sessions, and tells both where two worked as often', () => {
    const [a, b] = [make('s1', 'add `-x`', '2026-01-01'), make('s2', 'add `-y`', '2026-01-02')];
    assert.equal(find(a, b)?.text, 'add `-y`, or add `-x`');
    const known = find(a, b, make('s3', 'add `-x`', '2026-01-03'));
    assert.deepEqual([known?.text, known?.sessions, known?.lastAt], ['add `-x`', 2, '2026-01-03']);
    assert.equal(find(a, b, make('s2', 'add `-y`', '2026-01-04'))?.sessions, 1, 'twice in one session counts once');
  });
});
