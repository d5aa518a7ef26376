import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FailureCell, PlaceCount, Recurrence, SignatureForm } from '../../src/base/statistics/failures.ts';
import { toCategory } from '../../src/base/text/failure-category.ts';
import { toLineSignature } from '../../src/base/text/signature.ts';
import { findPatterns } from '../../src/distill/patterns/find-patterns.ts';
import type { Pattern, PatternKind } from '../../src/distill/patterns/pattern.ts';
import type { PatternKnowledge } from '../../src/distill/patterns/pattern-context.ts';

const NOW = '2026-06-30T12:00:00.000Z';
const day = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString();

const toForm = (program: string, line: string): SignatureForm => {
  const signature = toLineSignature(program, line);
  return { ...signature, category: toCategory(signature) };
};
const FLAG = toForm('gh', 'unknown flag: --stat');
const RED = toForm('go', '--- FAIL: TestPay (0.00s)');

const makeCell = (fields: Partial<FailureCell> = {}): FailureCell => ({
  agent: 'claude-code',
  sessionId: 's1',
  contextId: '',
  projectId: 'prj_shop',
  tool: 'shell',
  ...{ isHook: false, count: 1, masked: 0, objects: 1, object: 'x' },
  first: fields.last ?? day(20),
  last: day(20),
  ...fields,
});
const inSessions = (n: number, fields: Partial<FailureCell>): FailureCell[] =>
  Array.from({ length: n }, (_, i) => makeCell({ sessionId: `s${i}`, ...fields }));
const makePlace = (fields: Partial<PlaceCount>): PlaceCount => ({
  kind: 'intent',
  projectId: 'prj_shop',
  key: 'shell gh pr',
  calls: 3,
  failures: 3,
  ...fields,
});

const KNOWN: PatternKnowledge = {
  now: NOW,
  lessons: [],
  projects: new Map([['prj_shop', { name: 'shop', roots: ['/w/shop'] }]]),
  isTracked: (tool) => tool !== 'other',
};
const find = (parts: Partial<Recurrence>, known: Partial<PatternKnowledge> = {}): readonly Pattern[] =>
  findPatterns(
    { cells: [], isCut: false, signatures: [FLAG, RED], places: [], settled: [], ...parts },
    { ...KNOWN, ...known },
  );
const kinds = (patterns: readonly Pattern[]): readonly PatternKind[] => patterns.map(({ kind }) => kind);

