import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { claimPause, dropClaims, hasPaused, toCallShape } from '../../src/match/claims.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';

const PAUSE = { agent: 'claude-code', sessionId: 'one', lessonId: 'les_1', shape: 'gh pr diff --stat' };

describe('claiming the right to pause a call', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-pause-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('succeeds once per lesson, shape of call and session', () => {
    assert.equal(hasPaused(root, PAUSE), false);
    assert.equal(claimPause(root, PAUSE), 'made');
    assert.equal(hasPaused(root, PAUSE), true);
    assert.equal(claimPause(root, PAUSE), 'taken');
    for (const other of [{ shape: 'gh pr diff' }, { sessionId: 'two' }, { lessonId: 'les_2' }, { agent: 'codex' }])
      assert.equal(claimPause(root, { ...PAUSE, ...other }), 'made');
  });

  it('lasts when the agent forgets: also after clear and compaction', () => {
    claimPause(root, PAUSE);
    dropClaims(root, { ...PAUSE, contextId: '' }, 0);
    assert.equal(claimPause(root, PAUSE), 'taken');
  });

  it('is impossible, not taken, if nothing can be written', () => {
    writeFileSync(join(root, 'file'), '');
    for (const dir of [join(root, 'file'), join(root, 'file', 'claims'), '\0'])
      assert.equal(claimPause(dir, PAUSE), 'impossible');
  });

  it('stays inside its folder whatever comes from outside', () => {
    for (const id of ['../../x', '/etc/x', 'a\0b', 'x'.repeat(5000)])
      assert.equal(claimPause(join(root, 'claims'), { agent: id, sessionId: id, lessonId: id, shape: id }), 'made');
    assert.deepEqual(readdirSync(root), ['claims']);
  });
});

describe('the shape of a call', () => {
  const GH = { programs: [{ name: 'gh', sub: ['pr', 'diff'] }] };
  const shape = (line: string, triggers: Parameters<typeof toCallShape>[1] = GH) =>
    toCallShape(makeShellCall(line), triggers);

  it('is program, sub-command and option names; values and the rest of the line do not matter', () => {
    const first = shape('gh pr diff 12 --stat --repo=a/b');
    for (const line of [
      'gh pr diff 13 --stat --repo=c/d',
      'cd x && gh pr diff --repo=x --stat 12 | head -5',
      'gh pr diff 12 --stat --stat=3 --repo=a',
    ])
      assert.equal(shape(line), first, line);
    for (const line of ['gh pr diff 12 --stat', 'gh pr view 12 --stat --repo=a', 'gh pr diff 12 --stat --repo=a -w'])
      assert.notEqual(shape(line), first, line);
  });

  it('takes a number joined to an option for its value', () => {
    const HEAD = { programs: [{ name: 'head' }] };
    assert.equal(shape('head -n5 a.txt', HEAD), shape('head -n20 b.txt', HEAD));
  });

  it('is the tool and the file if no command runs', () => {
    const edit = (path: string) => toCallShape(makeCallView({ tool: 'edit', path }), {});
    assert.equal(edit('/a.ts'), edit('/a.ts'));
    assert.notEqual(edit('/a.ts'), edit('/b.ts'));
    assert.notEqual(edit('/a.ts'), toCallShape(makeCallView({ tool: 'write', path: '/a.ts' }), {}));
  });
});
