import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { missingPath } from '../../src/distill/propose/paths/missing-path.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, other, type Step, worked } from './session-script.ts';

const inRepo = (step: Step): Step => ({ ...step, cwd: '/repo' });
const here = (command: string) => ({ command, cwd: '/repo' });
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
      assert.ok(speaks(finding, here(step.command ?? '')), step.command);
      assert.ok(speaks(finding, here('cat docs/plan.md')));
      assert.ok(speaks(finding, here('pwd; ls -la && cat docs/plan.md | head -5')));
    }
  });

  it('speaks of this path only, and not where its absence is provided for', () => {
    const [finding] = detectWith(missingPath, look('ls docs', 'ls: docs: No such file or directory'));
    assert.ok(finding);
    assert.ok(speaks(finding, here('ls -la ./docs/')));
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
      assert.ok(!speaks(finding, here(harmless)), harmless);
  });

  it('is silent where the path is made first', () => {
    const [finding] = detectWith(missingPath, look('cat docs/plan.md', 'cat: docs/plan.md: No such file or directory'));
    assert.ok(finding);
    for (const made of [
      'cat > docs/plan.md <<EOF\na\nEOF',
      'cat a > docs/plan.md',
      'cat a >> "docs/plan.md"',
      'touch docs/plan.md && cat docs/plan.md',
      'npm run docs && cat docs/plan.md',
      'cp a docs/plan.md; cat docs/plan.md',
      'echo a > docs/plan.md; cat docs/plan.md',
      'cat a | tee docs/plan.md',
    ])
      assert.ok(!speaks(finding, here(made)), made);
    const known = ['/repo/docs/plan.md'];
    assert.ok(!speaks(finding, { ...here('cat docs/plan.md'), known }), 'it was written or read in this session');
  });

  it('speaks in the folder that it was looked for in, and in no other', () => {
    const missed: Step = {
      ...look('cat docs/plan.md', 'cat: docs/plan.md: No such file or directory'),
      cwd: '/w/repo/sub',
    };
    const [alone] = detectWith(missingPath, missed);
    const [below] = detectWith(missingPath, { ...worked('git status'), cwd: '/w/repo' }, missed);
    for (const finding of [alone, below]) {
      assert.ok(finding);
      assert.ok(speaks(finding, { command: 'cat docs/plan.md', cwd: '/elsewhere/repo/sub' }));
      for (const cwd of ['/w/repo', '/w/repo/sub/deeper'])
        assert.ok(!speaks(finding, { command: 'cat docs/plan.md', cwd }), cwd);
    }
    assert.ok(below && !speaks(below, { command: 'cat docs/plan.md', cwd: '/w/repo/packages/sub' }));
    const { cwd: _, ...nowhere } = missed;
    assert.deepEqual(detectWith(missingPath, nowhere), [], 'nobody knows where');
  });

  it('says nothing of what the session made, read or removed, and of what is only asked for', () => {
    const missed = look('ls dist', 'ls: dist: No such file or directory');
    assert.equal(detectWith(missingPath, missed).length, 1);
    for (const before of [
      'rm -rf dist',
      'rm -rf dist/',
      'git clean -fdx',
      'make clean',
      'mv dist old',
      'npm run clean',
    ])
      assert.deepEqual(detectWith(missingPath, inRepo(worked(before)), missed), [], before);
    assert.deepEqual(detectWith(missingPath, look('rm -rf dist; ls dist', 'ls: dist: No such file or directory')), []);
    for (const later of [
      worked('mkdir dist'),
      worked('ls dist'),
      worked('tar -xf a.tgz > dist'),
      other('write', '/repo/dist'),
    ])
      assert.deepEqual(detectWith(missingPath, missed, inRepo(later)), [], later.command);
    assert.equal(detectWith(missingPath, missed, inRepo(worked('grep -rn dist src'))).length, 1, 'a word, no path');
    for (const asked of [
      look('ls dist build out', 'ls: dist: No such file or directory'),
      look('ls dist; echo "exit $?"', 'ls: dist: No such file or directory'),
      look('stat dist', 'stat: dist: stat: No such file or directory'),
      look('cat run.lock', 'cat: run.lock: No such file or directory'),
      look('cat app.pid', 'cat: app.pid: No such file or directory'),
    ])
      assert.deepEqual(detectWith(missingPath, asked), [], asked.command);
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
  const own = makePast({
    callId: finding.failingCallId,
    command: 'ls docs',
    cwd: '/repo',
    outcome: 'failure',
    signatureId: finding.signature.id,
  });
  const before: PastCall = { ...own, callId: 'earlier', command: 'ls -la docs' };

  it('drops what failed once: looking is no mistake', () => {
    assert.equal(gateFinding(finding, [own], holdsInPast).verdict, 'dropped');
    assert.equal(gateFinding(finding, [own, { ...before, signatureId: 'sig1_other' }], holdsInPast).verdict, 'dropped');
  });

  it('lets pass what failed before, too', () => {
    const gate = gateFinding(finding, [before, own], holdsInPast);
    assert.deepEqual([gate.verdict, gate.hits, gate.falseAlarms], ['active', 2, 0]);
    const lesson = makeLesson(finding, gate, '2026-01-01T10:00:00.000Z');
    assert.deepEqual([lesson.status, lesson.type, lesson.confidence >= 0.5], ['active', 'warning', true]);
  });

  it('drops what any tool has read or written, wherever', () => {
    const proofs: readonly Partial<PastCall>[] = [
      { tool: 'write', targetPath: '/elsewhere/repo/docs' },
      { tool: 'read', targetPath: 'docs' },
      { command: 'mkdir -p docs' },
      { command: 'git checkout topic -- docs' },
      { command: 'date > docs' },
    ];
    for (const proof of proofs) {
      const call = makePast({ callId: 'proof', cwd: '/repo', ...proof });
      assert.equal(gateFinding(finding, [before, own, call], holdsInPast).verdict, 'dropped', JSON.stringify(proof));
    }
    for (const command of ['git log -- docs', 'echo docs', 'grep docs a.md', 'ls docs || true', 'mkdir other/x-docs']) {
      const call = makePast({ callId: 'other', cwd: '/repo', command });
      assert.equal(gateFinding(finding, [before, own, call], holdsInPast).verdict, 'active', command);
    }
  });

  it('drops what failed once also where the guard holds it back: a call shows it, not only words', () => {
    for (const held of [
      { ...finding, trust: 'foreign' as const },
      { ...finding, caution: 'it sends data' },
    ]) {
      assert.equal(gateFinding(held, [own], holdsInPast).verdict, 'dropped');
      assert.equal(gateFinding(held, [before, own], holdsInPast).verdict, 'draft');
    }
  });

  it('drops what was there meanwhile', () => {
    const found: PastCall = { ...before, callId: 'found', outcome: 'success' };
    assert.equal(gateFinding(finding, [before, found, own], holdsInPast).verdict, 'dropped');
  });
});