describe('a repeated failure', () => {
  it('is the same failure in two sessions, with how often, where and when', () => {
    const [pattern, ...others] = find({
      cells: [
        makeCell({ signatureId: FLAG.id, count: 2, first: day(3), last: day(5) }),
        makeCell({ signatureId: FLAG.id, sessionId: 's2', projectId: 'prj_b', last: day(25) }),
      ],
    });
    assert.deepEqual(others, []);
    const { score, recency, ...told } = pattern ?? assert.fail();
    assert.deepEqual(told, {
      kind: 'repeated-failure',
      what: 'gh: unknown flag: --stat',
      summary: 'gh: unknown flag: --stat (3 times in 2 sessions of 2 projects)',
      category: 'wrong_usage',
      frequency: 3,
      sessions: 2,
      tasks: 2,
      projects: ['prj_b', 'prj_shop'],
      first: day(3),
      last: day(25),
      signatureIds: [FLAG.id],
      lessons: [],
    });
    assert.ok(recency > 0.8 && recency < 1 && score > 1 && score < 3);
  });

  it('is the same failure in three tasks of one session', () => {
    const inTasks = (n: number) =>
      Array.from({ length: n }, (_, i) => makeCell({ signatureId: FLAG.id, contextId: `sub${i}` }));
    assert.deepEqual(find({ cells: inTasks(2) }), []);
    assert.match(find({ cells: inTasks(3) })[0]?.summary ?? '', /3 times in 3 tasks of 1 session/);
  });

  it('is not a red-green cycle in one session, however long', () => {
    const cells = [makeCell({ signatureId: RED.id, count: 40, intentKey: 'check test' })];
    const places = [makePlace({ key: 'check test', calls: 41, failures: 40 })];
    assert.deepEqual(find({ cells, places }), []);
  });

  it('is found over near-duplicates, each of which came once', () => {
    const signatures = ['alpha', 'beta', 'gamma'].map((name) =>
      toForm('deploy', `cannot reach the shard of ${name} in this zone`),
    );
    const cells = signatures.map(({ id }, i) => makeCell({ signatureId: id, sessionId: `s${i}` }));
    const patterns = find({ cells, signatures });
    assert.deepEqual(
      patterns.map(({ frequency, signatureIds }) => [frequency, signatureIds.length]),
      [[3, 3]],
    );
    assert.equal(patterns[0]?.what, 'deploy: cannot reach the shard of … in this zone');
  });

  it('of a check is one, whoever ran the check; of a command it is not', () => {
    const lint = 'pay.go:3:1: Error return value is not checked (errcheck)';
    const signatures = [toForm('make', lint), toForm('golangci-lint', lint)];
    const cells = signatures.map(({ id }, i) => makeCell({ signatureId: id, sessionId: `s${i}` }));
    assert.equal(find({ cells, signatures }).length, 1);
    const others = [toForm('gh', 'unknown flag: --x'), toForm('glab', 'unknown flag: --x')];
    const apart = others.map(({ id }, i) => makeCell({ signatureId: id, sessionId: `s${i}` }));
    assert.deepEqual(find({ cells: apart, signatures: others }), []);
  });

  it('is not one of hooks, which are not calls of the agent', () => {
    assert.deepEqual(find({ cells: inSessions(4, { signatureId: FLAG.id, isHook: true }) }), []);
  });

  it('is not one that only says that something failed', () => {
    const signatures = [toForm('go', 'exit status 2'), toForm('make', '14 issues:')];
    const cells = signatures.flatMap(({ id }) => inSessions(4, { signatureId: id }));
    assert.deepEqual(find({ cells, signatures }), []);
  });

  it('names the lessons that are about it, but none that is archived', () => {
    const cells = inSessions(2, { signatureId: FLAG.id });
    const about = { signatureId: FLAG.id, status: 'active' } as const;
    const lessons = [
      { ...about, id: 'les_1', slug: 'b', status: 'draft' },
      { ...about, id: 'les_2', slug: 'a' },
      { ...about, id: 'les_3', slug: 'old', status: 'archived' },
      { ...about, id: 'les_4', slug: 'other', signatureId: RED.id },
    ] as const;
    assert.deepEqual(find({ cells }, { lessons })[0]?.lessons, [
      { id: 'les_2', slug: 'a', status: 'active' },
      { id: 'les_1', slug: 'b', status: 'draft' },
    ]);
  });
});

describe('what always breaks', () => {
  const cells = inSessions(3, { intentKey: 'shell gh pr' });

  it('is a command whose every call failed, also without a word', () => {
    const [pattern] = find({ cells, places: [makePlace({})] });
    assert.equal(pattern?.kind, 'always-breaks');
    assert.equal(pattern.summary, 'gh pr in shop failed every time, 3 of 3, in 3 sessions');
    assert.deepEqual([pattern.frequency, pattern.outOf], [3, 3]);
  });

  it('is a file that no call ever reached', () => {
    const path = '/w/shop/docs/plan.md';
    const reads = inSessions(3, { tool: 'read', targetPath: path });
    const [pattern, ...others] = find({ cells: reads, places: [makePlace({ kind: 'path', key: path })] });
    assert.deepEqual([pattern?.kind, pattern?.what, others], ['always-breaks', 'read docs/plan.md in shop', []]);
  });

  it('is not what worked once in a while, nor in a line that did several things', () => {
    assert.deepEqual(find({ cells, places: [makePlace({ calls: 4 })] }), []);
    const settled = [{ projectId: 'prj_shop', key: 'shell gh pr', at: day(21) }];
    assert.deepEqual(find({ cells, places: [makePlace({})], settled }), []);
    const before = [{ projectId: 'prj_shop', key: 'shell gh pr', at: day(1) }];
    assert.equal(find({ cells, places: [makePlace({})], settled: before }).length, 1);
  });

  it('is no tool of which only failures are captured', () => {
    const of = inSessions(3, { tool: 'other', intentKey: 'other Skill' });
    assert.deepEqual(find({ cells: of, places: [makePlace({ key: 'other Skill' })] }), []);
    const on = inSessions(3, { tool: 'other', targetPath: '/w/shop/a' });
    assert.deepEqual(find({ cells: on, places: [makePlace({ kind: 'path', key: '/w/shop/a' })] }), []);
  });

  it('is said once when it always breaks in the same way', () => {
    const same = inSessions(3, { intentKey: 'shell gh pr', signatureId: FLAG.id });
    assert.deepEqual(kinds(find({ cells: same, places: [makePlace({})] })), ['always-breaks']);
  });
});

