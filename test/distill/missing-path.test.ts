import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/finding.ts';
import { missingPath } from '../../src/distill/detectors/missing-path.ts';
import { gateFinding, type PastCall } from '../../src/distill/lesson/gate-lesson.ts';
import { makeLesson } from '../../src/distill/lesson/make-lesson.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, type Step } from './session-script.ts';

const inRepo = (step: Step): Step => ({ ...step, cwd: '/repo' });
const look = (command: string, output: string): Step => inRepo(failed(command, output));

describe('missing-path', () => {
  it('tells a path that a program which only shows things did not find', () => {
    for (const step of [
      look('ls -l docs/plan.md', 'ls: docs/plan.md: No such file or directory'),
      look('ls docs/plan.md', "ls: cannot access 'docs/plan.md': No such file or directory"),
      look('cat ./docs/plan.md', 'cat: ./docs/plan.md: No such file or directory'),
      look('head -5 docs/plan.md', "head: cannot open 'docs/plan.md' for reading: No such file or directory"),
      look("sed -n '1,80p' docs/plan.md", "sed: can't read docs/plan.md: No such file or directory"),
      look('wc -l docs/plan.md', 'wc: docs/plan.md: open: No such file or directory'),
    ]) {
      const [finding] = detectWith(missingPath, step);
      assert.ok(finding, step.command);
      assert.equal(finding.summary, '`docs/plan.md` was looked for here before, more than once, and was not there');
      assert.ok(speaks(finding, step.command ?? ''), step.command);
      assert.ok(speaks(finding, 'cat docs/plan.md'));
    }
  });

  it('speaks of this path only, and not where its absence is provided for', () => {
    const [finding] = detectWith(missingPath, look('ls docs', 'ls: docs: No such file or directory'));
    assert.ok(finding);
    assert.ok(speaks(finding, 'ls -la ./docs/'));
    for (const harmless of [
      'ls docs/guide',
      'ls other/docs',
      'ls docs.md',
      'ls docs 2>/dev/null',
      'ls docs || echo none',
      'cd other && ls docs',
      '[ -d docs ] && ls docs',
      'mkdir docs',
      'grep -rn docs src',
    ])
      assert.ok(!speaks(finding, harmless), harmless);
  });

  it('says nothing of what is outside the project, typed as a pattern, or looked for from elsewhere', () => {
    for (const step of [
      look('cat /tmp/out.log', 'cat: /tmp/out.log: No such file or directory'),
      look('ls ../other', 'ls: ../other: No such file or directory'),
      look('ls ~/.config/x', 'ls: ~/.config/x: No such file or directory'),
      look('ls $DIR/x', 'ls: /x: No such file or directory'),
      look('cd api && ls docs', 'ls: docs: No such file or directory'),
      look('ls docs || ls doc', 'ls: docs: No such file or directory'),
      look('cp docs/a b', 'cp: docs/a: No such file or directory'),
      look('node main.js docs', 'ls: docs: No such file or directory'),
      look('cat notes', 'cat: notes: Permission denied'),
    ])
      assert.deepEqual(detectWith(missingPath, step), [], step.command);
  });
});

describe('the back-test of what nothing mended', () => {
  const [finding] = detectWith(missingPath, look('ls docs', 'ls: docs: No such file or directory')) as [Finding];
  const holds = (triggers: Finding['triggers'], command: string): boolean => speaks({ triggers }, command);
  const own: PastCall = {
    callId: finding.failingCallId,
    command: 'ls docs',
    outcome: 'failure',
    signatureId: finding.signature.id,
  };
  const before: PastCall = { ...own, callId: 'earlier', command: 'ls -la docs' };

  it('drops what failed once: looking is no mistake', () => {
    assert.equal(gateFinding(finding, [own], holds).verdict, 'dropped');
    assert.equal(gateFinding(finding, [own, { ...before, signatureId: 'sig1_other' }], holds).verdict, 'dropped');
  });

  it('lets pass what failed before, too', () => {
    const gate = gateFinding(finding, [before, own], holds);
    assert.deepEqual([gate.verdict, gate.hits, gate.falseAlarms], ['active', 2, 0]);
    const lesson = makeLesson(finding, gate, '2026-01-01T10:00:00.000Z');
    assert.deepEqual([lesson.status, lesson.type, lesson.confidence >= 0.5], ['active', 'warning', true]);
  });

  it('drops what was there meanwhile', () => {
    const found: PastCall = { ...before, callId: 'found', outcome: 'success' };
    assert.equal(gateFinding(finding, [before, found, own], holds).verdict, 'dropped');
  });
});
