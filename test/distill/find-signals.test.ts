import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { detectFindings, findSignals, isTelling } from '../../src/distill/detect-findings.ts';
import { failed, makeWindow, other, prompted, type Step, said, type Words, worked } from './session-script.ts';

const FLAG = 'unknown flag: --stat';
const WRONG = failed('gh pr diff 12 --stat', FLAG);
const RIGHT = worked('gh pr diff 12');

/** Of the first finding, as all detectors together tell it. */
function signalsOf(...script: readonly (Step | Words)[]): readonly string[] {
  const [finding] = detectFindings(makeWindow(script));
  assert.ok(finding);
  return finding.signals;
}

describe('find-signals', () => {
  it('adds nothing to a plain pair', () => {
    assert.deepEqual(signalsOf(WRONG, RIGHT), ['error-fix-success', 'fix-confirmed']);
  });

  it('hears the agent name what was wrong, between the mistake and the fix', () => {
    const signals = signalsOf(WRONG, said('The issue is that `gh pr diff` has no `--stat`.'), RIGHT);
    assert.ok(signals.includes('self-diagnosis') && signals.includes('causal-words'));
  });

  it('hears it in the sentence that follows', () => {
    const signals = signalsOf(WRONG, said('I found the root cause: --stat belongs to git, not to gh.'), RIGHT);
    assert.ok(signals.includes('self-diagnosis'));
  });

  it('hears a lesson stated right after the fix', () => {
    const signals = signalsOf(WRONG, RIGHT, said('Lesson learned: gh pr diff has no --stat.'));
    assert.ok(signals.includes('stated-lesson'));
    assert.ok(!signals.includes('self-diagnosis'));
  });

  it('counts tries of the same thing, each another one', () => {
    const tries = ['--stat', '--stats', '--numstat'].map((flag) =>
      failed(`gh pr diff 12 ${flag}`, `unknown flag: ${flag}`),
    );
    assert.ok(signalsOf(...tries, RIGHT).includes('retry-loop'));
    assert.ok(!signalsOf(...tries.slice(1), RIGHT).includes('retry-loop'));
    assert.ok(!signalsOf(WRONG, WRONG, WRONG, RIGHT).includes('retry-loop'), 'nothing was changed');
  });

  it('counts tries of a file tool on the same file', () => {
    const edit = (hash: string, outcome: 'failure' | 'success'): Step => ({
      ...other('edit', '/repo/a.ts'),
      outcome,
      inputHash: hash,
    });
    const window = makeWindow([edit('1', 'failure'), edit('2', 'failure'), edit('3', 'failure'), edit('4', 'success')]);
    assert.deepEqual(findSignals({ failingCallId: 'call-0', fixingCallId: 'call-3' }, window), ['retry-loop']);
    assert.deepEqual(
      findSignals({ failingCallId: 'call-0', fixingCallId: 'call-3' }, window, 4),
      [],
      'as the user set it',
    );
  });

  it('knows a hang', () => {
    const stuck: Step = { ...failed('git log a', 'Command timed out after 120000 ms'), outcomeType: 'timeout' };
    const window = makeWindow([stuck, worked('git log a | cat')]);
    assert.deepEqual(findSignals({ failingCallId: 'call-0', fixingCallId: 'call-1' }, window), ['hang']);
  });

  const SILENT: Readonly<Record<string, readonly (Step | Words)[]>> = {
    'words about something else': [WRONG, said('The issue is that the parser drops the last line.'), RIGHT],
    'words before the mistake': [said('The issue is that --stat is missing.'), WRONG, RIGHT],
    'a diagnosis after the fix': [WRONG, RIGHT, said('The issue was --stat.')],
    'words of the user': [WRONG, prompted('the issue is --stat'), RIGHT],
    'a plain remark': [WRONG, said('Trying without --stat now.'), RIGHT],
    'a lesson long after': [
      ...[WRONG, RIGHT, worked('ls'), worked('ls'), worked('ls')],
      said('From now on I leave out --stat.'),
    ],
    'other commands of the same program': [
      failed('gh pr view 1 --bad', 'unknown flag: --bad'),
      failed('gh issue list --bad', 'unknown flag: --bad'),
      WRONG,
      RIGHT,
    ],
  };
  for (const [title, script] of Object.entries(SILENT))
    it(`is not moved by ${title}`, () => {
      const own = detectFindings(makeWindow(script)).find(({ intentKey }) => intentKey === 'gh pr diff');
      assert.deepEqual(own?.signals, ['error-fix-success', 'fix-confirmed']);
    });

  it('makes no finding of words alone', () => {
    const script = [worked('ls'), said('Lesson learned: from now on use pnpm. The root cause was npm.'), worked('pwd')];
    assert.deepEqual(detectFindings(makeWindow(script)), []);
  });

  it('listens for nothing that is not kept', () => {
    for (const words of [
      'the root cause',
      'the issue is',
      'the problem was',
      'Lesson learned:',
      'lessons learned',
      'From now on',
    ])
      assert.ok(isTelling(words), words);
  });

  it('never throws, whatever is said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (words, command) => {
        detectFindings(
          makeWindow([failed(command, FLAG), said(`root cause ${words}`), prompted(words), worked(command)]),
        );
      }),
    );
  });

  it('without words nothing is told that words would tell', () => {
    const heard = ['self-diagnosis', 'causal-words', 'stated-lesson', 'user-corrected'];
    const step = fc.constantFrom(WRONG, RIGHT, worked('ls'), failed('gh pr diff 1 --x', 'unknown flag: --x'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (script) => {
        for (const { signals } of detectFindings(makeWindow(script)))
          assert.ok(!signals.some((signal) => heard.includes(signal)));
      }),
    );
  });
});