describe('a breaking file', () => {
  it('is one whose checks fail every second time after an edit', () => {
    const path = '/w/shop/src/pay.go';
    const cells = inSessions(3, { editedPath: path, signatureId: RED.id, intentKey: 'check test' });
    const places = [makePlace({ kind: 'edited', key: path, calls: 5 })];
    const pattern = find({ cells, places }).find(({ kind }) => kind === 'breaking-file');
    assert.equal(pattern?.summary, 'checks after an edit of src/pay.go in shop failed 3 of 5 times, in 3 sessions');
    assert.deepEqual(kinds(find({ cells, places: [makePlace({ kind: 'edited', key: path, calls: 7 })] })), [
      'repeated-failure',
    ]);
  });

  it('may be the files of a folder, when it is not one of them alone', () => {
    const toCells = (names: readonly string[]) =>
      names.map((name, i) => makeCell({ tool: 'edit', sessionId: `s${i}`, targetPath: `/w/shop/sql/${name}` }));
    const places = [makePlace({ kind: 'folder', key: '/w/shop/sql/', calls: 5 })];
    assert.equal(find({ cells: toCells(['1', '2', '3']), places })[0]?.what, 'edit sql/* in shop');
    assert.deepEqual(find({ cells: toCells(['1', '1', '2']), places }), []);
  });
});

describe('a category that dominates', () => {
  const of = (category: string, count: number, fields: Partial<FailureCell> = {}) => {
    const id = `sig_${category}`;
    const signature = { ...FLAG, id, template: `<*> ${category}`, program: 'x', category };
    return { signature, cells: ['a', 'b'].map((s) => makeCell({ sessionId: s, signatureId: id, count, ...fields })) };
  };
  const findDominant = (...all: ReturnType<typeof of>[]) =>
    find({ signatures: all.map((one) => one.signature), cells: all.flatMap((one) => one.cells) }).filter(
      ({ kind }) => kind === 'dominant-category',
    );

  it('is 70 % of ten or more failures of a project', () => {
    const [pattern] = findDominant(of('lint_error', 7), of('timeout', 3));
    assert.equal(pattern?.summary, '14 of 20 failures in shop are of the category lint_error, in 2 sessions');
    assert.deepEqual(findDominant(of('lint_error', 6), of('timeout', 3)), []);
    assert.deepEqual(findDominant(of('lint_error', 4)), [], 'too few');
    assert.deepEqual(findDominant(of('other', 20)), [], 'says nothing');
  });

  it('is said once when it is so everywhere', () => {
    const one = of('lint_error', 10);
    const two = of('lint_error', 10, { projectId: 'prj_b' });
    const patterns = find({ signatures: [one.signature], cells: [...one.cells, ...two.cells] });
    assert.deepEqual(
      patterns.filter(({ kind }) => kind === 'dominant-category').map(({ what }) => what),
      ['lint_error in all projects'],
    );
  });
});

