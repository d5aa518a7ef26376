import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DELIVERY_MODES } from '../../src/base/model/lesson.ts';
import { parseTrailers, renderTrailer } from '../../src/match/reply-lines.ts';

const told = fc
  .tuple(fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+){0,5}$/), fc.constantFrom(...DELIVERY_MODES))
  .map(([lesson, mode]) => ({ lesson, mode }));
const why = 'program a"b\\c<d>, option ---> or \n';

/** As in a transcript that quotes a transcript. */
function quote(text: string, depth: number): string {
  return depth === 0 ? text : quote(JSON.stringify({ text }), depth - 1);
}

describe('trailers in a text', () => {
  it('are parsed as they were written, however often they are quoted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(told, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
        fc.nat(3),
        (all, depth) => {
          const lines = all.map((some) =>
            renderTrailer(some.map(({ lesson, mode }) => ({ lesson: { slug: lesson, why }, mode, score: 1.5 }))),
          );
          assert.deepEqual(parseTrailers(lines.map((line) => quote(`so: ${line}`, depth)).join('\n')), all.flat());
        },
      ),
    );
  });

  it('give an empty list if there are none or one is truncated', () => {
    const [whole] = [renderTrailer([{ lesson: { slug: 'one', why }, mode: 'note', score: 1 }])];
    for (const text of ['', 'oncebitten: {', '"lesson":"one","mode":"note"', whole.slice(0, -4), whole.slice(20)])
      assert.deepEqual(parseTrailers(text), [], text);
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseTrailers(text))));
  });
});
