import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FullBacktest, KnownFalseAlarms } from '../../src/loop/replay/backtest.ts';
import type { ReplayedCall } from '../../src/measure/judge-replay.ts';
import { makeBacktestReport } from '../../src/measure/make-backtest-report.ts';
import { renderFixes } from '../../src/surfaces/cli/stats/backtest.ts';
import { renderBacktest } from '../../src/surfaces/cli/stats/render-backtest.ts';
import { fitText } from '../../src/surfaces/cli/wrapping.ts';

const HISTORY = { source: 'store', storedSessions: 0, withoutText: 0 } as const;
const view = (isVerbose = false, columns?: number) => ({ isVerbose, isFixing: false, columns });

function makeCall(fields: Partial<ReplayedCall>): ReplayedCall {
  return {
    ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_1', callId: 'c', program: 'gh', worked: true },
    ...{ at: '2026-01-02T00:00:00.000Z', endedAt: '2026-01-02T00:00:01.000Z', deliveries: [], what: 'gh pr diff' },
    ...fields,
  };
}

const failure = { class: 'command', reference: 'gh: unknown flag: --stat' } as const;
const delivery = { lessonId: 'les_1', slug: 'gh-pr-diff', class: 'command', references: [failure.reference] } as const;
const CALLS = [
  makeCall({ failure, worked: false }),
  makeCall({}),
  makeCall({ failure, worked: false, deliveries: [delivery] }),
  makeCall({ deliveries: [delivery], what: 'gh pr diff 9 --stat' }),
];

function toFull(calls: readonly ReplayedCall[], more: Partial<FullBacktest> = {}): FullBacktest {
  const report = makeBacktestReport(calls);
  return {
    ...report,
    perProject: report.perProject.map((one) => ({ ...one, name: one.projectId })),
    worstFalseAlarms: report.worstFalseAlarms.map((one) => ({ ...one, summary: 'a summary' })),
    history: HISTORY,
    ...more,
  };
}