describe('patterns', () => {
  it('come by how often, in how many sessions, and how long ago', () => {
    const forms = ['long ago', 'often in one', 'in many', 'lately'].map((line) => toForm('x', `no ${line} thing here`));
    const [longAgo, often, many, lately] = forms.map(({ id }) => id);
    const cells = [
      ...inSessions(8, { signatureId: longAgo ?? '', last: '2025-06-01T00:00:00.000Z' }),
      ...inSessions(2, { signatureId: often ?? '', count: 4 }),
      ...inSessions(8, { signatureId: many ?? '' }),
      ...inSessions(2, { signatureId: lately ?? '', last: day(30) }),
    ];
    assert.deepEqual(
      find({ cells, signatures: forms }).map(({ what }) => what.replace(/x: no (.*) thing here/, '$1')),
      ['in many', 'often in one', 'lately', 'long ago'],
    );
  });

  const forms = [FLAG, RED, toForm('ls', 'ls: a: No such file or directory'), toForm('go', 'a.go:1:2: undefined: x')];
  const cellOf = fc.record({
    agent: fc.constantFrom('claude-code', 'codex'),
    sessionId: fc.constantFrom('s1', 's2', 's3'),
    contextId: fc.constantFrom('', 'sub'),
    projectId: fc.constantFrom('prj_shop', 'prj_b'),
    tool: fc.constantFrom('shell', 'read', 'other'),
    signatureId: fc.constantFrom(...forms.map(({ id }) => id)),
    intentKey: fc.constantFrom('shell gh pr', 'check test'),
    targetPath: fc.constantFrom('/w/shop/a', '/w/shop/b'),
    count: fc.integer({ min: 1, max: 9 }),
    isHook: fc.constant(false),
    masked: fc.constant(0),
    objects: fc.constant(1),
    object: fc.constant('x'),
    first: fc.constant(day(1)),
    last: fc.integer({ min: 1, max: 29 }).map(day),
  });
  const placeOf = fc.record({
    kind: fc.constantFrom('intent', 'path', 'folder', 'edited' as const),
    projectId: fc.constantFrom('prj_shop', 'prj_b'),
    key: fc.constantFrom('shell gh pr', '/w/shop/a', '/w/shop/'),
    calls: fc.integer({ min: 3, max: 6 }),
    failures: fc.constant(3),
  });
  const distinct = fc.uniqueArray(placeOf, { selector: ({ kind, projectId, key }) => `${kind} ${projectId} ${key}` });

  it('do not depend on the order of rows', () => {
    const shuffled = fc.tuple(fc.array(cellOf), distinct).chain(([cells, places]) =>
      fc.tuple(
        fc.constant({ cells, places, signatures: forms }),
        fc.record({
          cells: fc.shuffledSubarray(cells, { minLength: cells.length }),
          places: fc.shuffledSubarray(places, { minLength: places.length }),
          signatures: fc.shuffledSubarray(forms, { minLength: forms.length }),
        }),
      ),
    );
    fc.assert(fc.property(shuffled, ([one, other]) => assert.deepEqual(find(one), find(other))));
  });

  it('add up: no failure is in two repeated ones, and none is made up', () => {
    fc.assert(
      fc.property(fc.array(cellOf), (cells) => {
        const patterns = find({ cells, signatures: forms }).filter(({ kind }) => kind === 'repeated-failure');
        const ids = patterns.flatMap(({ signatureIds }) => signatureIds);
        assert.equal(new Set(ids).size, ids.length);
        const all = cells.filter(({ signatureId }) => ids.includes(signatureId ?? ''));
        const told = patterns.reduce((sum, { frequency }) => sum + frequency, 0);
        assert.equal(
          told,
          all.reduce((sum, { count }) => sum + count, 0),
        );
        for (const { first, last, sessions, tasks, frequency, recency } of patterns) {
          assert.ok(first <= last && sessions <= tasks && tasks <= frequency && recency > 0 && recency <= 1);
          assert.ok(sessions >= 2 || tasks >= 3);
        }
      }),
    );
  });
});
