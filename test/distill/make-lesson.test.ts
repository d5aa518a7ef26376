import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { DEFAULT_WEIGHTS } from '../../src/base/model/settings.ts';
import { doubtLesson } from '../../src/distill/gate/gate-finding.ts';
import { toContentHash, toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
import { makeLesson, mergeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { failed, makeWindow, worked } from './session-script.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const LATER = '2026-02-02T03:04:05.000Z';
const ACTIVE = { verdict: 'active' } as const;

function makeFinding(pr = 12, where: Partial<Finding> = {}): Finding {
  const steps = [failed(`gh pr diff ${pr} --stat`, 'unknown flag: --stat'), worked(`gh pr diff ${pr} --name-only`)];
  const [finding] = correctedCommand.detect(makeWindow(steps));
  assert.ok(finding);
  const sessionId = where.sessionId ?? finding.sessionId;
  return { ...finding, ...where, evidence: { ...finding.evidence, sessionId } };
}

describe('a finding becomes a lesson', () => {
  it('carries its words, evidence, scope and origin', () => {
    const finding = makeFinding();
    const lesson = makeLesson({ ...finding, model: 'm1' }, ACTIVE, NOW);
    assert.match(lesson.id, /^les_/);
    assert.match(lesson.slug, /^gh-pr-diff-stat-[a-z0-9]{4}$/);
    assert.equal(lesson.status, 'active');
    assert.equal(lesson.mode, 'note');
    assert.deepEqual(lesson.scope, { kind: 'project', id: 'prj_1' });
    assert.deepEqual(lesson.origin, { kind: 'episode', by: 'distill/corrected-command@1', trust: 'observed' });
    assert.deepEqual(lesson.evidence, [finding.evidence]);
    assert.deepEqual(lesson.validity.models, ['m1']);
    assert.equal(lesson.signatureId, finding.signature.id);
    assert.equal(lesson.contentHash, toContentHash(lesson));
    assert.equal(lesson.createdAt, NOW);
  });

  it('is at least MEDIUM once active, and LOW as a draft that was seen once', () => {
    const once = makeFinding(1, { signals: ['error-fix-success'] });
    assert.equal(makeLesson(once, ACTIVE, NOW).priority, 4);
    const draft = makeLesson(once, { verdict: 'draft' }, NOW);
    assert.equal(draft.priority, 2);
    assert.equal(draft.status, 'draft');
    assert.equal(draft.confidence, 0.6);
    assert.equal(draft.needsReview, false);
  });

  it('is scored with the weights that are set', () => {
    const weights = {
      priority: { ...DEFAULT_WEIGHTS.priority, base: 8 },
      confidence: { ...DEFAULT_WEIGHTS.confidence, base: 0.1 },
    };
    const lesson = makeLesson(makeFinding(), { verdict: 'draft' }, NOW, weights);
    assert.deepEqual([lesson.priority, lesson.confidence], [8, 0.3]);
    const again = mergeLesson(lesson, makeFinding(7, { sessionId: 's2' }), LATER, ACTIVE, weights);
    assert.deepEqual([again.priority, again.confidence], [10, 0.4]);
  });

  it('is CRITICAL when a user corrected a deployment, and worth more when data was lost', () => {
    const words = {
      summary: 'The user refused `make ship`: "never deploy on Fridays"',
      kind: 'refused-by-user',
    } as const;
    const finding = makeFinding(1, { ...words, signals: ['user-corrected'] });
    assert.equal(makeLesson(finding, { verdict: 'draft' }, NOW).priority, 9);
    const lost = makeFinding(1, { mistake: 'it lost all changes', signals: [] });
    assert.equal(makeLesson(lost, { verdict: 'draft' }, NOW).priority, 3);
  });

  it('says who reported it', () => {
    const finding = makeFinding(1, { origin: 'self-report', signals: ['self-reported'] });
    assert.deepEqual(makeLesson(finding, ACTIVE, NOW).origin, {
      ...{ kind: 'self-report', by: 'distill/corrected-command@1', trust: 'observed' },
    });
    assert.equal(makeLesson(makeFinding(1, { origin: 'user' }), ACTIVE, NOW).origin.trust, 'stated');
    assert.equal(makeLesson(makeFinding(1, { origin: 'import' }), ACTIVE, NOW).origin.trust, 'foreign');
  });

  it('needs a review when little speaks for it', () => {
    assert.equal(makeLesson(makeFinding(1, { signals: [] }), ACTIVE, NOW).needsReview, true);
  });
});

describe('the same mistake seen again', () => {
  const first = makeLesson(makeFinding(12), ACTIVE, NOW);

  it('has the same merge key whatever the numbers were, and another one for another mistake', () => {
    const key = toMergeKey(first, first.scope.id);
    assert.equal(toMergeKey(makeFinding(7), 'prj_1'), key);
    assert.equal(toMergeKey(makeFinding(7), 'prj_2'), key);
    assert.notEqual(toMergeKey({ ...first, triggers: { tools: ['shell'] } }, 'prj_1'), key);
  });

  it('keeps what depends on a project apart', () => {
    const missing = { ...first, tags: ['tool:go', 'topic:missing-program'] };
    assert.notEqual(toMergeKey(missing, 'prj_1'), toMergeKey(missing, 'prj_2'));
  });

  it('does not depend on the order of keys', () => {
    const triggers = {
      programs: [{ sub: ['pr', 'diff'], args: { any: ['--stat'] }, name: 'gh' }],
      tools: ['shell' as const],
    };
    assert.equal(toMergeKey({ triggers, tags: first.tags }, 'prj_1'), toMergeKey(first, 'prj_1'));
    assert.equal(toContentHash({ ...first, triggers }), first.contentHash);
  });

  it('adds evidence and counts, and raises priority and confidence for another session', () => {
    const merged = mergeLesson(first, makeFinding(7, { sessionId: 'session-2' }), LATER);
    assert.equal(merged.id, first.id);
    assert.deepEqual([merged.occurrences, merged.sessions, merged.projects], [2, 2, 1]);
    assert.equal(merged.evidence.length, 2);
    assert.equal(merged.priority, 6);
    assert.equal(merged.confidence, 0.7);
    assert.equal(merged.remediation, first.remediation);
    assert.deepEqual([merged.createdAt, merged.updatedAt], [NOW, LATER]);
  });

  it('forgets only the calls that worked before it: with enough later ones it stays a draft', () => {
    const [day, seen] = ['2026-03-01T00:00:00.000Z', makeFinding(7, { sessionId: 'session-2' })];
    const refutedBy = ['2025-01-01T00:00:00.000Z a', `${day} b`, `${day} c`];
    const draft = { ...first, status: 'draft' as const, validity: { ...first.validity, refutedBy } };
    const older = mergeLesson(draft, seen, LATER, ACTIVE);
    assert.deepEqual([older.status, older.validity.refutedBy], ['draft', [`${day} b`, `${day} c`]]);
    const newer = { ...seen, evidence: { ...seen.evidence, at: '2026-04-01T00:00:00.000Z' } };
    const again = mergeLesson(draft, newer, LATER, ACTIVE);
    assert.deepEqual([again.status, again.validity.refutedBy], ['active', undefined]);
  });

  it('counts a session once', () => {
    const again = mergeLesson(first, makeFinding(7), LATER);
    assert.deepEqual([again.occurrences, again.sessions], [2, 1]);
  });

  it('speaks to every project once seen in two', () => {
    const merged = mergeLesson(first, makeFinding(7, { sessionId: 'session-2', projectId: 'prj_2' }), LATER);
    assert.deepEqual(merged.scope, { kind: 'user' });
    assert.equal(merged.projects, 2);
    assert.equal(merged.confidence, 0.8);
  });

  it('is the very lesson when the same pair of calls is told twice', () => {
    assert.equal(mergeLesson(first, makeFinding(12), LATER), first);
  });

  it('never overwrites what a person reviewed, but for evidence and counts', () => {
    const reviewed = { ...first, reviewedBy: 'ada', priority: 2, confidence: 0.9, summary: 'mine' };
    const merged = mergeLesson(reviewed, makeFinding(7, { sessionId: 's2', projectId: 'prj_2' }), LATER, ACTIVE);
    assert.deepEqual(
      [merged.summary, merged.priority, merged.confidence, merged.scope],
      ['mine', 2, 0.9, { kind: 'project', id: 'prj_1' }],
    );
    assert.equal(merged.occurrences, 2);
  });

  it('turns a draft active when its trigger passes by now, and keeps what measurement did to confidence', () => {
    const draft = { ...makeLesson(makeFinding(12), { verdict: 'draft' }, NOW), confidence: 0.3 };
    const merged = mergeLesson(draft, makeFinding(7, { sessionId: 's2' }), LATER, ACTIVE);
    assert.equal(merged.status, 'active');
    assert.equal(merged.confidence, 0.4);
    assert.equal(merged.needsReview, true);
    assert.equal(mergeLesson(draft, makeFinding(7), LATER).status, 'draft');
  });

  it('keeps ten pieces of evidence at most, of as many sessions as it can', () => {
    let lesson = first;
    for (let i = 0; i < 14; i++) lesson = mergeLesson(lesson, makeFinding(i + 200, { sessionId: `s${i % 9}` }), LATER);
    assert.equal(lesson.evidence.length, 10);
    assert.equal(new Set(lesson.evidence.map((one) => one.sessionId)).size, 10);
    assert.deepEqual([lesson.occurrences, lesson.sessions], [15, 10]);
  });

  it('becomes CRITICAL when it happened twice after the lesson was there', () => {
    const later = (minute: number) => {
      const finding = makeFinding(minute, { sessionId: 's2' });
      const at = `2026-01-03T00:${minute}:00.000Z`;
      return { ...finding, evidence: { ...finding.evidence, at, excerpt: `${minute}` } };
    };
    const once = mergeLesson(first, later(10), LATER, ACTIVE);
    assert.ok(once.priority < 9);
    assert.equal(mergeLesson(once, later(20), LATER, ACTIVE).priority, 9);
    const draft = { ...first, status: 'draft' as const };
    assert.ok(mergeLesson(mergeLesson(draft, later(10), LATER), later(20), LATER).priority < 9);
  });
});

describe('what calls have shown of a lesson', () => {
  const GATE = { verdict: 'active', hits: 4, falseAlarms: 1 } as const;
  const replacement = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
  const first = makeLesson(makeFinding(12, { isSuggested: true }), GATE, NOW);
  const again = (fields: Partial<Finding> = {}) => makeFinding(7, { sessionId: 's2', ...fields });

  it('is how its trigger did in the past, and the word that was the whole difference', () => {
    assert.deepEqual([first.tested, first.replacement], [{ hits: 4, falseAlarms: 1 }, replacement]);
    assert.equal(makeLesson(makeFinding(), ACTIVE, NOW).tested, undefined);
  });

  it('is counted anew when the mistake is seen again, unless a person made another trigger of it', () => {
    const gate = { ...GATE, hits: 5 };
    assert.deepEqual(mergeLesson(first, again(), LATER, gate).tested, { hits: 5, falseAlarms: 1 });
    const edited = { ...first, triggers: { programs: [{ name: 'gh' }] }, reviewedBy: 'user:ann' };
    assert.deepEqual(mergeLesson(edited, again(), LATER, gate).tested, { hits: 4, falseAlarms: 1 });
  });

  it('is doubted when the trigger, tried anew, was wrong more often than right', () => {
    const bad = { verdict: 'draft', hits: 2, falseAlarms: 48 } as const;
    const doubted = mergeLesson(first, again(), LATER, bad);
    assert.deepEqual([first.status, doubted.status, doubted.needsReview], ['active', 'draft', true]);
    assert.equal(mergeLesson(first, again(), LATER, { ...bad, falseAlarms: 2 }).status, 'active');
    assert.equal(mergeLesson({ ...first, reviewedBy: 'user:ann' }, again(), LATER, bad).status, 'active');
    assert.equal(doubtLesson(first, again(), bad, LATER)?.status, 'draft');
    const other = { triggers: { programs: [{ name: 'gh' }] } };
    assert.equal(doubtLesson(first, other, bad, LATER), undefined, 'another trigger was tried');
  });

  it('is a replacement when the program named the other word, or the same one was seen twice', () => {
    const once = makeLesson(makeFinding(12), GATE, NOW);
    assert.equal(once.replacement, undefined);
    const twice = mergeLesson(once, again(), LATER, GATE);
    assert.deepEqual(twice.replacement, replacement);
    const other = again({ replacement: { ...replacement, to: '--patch' } });
    assert.equal(mergeLesson(once, other, LATER, GATE).replacement, undefined);
    const reviewed = { ...once, reviewedBy: 'user:ann' };
    assert.equal(mergeLesson(reviewed, again(), LATER, GATE).replacement, undefined, 'a person took it away');
  });

  it('is no replacement any more when another word worked', () => {
    assert.deepEqual(mergeLesson(first, again(), LATER, GATE).replacement, replacement);
    const other = again({ replacement: { ...replacement, to: '--patch' } });
    assert.equal(mergeLesson(first, other, LATER, GATE).replacement, undefined);
  });

  it('corrects nothing while it is held back for a person', () => {
    const held = (fields: Partial<Finding>) => makeLesson(makeFinding(1, { isSuggested: true, ...fields }), GATE, NOW);
    assert.equal(held({ caution: 'dangerous' }).replacement, undefined);
    assert.equal(held({ trust: 'foreign' }).replacement, undefined);
  });
});
