import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fitBudget, joinShown } from '../../src/match/fit-budget.ts';
import type { Match } from '../../src/match/match-lessons.ts';
import { scoreLesson } from '../../src/match/score-lesson.ts';

const makeMatch = (text: string, summary = text): Match => ({
  lesson: { id: text, slug: text, priority: 5, confidence: 0.7, mode: 'note', triggers: {}, text, summary },
  score: scoreLesson({ triggers: {}, priority: 5 }),
});

const fit = (matches: readonly Match[], injectionBudgetBytes: number, maxLessonsPerInjection = 3) => {
  const claimed: Match[] = [];
  const shown = fitBudget(matches, { injectionBudgetBytes, maxLessonsPerInjection }, (match) => {
    claimed.push(match);
    return true;
  });
  return { shown, claimed, texts: shown.map((one) => one.text), bytes: Buffer.byteLength(joinShown(shown)) };
};

describe('fitting the budget', () => {
  it('counts bytes to the last one, with what stands between lessons', () => {
    const matches = [makeMatch('aäa'), makeMatch('bbbb')];
    assert.deepEqual(fit(matches, 10), { ...fit(matches, 10), texts: ['aäa', 'bbbb'], bytes: 10 });
    assert.deepEqual(fit(matches, 9).texts, ['aäa']);
  });

  it('shows at most so many lessons', () => {
    const matches = ['a', 'b', 'c', 'd'].map((text) => makeMatch(text));
    assert.deepEqual(fit(matches, 100).texts, ['a', 'b', 'c']);
    assert.deepEqual(fit(matches, 100, 1).texts, ['a']);
    assert.deepEqual(fit(matches, 100, 0).texts, []);
  });

  it('falls back to the summary, and goes on to a smaller lesson behind one that does not fit', () => {
    const matches = [makeMatch('a'.repeat(90), 'short'), makeMatch('b'.repeat(90)), makeMatch('c')];
    assert.deepEqual(fit(matches, 50).texts, ['short', 'c']);
  });

  it('cuts the summary of the first between characters', () => {
    const match = makeMatch('x'.repeat(99), 'aé😀z');
    const cuts = [1, 2, 3, 4, 6, 7, 8].map((bytes) => fit([match], bytes).texts);
    assert.deepEqual(cuts, [['a'], ['a'], ['aé'], ['aé'], ['aé'], ['aé😀'], ['aé😀z']]);
  });

  it('claims only what it shows, and shows only what it gets', () => {
    const matches = [makeMatch('taken'), makeMatch('b'.repeat(90)), makeMatch('free')];
    const asked: string[] = [];
    const shown = fitBudget(matches, { injectionBudgetBytes: 20, maxLessonsPerInjection: 3 }, ({ lesson }) => {
      asked.push(lesson.slug);
      return lesson.slug !== 'taken';
    });
    // With the first taken, the second is the first and is cut.
    assert.deepEqual(asked, ['taken', 'b'.repeat(90)]);
    assert.deepEqual(
      shown.map((one) => one.text),
      ['b'.repeat(20)],
    );
  });

  it('claims nothing when not even one character fits', () => {
    assert.deepEqual(fit([makeMatch('abc')], 0), { shown: [], claimed: [], texts: [], bytes: 0 });
    assert.deepEqual(fit([makeMatch('😀😀')], 3).claimed, []);
  });

  it('holds for any texts and limits', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    const matches = fc.array(fc.tuple(text, text), { maxLength: 6 });
    fc.assert(
      fc.property(matches, fc.nat(80), fc.nat(4), (texts, budget, most) => {
        const all = texts.map(([whole, summary]) => makeMatch(whole, summary));
        const { shown, claimed, bytes } = fit(all, budget, most);
        assert.ok(bytes <= budget);
        assert.ok(shown.length <= most);
        assert.deepEqual(
          claimed,
          shown.map((one) => one.match),
        );
        for (const [n, { match, text: said }] of shown.entries()) {
          const isWhole = said === match.lesson.text || said === match.lesson.summary;
          assert.ok(isWhole || (n === 0 && match.lesson.summary.startsWith(said)));
          assert.ok(said !== '' && said.isWellFormed());
        }
        const [first] = all;
        const least = Buffer.byteLength([...(first?.lesson.summary ?? '')][0] ?? '');
        if (first !== undefined && most > 0 && budget >= least) assert.equal(shown[0]?.match, first);
      }),
      { numRuns: 500 },
    );
  });
});
