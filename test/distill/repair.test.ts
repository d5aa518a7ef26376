import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../src/base/model/finding.ts';
import { applyEdit, type CommandEdit } from '../../src/base/shell/command-edit.ts';
import type { TemplateStep } from '../../src/base/shell/command-template.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { isRight, joinTemplates, learnTemplate } from '../../src/distill/episodes/learn-template.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { makeLesson, mergeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { repair } from '../../src/distill/propose/repair/repair.ts';
import { lessonSchema } from '../../src/keep/schemas/lesson-schema.ts';
import { toRuns } from '../to-runs.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makeWindow, prompted, type Step, worked } from './session-script.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const ACTIVE = { verdict: 'active', hits: 3, falseAlarms: 0 } as const;

function find(wrong: string, said: string, right: string): Finding {
  const [finding, ...more] = detectWith(repair, failed(wrong, said), worked(right));
  assert.ok(finding !== undefined && more.length === 0, `${wrong} -> ${right}`);
  return finding;
}

function apply({ edit }: Pick<Finding, 'edit'>, line: string, told = ''): string | undefined {
  return edit && applyEdit(edit, line, false, told);
}

/** A pair, another failing command of its kind, and what the lesson makes of it. */
const REPAIRS: readonly (readonly [wrong: string, said: string, right: string, other: string, made: string])[] = [
  ['kot Main.kot', 'no class of this name', 'kot Main', 'kot Other.kot', 'kot Other'],
  ['kotc Main', "file 'Main' has no ending", 'kotc Main.kot', 'kotc Other', 'kotc Other.kot'],
  ['./tool.rb', 'Permission denied', 'ruby tool.rb', './seed.rb', 'ruby seed.rb'],
  [
    'zcopy a.txt out/b.txt',
    'out: no folder',
    'mkdir -p out; zcopy a.txt out/b.txt',
    'zcopy c.md x/y/d.md',
    'mkdir -p x/y; zcopy c.md x/y/d.md',
  ],
  ['lookup www.acme.dev', 'bad name', 'lookup acme.dev', 'lookup www.other.org', 'lookup other.org'],
  ['get acme.dev/x', 'no scheme', 'get https://acme.dev/x', 'get other.dev', 'get https://other.dev'],
  ['vcs ship', 'nothing to ship', 'vcs fetch && vcs ship', 'vcs ship', 'vcs fetch && vcs ship'],
  ['vcs ship web', 'needs a level', 'vcs ship --level 2 web', 'vcs ship api cli', 'vcs ship --level 2 api cli'],
  ['vcs ship web', 'no color here', 'TERM=dumb vcs ship web', 'vcs ship api', 'TERM=dumb vcs ship api'],
  ['svc web-1 start', 'no operation of this name', 'svc start web-1', 'svc api-2 start', 'svc start api-2'],
  [
    'vcs ship --level=2 web',
    'bad option',
    'vcs ship --level 2 web',
    'vcs ship --level=7 api',
    'vcs ship --level 7 api',
  ],
  ['lookup http://acme.dev/', 'no match', 'lookup acme.dev', 'lookup http://other.org/', 'lookup other.org'],
  ['kot vcs ship', 'too many words', 'vcs ship', 'kot vcs ship', 'vcs ship'],
  ['slx', 'not found', 'lsx', 'slx', 'lsx'],
  ['vcs put web 2>&1', 'no such verb', 'vcs send web 2>&1', 'vcs put api 2>&1', 'vcs send api 2>&1'],
];

describe('a repair', () => {
  it('fires on a command of the same form, is silent on its fix, and makes the fix of the other command', () => {
    for (const [wrong, said, right, other, made] of REPAIRS) {
      const finding = find(wrong, said, right);
      assert.deepEqual(
        [wrong, right, other, made].map((line) => speaks(finding, line)),
        [true, false, true, false],
        `${wrong}: ${JSON.stringify(finding.triggers)}`,
      );
      assert.equal(apply(finding, wrong), right);
      assert.equal(apply(finding, other), made);
      assert.equal(apply(finding, `cd src && ${right}`), undefined);
    }
  });

  it('tells the fix in plain words, with letters for the words that differ', () => {
    const { remediation } = find('zcopy a.txt out/b.txt', 'out: no folder', 'mkdir -p out; zcopy a.txt out/b.txt');
    assert.equal(remediation, 'Run `mkdir -p <b up to its last "/">; zcopy <a> <b>` instead of `zcopy <a> <b>`');
    const { remediation: other } = find('kot Main.kot', 'no class of this name', 'kot Main');
    assert.equal(other, 'Run `kot <a without ".kot">` instead of `kot <a>`');
  });

  it('takes a word from the error only where the error is known, and never an option or a program', () => {
    const said = (name: string): string => `no verb of this name. Perhaps you meant '${name}'.`;
    const finding = find('vcs pish', said('push-all'), 'vcs push-all');
    assert.equal(apply(finding, 'vcs pish', said('pass-all')), 'vcs pass-all');
    assert.equal(apply(finding, 'vcs pish'), undefined);
    assert.equal(apply(finding, 'vcs pish', said('--force')), undefined);
    assert.equal(apply(finding, 'vcs pish', said('x;reboot')), 'vcs x');
    assert.equal(apply(finding, 'vcs pish', said('$(reboot)')), undefined);
    const [named] = detectWith(repair, failed('slx', 'Did you mean lsx'), worked('lsx'));
    assert.equal(named && apply(named, 'slx', 'Did you mean reboot'), 'lsx');
  });

  it('never rewrites a call, and puts no second command into a longer line', () => {
    const { edit } = find('zcopy a.txt out/b.txt', 'out: no folder', 'mkdir -p out; zcopy a.txt out/b.txt');
    assert.ok(edit);
    assert.equal(applyEdit(edit, 'zcopy a.txt out/b.txt', true), undefined);
    assert.equal(applyEdit(edit, 'test -f a.txt && zcopy a.txt out/b.txt'), undefined);
    assert.equal(applyEdit(edit, 'zcopy "a b.txt" out/b.txt'), 'mkdir -p out; zcopy "a b.txt" out/b.txt');
    assert.equal(applyEdit(edit, 'zcopy a.txt "out x/b.txt"'), undefined);
  });

  it('waits for a person if the fix forces, deletes or raises rights', () => {
    for (const [wrong, right] of [
      ['mkdev disk', 'sudo mkdev disk'],
      ['vcs ship web', 'vcs ship --force web'],
      ['vcs switch main', 'vcs reset --hard; vcs switch main'],
      ['vcs drop web', 'rm -rf web; vcs drop web'],
    ] as const) {
      const window = makeWindow([failed(wrong, 'not permitted'), worked(right)]);
      const [finding] = detectFindings(window, [repair]);
      assert.ok(finding?.caution, right);
      const { callId, ...call } = { ...window.calls[0], signatureId: finding.signature.id } as never as Record<
        string,
        string
      >;
      const past = [...window.calls, ...['b', 'c'].map((id) => ({ ...call, callId: `${callId}${id}` }) as never)];
      assert.equal(
        gateFinding(finding, past, (triggers, one) => speaks({ triggers }, one.command ?? '')).verdict,
        'draft',
      );
    }
  });

  it('is a draft until the mistake is made again, and nothing once a call of its form worked', () => {
    const { first, again, worked } = judgeAgain('no class Main.kot');
    assert.deepEqual([first, again, worked], ['draft', 'active', 'dropped']);
  });

  it('stays a draft where the error names no word that the fix changes', () => {
    const { first, again, worked } = judgeAgain('no class of this name');
    assert.deepEqual([first, again, worked], ['draft', 'draft', 'dropped']);
  });

  it('is nothing that the user asked for in between', () => {
    const [wrong, right] = [failed('kot Main.kot', 'no class Main.kot'), worked('kot Main')];
    assert.equal(repair.detect(makeWindow([wrong, right])).length, 1);
    assert.deepEqual(repair.detect(makeWindow([wrong, prompted('leave it, run the other one'), right])), []);
  });

  it('is no verdict, search, network failure, question, or another object', () => {
    const pairs: readonly (readonly Step[])[] = [
      [failed('kotc Main', '3 errors'), worked('kotc Main.kot')],
      [failed('get acme.dev', 'connection refused'), worked('get https://acme.dev')],
      [failed('cat src/a.txt', 'No such file or directory'), worked('cat lib/a.txt')],
      [failed('vcs ship web', 'no such thing'), worked('vcs ship --help')],
      [failed('vcs ship web', 'no such thing'), worked('vcs list')],
      [failed('vcs ship web', 'no such thing'), worked('vcs ship lib/api.ts')],
      [failed('vcs pick web', 'it is empty now'), worked('vcs pick --skip')],
      [
        failed('kot Main.kot', 'no class'),
        { tool: 'edit', targetPath: 'Main.kot', outcome: 'success' },
        worked('kot Main'),
      ],
      [failed('kot Main.kot', 'no class'), worked('vcs ship web'), worked('kot Main')],
      [failed('kot Main.kot', 'no class'), worked('ls')],
    ];
    for (const steps of pairs) assert.deepEqual(detectWith(repair, ...steps), [], JSON.stringify(steps));
  });

  it('does not fire on a form that worked in the same session', () => {
    const steps = [worked('vcs ship api'), failed('vcs ship web -x', 'not so'), worked('vcs send web -x')];
    const [finding] = detectWith(repair, ...steps);
    assert.ok(finding);
    assert.deepEqual(
      ['vcs ship api', 'vcs ship web -x', 'vcs send web -x'].map((line) => speaks(finding, line)),
      [false, true, false],
    );
  });
});

describe('two pairs of one repair', () => {
  it('become one lesson with the template that agrees with both', () => {
    const [first, second] = [
      find('vcs link', "no target, 'branch.alpha.merge' is not set", 'vcs track --to origin/alpha'),
      find('vcs link', "no target, 'branch.beta.merge' is not set", 'vcs track --to origin/beta'),
    ];
    const lesson = mergeLesson(
      makeLesson(first, ACTIVE, NOW),
      { ...second, sessionId: 's2', evidence: { ...second.evidence, sessionId: 's2' } },
      NOW,
      ACTIVE,
    );
    assert.equal(lesson.edit?.others, undefined);
    assert.equal(
      apply(lesson, 'vcs link', "no target, 'branch.gamma.merge' is not set"),
      'vcs track --to origin/gamma',
    );
    assert.deepEqual(lessonSchema.parse(lesson), lesson);
  });

  it('stand side by side where no template agrees with both', () => {
    const one = makeLesson(find('vcs ship web', 'not so', 'vcs send web'), ACTIVE, NOW);
    const other = find('vcs ship web', 'not so', 'vcs drop web');
    const lesson = mergeLesson(one, { ...other, sessionId: 's2' }, NOW, ACTIVE);
    assert.equal(
      lesson.edit?.others?.length ?? 0,
      one.triggers === other.triggers ? 1 : (lesson.edit?.others?.length ?? 0),
    );
  });

  it('with different numbers of words treat each word alike', () => {
    const step = (failing: string, fixing: string): TemplateStep | undefined =>
      learnTemplate({ failing, fixing, message: '' })?.step;
    const [a, b] = [step('kotc A', 'kotc A.kot'), step('kotc B C', 'kotc B.kot C.kot')];
    const joined = a && b && joinTemplates(a, b);
    assert.ok(joined);
    assert.ok(isRight(joined, { failing: 'kotc X Y Z', fixing: 'kotc X.kot Y.kot Z.kot', message: '' }));
  });
});

describe('templates, whatever the lines are', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'vcs',
      'ship',
      'a/b.txt',
      'x.kot',
      '-f',
      '--level',
      'www.acme.dev',
      '"a b"',
      '$x',
      "it's",
      'a',
      '..',
    ),
    fc.stringMatching(/^[a-z./=:@-]{1,12}$/),
  );
  const command = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
  const line = fc
    .array(command, { minLength: 1, maxLength: 3 })
    .chain((commands) => fc.constantFrom(...[' && ', '; ', ' | ', ' || '].map((sign) => commands.join(sign))));
  const told = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

  it('make the fixed line of each failing line that they were learned from', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, line, told), { minLength: 1, maxLength: 4 }), (rows) => {
        const pairs = rows.map(([failing, fixing, error]) => ({ failing, fixing, message: error }));
        const learned = pairs.flatMap((pair) => {
          const step = learnTemplate(pair)?.step;
          return step === undefined ? [] : [{ pair, step }];
        });
        for (const one of learned) {
          assert.ok(isRight(one.step, one.pair));
          for (const other of learned) {
            const joined = joinTemplates(one.step, other.step);
            if (joined !== undefined) assert.ok(isRight(joined, one.pair) && isRight(joined, other.pair));
          }
        }
      }),
    );
  });

  it('never throw, and give nothing or a line that parses', () => {
    const text = fc.oneof(line, fc.string(), fc.string({ unit: 'binary' }));
    const cut = fc.record({ at: fc.string(), last: fc.constant(true) }, { requiredKeys: ['at'] });
    const source = fc.oneof(
      fc.string(),
      fc.record(
        { copy: fc.nat(8), after: cut, before: cut, prefix: fc.string(), suffix: fc.string() },
        { requiredKeys: ['copy'] },
      ),
      fc.record({ told: fc.string(), until: fc.string(), prefix: fc.string() }, { requiredKeys: ['told'] }),
    );
    const step = fc.record({
      of: fc.array(fc.oneof(word, fc.record({ ends: fc.string(), many: fc.constant(true) }, { requiredKeys: [] })), {
        maxLength: 5,
      }),
      make: fc.array(fc.array(fc.array(source, { maxLength: 2 }), { maxLength: 5 }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(text, text, text, step, (failing, fixing, error, given) => {
        learnTemplate({ failing, fixing, message: error });
        const edit = { program: '*', steps: [given] } as CommandEdit;
        const made = applyEdit(edit, failing, false, error);
        assert.ok(made === undefined || typeof made === 'string');
      }),
      { numRuns: toRuns(60) },
    );
  });

  it('take time that grows with the length of the line alone', () => {
    const words = Array.from({ length: 23 }, (_, i) => `${'a-b.c/'.repeat(14)}${i}`);
    const [failing, fixing] = [
      ['vcs', ...words].join(' ').slice(0, 990),
      ['vcs', '-x', ...words].join(' ').slice(0, 990),
    ];
    const error = `${'mean a-b '.repeat(40_000)}`;
    const start = performance.now();
    for (let n = 0; n < 5; n++) learnTemplate({ failing, fixing, message: error });
    const edit: CommandEdit = { program: 'x', steps: [{ of: ['x', {}], make: [[['x'], [{ told: 'mean z' }]]] }] };
    for (let n = 0; n < 50; n++) applyEdit(edit, `x ${'y'.repeat(4000)}`, false, error);
    assert.ok(performance.now() - start < 2000);
  });
});

/** What the gate says of a repair at the first mistake, at the second one, and once a call of its form has worked. */
function judgeAgain(message: string): Readonly<Record<'first' | 'again' | 'worked', string>> {
  const window = makeWindow([failed('kot Main.kot', message), worked('kot Main')]);
  const [finding] = repair.detect(window);
  const [failing] = window.calls;
  assert.ok(finding && failing);
  const second = { ...failing, callId: 'again', command: 'kot Other.kot', signatureId: finding.signature.id };
  const other = { ...second, callId: 'other', outcome: 'success' as const };
  const judge = (...more: readonly (typeof second | typeof other)[]): string =>
    gateFinding(finding, [...window.calls, ...more], (triggers, one) => speaks({ triggers }, one.command ?? ''))
      .verdict;
  return { first: judge(), again: judge(second), worked: judge(second, other) };
}