describe('a back-test as text', () => {
  it('says in its first sentences what was repeated, what would have been warned of, and at what noise', () => {
    const [past, , ...rest] = renderBacktest(toFull(CALLS), view()).split('\n');
    assert.equal(past, '4 calls in 1 session, replayed; each call got only the lessons that were learned before it.');
    assert.deepEqual(rest.slice(0, 3), [
      '  Of 2 failures, 1 repeated an earlier one.',
      '  A lesson would have warned of 1 of these (100 %).',
      '  1 of 2 warnings were right (50 %); one warning in 2 calls.',
    ]);
  });

  it('names the worst false alarms, with the last call of each and whether the store has the lesson', () => {
    const text = renderBacktest(toFull(CALLS), view());
    assert.match(
      text,
      /Worst false alarms\n {2}1 of 2 wrong {2}gh-pr-diff \(not in your store\)\n.*gh pr diff 9 --stat/,
    );
    assert.doesNotMatch(text, /--fix/);
    const [alarms] = toFull(CALLS).worstFalseAlarms;
    assert.ok(alarms !== undefined);
    const stored = { id: 'les_9', slug: 'gh-pr-diff-x7k2', status: 'active' } as const;
    const known = toFull(CALLS, { worstFalseAlarms: [{ ...alarms, stored }] });
    assert.match(renderBacktest(known, view()), /1 of 2 wrong {2}gh-pr-diff-x7k2\n[\s\S]*add --fix/);
    const archived = toFull(CALLS, { worstFalseAlarms: [{ ...alarms, stored: { ...stored, status: 'archived' } }] });
    assert.match(renderBacktest(archived, view()), /gh-pr-diff-x7k2 \(archived\)/);
  });

  it('says beside each figure what is asked of it, and whether that is met', () => {
    const text = renderBacktest(toFull(CALLS), view());
    assert.match(text, /^Aims: 1 of 3 met\b.*\b2\b.*nothing to measure$/m);
    assert.match(text, /^wrong call: warnings that are right +at least 60 % +50 % +not met$/m);
    assert.match(text, /^wrong call: repeats that are warned of +at least 35 % +100 % +met$/m);
    assert.match(text, /^failed check: warnings that are right +at least 30 % +- +nothing to measure$/m);
    assert.match(text, /^warnings in 100 calls +at most 1 +50 +not met$/m);
    assert.doesNotMatch(renderBacktest(toFull([makeCall({})]), view()), /Aims/);
  });

  it('has intervals for who wants them', () => {
    assert.doesNotMatch(renderBacktest(toFull(CALLS), view()), /95 %/);
    assert.match(renderBacktest(toFull(CALLS), view(true)), /95 %[\s\S]*worked later/);
  });

  it('says what is missing, and that nothing failed or was said', () => {
    const gone = { ...HISTORY, storedSessions: 2, withoutText: 1_200 };
    const text = renderBacktest(toFull(CALLS, { history: gone }), view());
    assert.match(text, /The transcripts of 2 sessions are gone/);
    assert.match(text, /1,200 calls lost their text to retention and are left out/);
    assert.match(renderBacktest(toFull([makeCall({})]), view()), /^None of 1 call in 1 session failed/);
    assert.match(renderBacktest(toFull([makeCall({ failure })]), view()), /No warning would have been given/);
    assert.match(
      renderBacktest(toFull([]), view()),
      /There are no calls to replay.*\n.*oncebitten stats backtest --path/,
    );
    const none = renderBacktest(
      toFull([], { history: { ...HISTORY, project: 'shop', since: '2026-01-02T00:00:00.000Z' } }),
      view(),
    );
    assert.match(none, /no calls since 2026-01-02 00:00 UTC in the project shop[\s\S]*--since 30d/);
  });

  it('gives no line that is wider than the terminal, and nothing that steers a terminal, whatever the names', () => {
    const word = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    const name = fc.oneof(word, fc.constantFrom('\x1b[2J', 'a\nb\tc', `/${'very/'.repeat(40)}long`));
    const count = fc.constantFrom(0, 1, 12, 1_234, 987_654);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name, name), { minLength: 1, maxLength: 12 }), count, (names, n) => {
        const calls = names.flatMap(([project, reference, what], i) => {
          const about = { class: 'command', reference } as const;
          const shown = { lessonId: `les_${i}`, slug: project, class: 'command', references: [] } as const;
          const same = { projectId: project, what, deliveries: [shown], worked: false, failure: about };
          return [makeCall(same), makeCall({ ...same, agent: what })];
        });
        const history = {
          ...HISTORY,
          storedSessions: n,
          withoutText: n,
          since: '2026-01-02',
          project: names[0]?.[0] ?? '',
        };
        const one = toFull(calls);
        const agents = Object.fromEntries(names.map(([, agent]) => [agent, { ...one, calls: n }]));
        const perProject = one.perProject.map((row) => ({ ...row, calls: n, warned: n, deliveries: n, repeats: n }));
        for (const isVerbose of [false, true]) {
          const text = fitText(renderBacktest({ ...one, perProject, agents, history }, view(isVerbose, 80)), 80);
          for (const line of text.split('\n')) assert.ok(line.length <= 80, `${line.length}: ${line}`);
          assert.doesNotMatch(text, /[^\P{Cc}\n]/u);
        }
      }),
    );
  });
});

describe('what to do about false alarms without a terminal', () => {
  const alarms = (fields: Partial<KnownFalseAlarms>): KnownFalseAlarms => ({
    ...{ lesson: 'x', summary: 'about x', deliveries: 2, hits: 0, falseAlarms: 2 },
    example: { agent: 'a', sessionId: 's', callId: 'c', at: '2026', what: 'x' },
    ...fields,
  });
  const stored = (slug: string, status: 'active' | 'archived' = 'active') => ({ stored: { id: slug, slug, status } });

  it('is said as commands, once for each lesson that can speak', () => {
    const lines = renderFixes([
      alarms(stored('one-x7k2')),
      alarms(stored('one-x7k2')),
      alarms(stored('two-a1b2', 'archived')),
      alarms({}),
    ]);
    assert.deepEqual(
      lines.filter((line) => line.includes('oncebitten')),
      ['lessons archive', 'lessons edit', 'lessons mute'].map((command) => `  oncebitten ${command} one-x7k2`),
    );
  });

  it('is nothing where there is nothing', () => {
    assert.match(renderFixes([]).join('\n'), /no false alarm/);
    assert.match(renderFixes([alarms({})]).join('\n'), /None of these lessons is active in your store/);
  });
});
