import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { isInScope, isWithinScope } from '../../src/base/model/lesson-scope.ts';
import { findSilence, type Silence } from '../../src/base/model/may-fire.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-02-01T00:00:00.000Z';
const EARLIER = '2026-01-31T00:00:00.000Z';
const LATER = '2026-02-02T00:00:00.000Z';
const HERE = { projectId: 'prj_new', sessionId: 's1' };
const PROJECT = { kind: 'project', id: 'prj_old' } as const;
const toProjectId = (id: string): string => (id === 'prj_old' ? 'prj_new' : id);
const FOREIGN = { kind: 'import', by: 'repository', trust: 'foreign' } as const;

type Facts = Omit<Parameters<typeof findSilence>[1], 'at' | 'settings'>;

const ask = (fields: Partial<Lesson>, facts: Facts = {}, settings: Partial<typeof DEFAULT_SETTINGS> = {}) =>
  findSilence(makeTestLesson(fields), {
    ...{ at: AT, settings: { ...DEFAULT_SETTINGS, ...settings }, place: HERE, toProjectId },
    ...facts,
  });
const valid = (more: object): Lesson['validity'] => ({ models: [], agentVersions: [], ...more });
const taught = (sessionId: string, until = LATER) => [{ agent: 'claude-code', sessionId, until }];

describe('a lesson', () => {
  it('fires if nothing silences it', () => {
    assert.equal(ask({}), undefined);
    assert.equal(ask({ scope: PROJECT }), undefined);
    assert.equal(ask({ scope: { kind: 'session', id: 's1' } }), undefined);
    assert.equal(ask({}, { holds: true, weight: { total: 0.7, level: 'MEDIUM' } }), undefined);
    assert.equal(ask({ priority: 9, confidence: 0.1 }), undefined, 'a person vouches for it');
  });

  it('fires as a draft, for a while, in the sessions that taught it', () => {
    const draft = { status: 'draft', priority: 2 } as const;
    assert.equal(ask({ ...draft, provisional: taught('s1') }, {}, { minPriority: 4 }), undefined);
    assert.equal(ask({ ...draft, provisional: taught('s1', AT) }), 'draft');
    assert.equal(ask({ ...draft, provisional: taught('s2') }), 'draft');
  });

  const rows: readonly (readonly [Silence, Partial<Lesson>, Facts?, Partial<typeof DEFAULT_SETTINGS>?])[] = [
    ['archived', { status: 'archived' }],
    ['draft', { status: 'draft' }],
    ['in review', { needsReview: true }],
    ['not valid yet', { validity: valid({ from: LATER }) }],
    ['no longer valid', { validity: valid({ from: EARLIER, until: AT }) }],
    ['low priority', { priority: 3 }, {}, { minPriority: 4 }],
    ['low priority', { priority: 10, origin: FOREIGN }, {}, { minPriority: 9 }],
    ['low confidence', { confidence: 0.4 }],
    ['low confidence', { priority: 10, confidence: 0.4, origin: FOREIGN }],
    ['another project', { scope: { kind: 'project', id: 'prj_other' } }],
    ['another session', { scope: { kind: 'session', id: 's2' } }],
    ['covered', {}, { notIn: ['prj_new'] }],
    ['covered', {}, { notIn: ['s1'] }],
    ['trigger', {}, { holds: false }],
    ['low score', {}, { weight: { total: 0.69, level: 'HIGH' } }],
    ['paused', {}, { switches: { pauses: [{ what: 'all', from: EARLIER }], mutes: [] } }],
    ['muted', { id: 'les_1' }, { switches: { pauses: [], mutes: [{ lessonId: 'les_1' }] } }],
    ['told before', {}, { isShownBefore: true }],
  ];
  for (const [silence, fields, facts, settings] of rows)
    it(`is silent because of: ${silence} ${JSON.stringify([fields, facts])}`, () =>
      assert.equal(ask(fields, facts, settings), silence));
});

describe('the scope of a lesson', () => {
  it('includes every id of a joined project', () => {
    for (const projectId of ['prj_old', 'prj_new']) assert.ok(isInScope(PROJECT, { projectId }, toProjectId));
    assert.ok(!isInScope(PROJECT, { projectId: 'prj_other' }, toProjectId));
    assert.ok(!isInScope(PROJECT, {}, toProjectId));
    assert.ok(isInScope({ kind: 'team' }, {}, toProjectId));
  });

  it('is within a wider one, and within the same project under another id', () => {
    const renamed = { kind: 'project', id: 'prj_new' } as const;
    assert.ok(isWithinScope(PROJECT, renamed, toProjectId));
    assert.ok(isWithinScope(PROJECT, { kind: 'user' }, toProjectId));
    assert.ok(!isWithinScope({ kind: 'user' }, PROJECT, toProjectId));
    assert.ok(!isWithinScope({ kind: 'session', id: 's1' }, PROJECT, toProjectId));
  });
});
