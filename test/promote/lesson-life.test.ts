import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { editLesson, type LessonPatch } from '../../src/promote/edit-lesson.ts';
import {
  approveLesson,
  archiveLesson,
  rejectLesson,
  restoreLesson,
  reviveLesson,
  toArchived,
} from '../../src/promote/lesson-states.ts';
import { mergeLessons } from '../../src/promote/merge-lessons.ts';
import { isRefused, type Transition } from '../../src/promote/transition.ts';
import { listOpenChanges, undoChange } from '../../src/promote/undo-change.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { ACT, openLife } from './open-life.ts';

const toSameId = (id: string) => id;
const LEARNED = { origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' } } as const;
const learned = (fields: Partial<Lesson> = {}): Lesson => makeTestLesson({ ...LEARNED, slug: 'learned', ...fields });
const hash = ({ mistake, remediation, triggers }: Pick<Lesson, 'mistake' | 'remediation' | 'triggers'>): string =>
  `sha256:${JSON.stringify([mistake, remediation, triggers])}`;
const edit = (lesson: Lesson, patch: LessonPatch): Transition => editLesson(lesson, patch, ACT, hash);
const approve = (lesson: Lesson): Transition => approveLesson(lesson, ACT, 0.5);

function get(transition: Transition): Lesson {
  return isRefused(transition) ? assert.fail(`refused: ${transition.refused}`) : transition.lesson;
}

function assertRefused(transition: object, why: RegExp): void {
  assert.ok(isRefused(transition), 'it was not refused');
  assert.match(transition.refused, why);
  assert.notEqual(transition.next, '');
}

describe('approving', () => {
  it('makes a draft active with enough weight to fire, and records who did it', () => {
    const draft = learned({
      status: 'draft',
      needsReview: true,
      confidence: 0.3,
      priority: 2,
      provisional: [{ agent: 'claude-code', sessionId: 's', until: ACT.at }],
      validity: { models: ['m'], agentVersions: [], refutedBy: ['c1'] },
    });
    const { status, needsReview, confidence, priority, reviewedBy, provisional, validity, updatedAt } = get(
      approve(draft),
    );
    assert.deepEqual([status, needsReview, confidence, priority], ['active', false, 0.75, 4]);
    assert.deepEqual([reviewedBy, updatedAt, provisional], [ACT.by, ACT.at, undefined]);
    assert.deepEqual(validity, { models: ['m'], agentVersions: [] });
  });

  it('ends the review of an active lesson, and confirms one that nobody reviewed', () => {
    assert.equal(get(approve(learned({ needsReview: true, reviewedBy: 'user:bob' }))).reviewedBy, ACT.by);
    assert.equal(get(approve(learned())).reviewedBy, ACT.by);
  });

  it('is refused for an archived lesson, and for one that was reviewed and is fine', () => {
    assertRefused(approve(learned({ status: 'archived' })), /is archived/);
    assertRefused(approve(learned({ reviewedBy: 'user:bob' })), /user:bob has reviewed it/);
  });

  it('respects a threshold that is higher than usual', () => {
    assert.equal(get(approveLesson(learned({ status: 'draft' }), ACT, 0.9)).confidence, 0.9);
  });
});

describe('rejecting', () => {
  it('archives with the reason and the reviewer, whatever the status was', () => {
    for (const status of ['draft', 'active'] as const) {
      const rejected = get(rejectLesson(learned({ status, needsReview: true }), { ...ACT, reason: 'not so' }));
      assert.deepEqual(rejected.archival, { cause: 'rejected', reason: 'not so', from: status });
      assert.deepEqual(
        [rejected.status, rejected.needsReview, rejected.reviewedBy],
        ['archived', false, ACT.by],
        'nobody has to look at it again',
      );
    }
  });

  it('also works for lessons archived by age, and only once', () => {
    const old = toArchived(learned({ status: 'draft' }), { cause: 'expired', reason: 'old' }, ACT.at);
    const rejected = get(rejectLesson(old, ACT));
    assert.deepEqual(rejected.archival, { cause: 'rejected', reason: 'rejected', from: 'draft' });
    assertRefused(rejectLesson(rejected, ACT), /rejected already/);
  });
});

describe('archiving and restoring', () => {
  it('restore the earlier status, with the person as its reviewer', () => {
    for (const status of ['draft', 'active'] as const) {
      const lesson = learned({ status });
      const archived = get(archiveLesson(lesson, { ...ACT, reason: 'later' }));
      assert.deepEqual(archived.archival, { cause: 'archived', reason: 'later', from: status });
      const { reviewedBy, updatedAt: _, ...restored } = get(restoreLesson(archived, ACT));
      const { updatedAt: __, ...before } = lesson;
      assert.deepEqual([restored, reviewedBy], [before, ACT.by]);
    }
  });

  it('are refused if they change nothing', () => {
    assertRefused(archiveLesson(get(archiveLesson(learned(), ACT)), ACT), /archived already/);
    assertRefused(restoreLesson(learned(), ACT), /not archived but active/);
    assertRefused(restoreLesson(learned({ status: 'draft' }), ACT), /not archived but draft/);
  });

  it('do not restore a lesson of a session that has ended', () => {
    const over = learned({ status: 'archived', scope: { kind: 'session', id: 's1' } });
    assertRefused(restoreLesson(over, ACT), /one session only/);
    const widened = get(edit(over, { scope: { kind: 'user' } }));
    assert.equal(get(restoreLesson(widened, ACT)).status, 'draft', 'it never said what it had been');
  });

  it('forget the lesson that replaced it', () => {
    const into = learned({ id: 'les_into' });
    const merged = mergeLessons(into, [learned({ id: 'les_from' })], ACT, toSameId);
    const [gone] = isRefused(merged) ? assert.fail() : merged.from;
    assert.ok(gone);
    assert.equal(get(restoreLesson(gone, ACT)).validity.supersededBy, undefined);
  });

  it('happen automatically to lessons archived by age, if the mistake is seen again, and to no others', () => {
    const aside = (cause: 'expired' | 'unused', fields: Partial<Lesson> = {}): Lesson =>
      toArchived(learned(fields), { cause, reason: 'old' }, ACT.at);
    assert.deepEqual(
      [reviveLesson(aside('unused')), reviveLesson(aside('expired'))].map(({ status }) => status),
      ['draft', 'draft'],
      'it proves itself anew',
    );
    assert.equal(reviveLesson(aside('unused', { reviewedBy: 'user:bob' })).status, 'active');
    for (const cause of ['rejected', 'archived', 'superseded', 'over'] as const) {
      const kept = toArchived(learned(), { cause, reason: 'x' }, ACT.at);
      assert.equal(reviveLesson(kept), kept, cause);
    }
  });
});

describe('editing', () => {
  it('changes the given fields, makes the words the person’s, and recognizes the lesson by its old form', () => {
    const lesson = learned({ body: { risk: 'r' } });
    const edited = get(edit(lesson, { summary: 'better', triggers: { tools: ['web'] }, priority: 9, mode: 'pause' }));
    assert.deepEqual([edited.summary, edited.priority, edited.mode], ['better', 9, 'pause']);
    assert.deepEqual([edited.reviewedBy, edited.updatedAt], [ACT.by, ACT.at]);
    assert.equal(edited.body, undefined, 'the parts said the old words');
    const { triggers, tags, scope, remediation } = lesson;
    assert.deepEqual(edited.learnedAs, [{ triggers, tags, scope, remediation }]);
    assert.equal(edited.contentHash, hash(edited));
  });

  it('keeps the learned form, however often it is edited', () => {
    let lesson = learned();
    const { triggers } = lesson;
    for (let i = 0; i < 20; i++) lesson = get(edit(lesson, { tags: [`n:${i}`] }));
    assert.equal(lesson.learnedAs?.length, 10);
    assert.deepEqual(lesson.learnedAs?.[0]?.tags, ['tool:gh']);
    assert.deepEqual(lesson.learnedAs?.[0]?.triggers, triggers);
  });

  it('does not approve: a draft stays one', () => {
    const { status, needsReview } = get(edit(learned({ status: 'draft', needsReview: true }), { priority: 8 }));
    assert.deepEqual([status, needsReview], ['draft', true]);
  });

  it('sets and removes the limits in time', () => {
    const [from, until] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
    const limited = get(edit(learned(), { validFrom: from, validUntil: until }));
    assert.deepEqual(limited.validity, { models: [], agentVersions: [], from, until });
    assert.deepEqual(get(edit(limited, { validFrom: null })).validity, { models: [], agentVersions: [], until });
    assertRefused(edit(limited, { validUntil: from }), /never be valid/);
  });

  it('is refused if nothing would change, whatever the order of keys', () => {
    const lesson = learned();
    const [program] = lesson.triggers.programs ?? [];
    const same = { programs: [{ args: program?.args ?? {}, sub: program?.sub ?? [], name: 'gh' }], tools: ['shell'] };
    assertRefused(edit(lesson, { triggers: same as Lesson['triggers'] }), /would not change/);
    assertRefused(edit(lesson, {}), /would not change/);
  });
});

describe('merging', () => {
  const seen = (id: string, sessionId: string, fields: Partial<Lesson> = {}): Lesson =>
    learned({
      id,
      slug: id,
      evidence: [{ agent: 'claude-code', sessionId, at: `2026-01-0${sessionId.slice(1)}T00:00:00.000Z` }],
      ...fields,
    });

  it('joins evidence, counts and tags, and archives the others with the name of the one that stays', () => {
    const into = seen('les_a', 's1', { occurrences: 3, sessions: 2, tags: ['a'], lastMatchedAt: '2026-01-01' });
    const from = [
      seen('les_b', 's1', { occurrences: 2, tags: ['b'], priority: 8, lastMatchedAt: '2026-01-09' }),
      seen('les_c', 's2', { confidence: 0.9 }),
    ];
    const merged = mergeLessons(into, from, ACT, toSameId);
    assert.ok(!isRefused(merged));
    const { occurrences, sessions, tags, priority, confidence, evidence, summary, lastMatchedAt } = merged.into;
    assert.deepEqual([occurrences, sessions, tags], [6, 3, ['a', 'b', 'tool:gh']]);
    assert.deepEqual([priority, confidence, lastMatchedAt], [8, 0.9, '2026-01-09']);
    assert.deepEqual(
      evidence.map((one) => one.sessionId),
      ['s1', 's2'],
      'the same evidence counts once',
    );
    assert.deepEqual([summary, merged.into.reviewedBy], [into.summary, ACT.by]);
    for (const gone of merged.from) {
      assert.deepEqual([gone.status, gone.archival?.cause], ['archived', 'superseded']);
      assert.equal(gone.validity.supersededBy, 'les_a');
    }
  });

  it('fires wherever one of them did', () => {
    const of = (scope: Lesson['scope'], other: Lesson['scope'], toProjectId = toSameId): Lesson['scope'] => {
      const merged = mergeLessons(learned({ id: 'a', scope }), [learned({ id: 'b', scope: other })], ACT, toProjectId);
      return isRefused(merged) ? assert.fail() : merged.into.scope;
    };
    const [one, two] = [
      { kind: 'project', id: 'prj_1' },
      { kind: 'project', id: 'prj_2' },
    ] as const;
    assert.deepEqual(of(one, one), one);
    assert.deepEqual(of(one, two), { kind: 'user' });
    assert.deepEqual(of({ kind: 'user' }, two), { kind: 'user' });
    assert.deepEqual(of(one, { kind: 'session', id: 's' }), one);
    assert.deepEqual(of({ kind: 'session', id: 's' }, one), one);
    assert.deepEqual(
      of(one, two, () => 'prj_3'),
      one,
      'joined ids are one project',
    );
  });

  it('keeps at most ten pieces of evidence, from as many sessions as possible', () => {
    const many = Array.from({ length: 9 }, (_, i) => seen(`les_${i}`, `s${i + 1}`));
    const twice = many.map((one) => ({ ...one, evidence: one.evidence.flatMap((e) => [e, { ...e, excerpt: 'x' }]) }));
    const merged = mergeLessons(twice[0] ?? assert.fail(), twice.slice(1), ACT, toSameId);
    assert.ok(!isRefused(merged));
    assert.equal(merged.into.evidence.length, 10);
    assert.equal(new Set(merged.into.evidence.map((one) => one.sessionId)).size, 9);
  });

  it('is refused into an archived lesson, into itself, and for a superseded one', () => {
    const a = seen('les_a', 's1');
    const b = seen('les_b', 's2');
    assertRefused(mergeLessons({ ...a, status: 'archived' }, [b], ACT, toSameId), /les_a is archived/);
    assertRefused(mergeLessons(a, [a], ACT, toSameId), /into itself/);
    const merged = mergeLessons(a, [b], ACT, toSameId);
    assertRefused(mergeLessons(a, isRefused(merged) ? [] : merged.from, ACT, toSameId), /superseded already/);
  });
});

function withoutTimes({ updatedAt: _, lastMatchedAt: __, ...rest }: Lesson): object {
  return rest;
}

const COMMANDS: Readonly<Record<string, (lesson: Lesson, n: number) => Transition>> = {
  approve,
  reject: (lesson) => rejectLesson(lesson, ACT),
  archive: (lesson) => archiveLesson(lesson, ACT),
  restore: (lesson) => restoreLesson(lesson, ACT),
  words: (lesson, n) => edit(lesson, { summary: `summary ${n}` }),
  triggers: (lesson, n) => edit(lesson, { triggers: { programs: [{ name: `p${n}` }] } }),
  limits: (lesson, n) => edit(lesson, n % 2 ? { validFrom: null, tags: [`${n}`] } : { validFrom: `2026-01-0${n}` }),
  merge: (lesson, n) => {
    const merged = mergeLessons(lesson, [learned({ id: `les_${n}`, occurrences: n })], ACT, toSameId);
    return isRefused(merged) ? merged : { lesson: merged.into };
  },
  supersede: (lesson, n) => {
    const merged = mergeLessons(learned({ id: `les_${n}` }), [lesson], ACT, toSameId);
    return isRefused(merged) ? merged : { lesson: merged.from[0] ?? lesson };
  },
};

const anyLife = fc.record({
  status: fc.constantFrom('draft' as const, 'active' as const),
  steps: fc.array(fc.tuple(fc.constantFrom(...Object.keys(COMMANDS)), fc.integer({ min: 1, max: 9 })), {
    maxLength: 12,
  }),
});

function live(life: ReturnType<typeof openLife>, steps: readonly (readonly [string, number])[]): number {
  let done = 0;
  for (const [name, n] of steps) {
    const after = COMMANDS[name]?.(life.now(), n) ?? assert.fail();
    if (isRefused(after)) continue;
    life.save(after.lesson, ACT.by, name);
    done++;
  }
  return done;
}

describe('undoing', () => {
  it('gives the original back after as many undos as there were commands, and all of them after as many redos', () => {
    fc.assert(
      fc.property(anyLife, ({ status, steps }) => {
        const first = learned({ status, id: 'les_own' });
        const life = openLife(first);
        const done = live(life, steps);
        const last = life.now();
        for (let i = 0; i < done; i++) assert.ok(life.take('undo'));
        assert.deepEqual(withoutTimes(life.now()), withoutTimes(first));
        assert.equal(life.take('undo'), false, 'nothing is left to undo');
        for (let i = 0; i < done; i++) assert.ok(life.take('redo'));
        assert.deepEqual(withoutTimes(life.now()), withoutTimes(last));
      }),
    );
  });

  it('keeps later changes of others, and ignores counts that grew', () => {
    const life = openLife(learned({ status: 'draft', id: 'les_own' }));
    life.save(get(approve(life.now())), ACT.by, 'approved');
    life.save({ ...life.now(), occurrences: 7, confidence: 0.8 }, 'distill/x@1', 'seen again');
    assert.ok(life.take('undo'));
    const { status, occurrences, confidence } = life.now();
    assert.deepEqual([status, occurrences, confidence], ['draft', 7, 0.8]);
  });

  it('reverts an automatic change that silenced a lesson', () => {
    const life = openLife(learned());
    life.save({ ...life.now(), status: 'draft' }, 'promote/refute-lesson', 'a call like it worked');
    assert.ok(life.take('undo'));
    assert.equal(life.now().status, 'active');
  });

  it('archives a lesson that was just written, because nothing is ever deleted', () => {
    const lesson = learned();
    const change = { id: 'hst_1', lessonId: lesson.id, by: ACT.by, reason: 'written', at: '', after: lesson };
    const undone = undoChange(lesson, change, ACT);
    assert.ok(!isRefused(undone));
    assert.equal(undone.lesson.status, 'archived');
  });

  it('is refused if everything was changed again, and for a session that has ended', () => {
    const lesson = learned({ id: 'les_own' });
    const change = { id: 'hst_1', lessonId: lesson.id, by: ACT.by, reason: 'edited', at: '' };
    const [before, after] = [lesson, { ...lesson, priority: 9 }];
    assertRefused(undoChange({ ...lesson, priority: 3 }, { ...change, before, after }, ACT), /changed again later/);
    const over = toArchived(lesson, { cause: 'over', reason: 'ended' }, ACT.at);
    assertRefused(undoChange(over, { ...change, before, after: over }, ACT), /one session only/);
  });

  it('is not misled by a reason that looks like an undo', () => {
    const life = openLife(learned({ status: 'draft' }));
    life.save(get(approve(life.now())), ACT.by, 'approved: undo of hst_0: no');
    assert.equal(listOpenChanges(life.history, 'undo').length, 1);
  });
});

describe('setting the mode', () => {
  const replacement = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
  const proven = learned({ tested: { hits: 5, falseAlarms: 0 }, replacement });

  it('records the person, also if the mode stays the same, because then it is intended', () => {
    const { mode, modeBy, reviewedBy } = get(edit(learned(), { mode: 'pause' }));
    assert.deepEqual([mode, modeBy, reviewedBy], ['pause', ACT.by, ACT.by]);
    assert.equal(get(edit(learned(), { mode: 'note' })).modeBy, ACT.by);
    assertRefused(edit(get(edit(learned(), { mode: 'note' })), { mode: 'note' }), /would not change/);
    assert.equal(get(edit(learned(), { priority: 9 })).modeBy, undefined);
  });

  it('keeps results of calls, until the trigger or the fix changes', () => {
    const { tested, replacement: kept } = get(edit(proven, { mode: 'rewrite', priority: 9 }));
    assert.deepEqual([tested, kept], [proven.tested, replacement]);
    const fixed = get(edit(proven, { remediation: 'use git' }));
    assert.deepEqual([fixed.tested, fixed.replacement], [proven.tested, undefined]);
    const moved = get(edit(proven, { triggers: { programs: [{ name: 'git' }] } }));
    assert.deepEqual([moved.tested, moved.replacement], [undefined, undefined]);
  });
});
