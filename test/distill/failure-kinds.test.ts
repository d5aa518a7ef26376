import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FailureCell, SignatureForm } from '../../src/base/statistics/failures.ts';
import { toCategory } from '../../src/base/text/failure-category.ts';
import { toLineSignature } from '../../src/base/text/signature.ts';
import { listFailureKinds } from '../../src/distill/patterns/failure-kinds.ts';

const day = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString();

const toForm = (program: string, line: string): SignatureForm => {
  const signature = toLineSignature(program, line);
  return { ...signature, category: toCategory(signature) };
};
const FLAG = toForm('gh', 'unknown flag: --stat');

const makeCell = (fields: Partial<FailureCell> = {}): FailureCell => ({
  ...{ agent: 'claude-code', sessionId: 's1', contextId: '', projectId: 'prj_shop', tool: 'shell' },
  ...{ isHook: false, count: 1, masked: 0, objects: 1, object: 'x', first: day(20), last: day(20) },
  ...fields,
});
const list = (cells: readonly FailureCell[], signatures: readonly SignatureForm[] = [FLAG]) =>
  listFailureKinds({ cells, signatures, isCut: false });

describe('the list of failures', () => {
  it('tells how often, where and when each kind happened', () => {
    const [kind, ...others] = list([
      makeCell({
        signatureId: FLAG.id,
        count: 3,
        masked: 1,
        model: 'opus',
        first: day(3),
        last: day(5),
        message: 'unknown flag: --x',
      }),
      makeCell({ signatureId: FLAG.id, sessionId: 's2', contextId: 'sub', first: day(7), last: day(9) }),
      makeCell({ signatureId: FLAG.id, sessionId: 's3', projectId: 'prj_b', message: 'unknown flag: --y' }),
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual(kind, {
      signature: FLAG.id,
      signatureIds: [FLAG.id],
      ...{ program: 'gh', template: FLAG.template, message: 'unknown flag: --x' },
      ...{ category: 'wrong_usage', class: 'command' },
      ...{ times: 5, count: 4, masked: 1, laterRepeats: 1, isHook: false },
      ...{ sessions: 3, tasks: 3, projects: 2, projectIds: ['prj_b', 'prj_shop'], first: day(3), last: day(20) },
      agents: ['claude-code'],
      models: ['opus'],
      shares: { projects: { prj_shop: 4, prj_b: 1 }, agents: { 'claude-code': 5 }, models: { opus: 3 } },
      days: [
        { day: day(5).slice(0, 10), count: 3 },
        { day: day(9).slice(0, 10), count: 1 },
        { day: day(20).slice(0, 10), count: 1 },
      ],
    });
  });

  it('has the kinds first that later sessions repeated most, however often one session failed', () => {
    const [once, often] = [toForm('a', 'unknown flag: --a'), toForm('b', 'unknown flag: --b')];
    const cells = [
      makeCell({ signatureId: once.id, count: 40 }),
      makeCell({ signatureId: often.id }),
      makeCell({ signatureId: often.id, sessionId: 's2' }),
    ];
    assert.deepEqual(
      list(cells, [once, often]).map(({ program, laterRepeats }) => [program, laterRepeats]),
      [
        ['b', 1],
        ['a', 0],
      ],
    );
  });

  it('counts a message that differs in a value as the same kind', () => {
    const forms = ['alpha', 'beta', 'gamma'].map((name) =>
      toForm('deploy', `cannot reach the shard of ${name} in this zone`),
    );
    const [kind, ...others] = list(
      forms.map(({ id }, n) => makeCell({ signatureId: id, sessionId: `s${n}` })),
      forms,
    );
    assert.equal(others.length, 0);
    assert.deepEqual([kind?.times, kind?.sessions, kind?.laterRepeats, kind?.signatureIds.length], [3, 3, 2, 3]);
    assert.equal(kind?.signature, kind?.signatureIds[0]);
  });

  it('keeps runs of hooks and failures without a message apart', () => {
    const kinds = list([
      makeCell({ signatureId: FLAG.id }),
      makeCell({ signatureId: FLAG.id, isHook: true }),
      makeCell({ program: 'a' }),
      makeCell({ program: 'b' }),
      makeCell({ tool: 'edit' }),
    ]);
    assert.deepEqual(kinds.map(({ program, isHook, class: of }) => `${program} ${isHook} ${of}`).sort(), [
      'a false status',
      'b false status',
      'edit false status',
      'gh false command',
      'gh true undefined',
    ]);
  });

  it('falls back to the template once the text is removed', () => {
    assert.equal(list([makeCell({ signatureId: FLAG.id })])[0]?.message, FLAG.template);
  });
});

describe('the class of a kind of failure', () => {
  const judge = (program: string, message: string, fields: Partial<FailureCell> = {}) => {
    const form = toForm(program, message);
    return list([makeCell({ signatureId: form.id, message, ...fields })], [form])[0]?.class;
  };

  for (const [expected, program, message] of [
    ['command', 'gh', 'unknown flag: --stat'],
    ['command', 'pytest', 'error: unrecognized arguments: --fast'],
    ['command', 'pytest', 'Command timed out after 120 seconds'],
    ['verdict', 'go', '--- FAIL: TestPay (0.00s)'],
    ['verdict', 'npx', "src/cart.ts(10,22): error TS2304: Cannot find name 'Voucher'."],
    ['world', 'curl', 'curl: (6) Could not resolve host: example.org'],
    ['world', 'ssh', 'ssh: Could not resolve hostname build.example.org: Name or service not known'],
    ['command', 'gh', "GraphQL: Could not resolve to a Repository with the name 'acme/shpo'."],
    ['world', 'git', "fatal: Unable to create '/w/.git/index.lock': File exists."],
    ['status', 'git', 'CONFLICT (content): Merge conflict in src/cart.ts'],
    ['command', 'git', 'error: Your local changes to the following files would be overwritten by merge:'],
    ['command', 'rm', "rm: cannot remove '/w/.git/index.lock': No such file or directory"],
    ['edit-text', 'edit', 'String to replace not found in file.'],
    ['harness', 'edit', 'File has not been read yet. Read it first before writing to it.'],
    ['status', 'deploy', 'exit status 2'],
    ['verdict', 'make', 'exit status 2'],
    ['exploration', 'cat', 'cat: notes.md: No such file or directory'],
  ] as const)
    it(`is ${expected}: ${program}: ${message}`, () => assert.equal(judge(program, message), expected));

  it('is a verdict when all that ran was a check, unless the check was called in a wrong way', () => {
    const check = { intentKey: 'check test' };
    assert.equal(judge('npx', "TypeError: Cannot read properties of undefined (reading 'a')", check), 'verdict');
    assert.equal(judge('npx', "TypeError: Cannot read properties of undefined (reading 'a')"), 'command');
    assert.equal(judge('npx', 'CACError: Unknown option `--runInBand`', check), 'command');
  });

  it('is exploration when another path is missing each time', () => {
    const missing = 'cat: notes.md: No such file or directory';
    const cells = (objects: readonly string[]) => {
      const form = toForm('cat', missing);
      return list(
        objects.map((object, n) => makeCell({ signatureId: form.id, object, sessionId: `s${n}` })),
        [form],
      )[0]?.class;
    };
    assert.equal(cells(['a', 'b', 'c']), 'exploration');
    assert.equal(cells(['a', 'a', 'a']), 'command');
    assert.equal(cells(['a', 'a', 'b', 'b']), 'command');
    assert.equal(judge('cat', missing, { count: 3, objects: 3 }), 'exploration');
    assert.equal(judge('cat', missing, { count: 4, objects: 1 }), 'command');
  });
});
