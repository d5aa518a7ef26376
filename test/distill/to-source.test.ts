import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toSearchable } from '../../src/distill/gate/outside-text/find-quoted.ts';
import { findPoison, isAttack } from '../../src/distill/gate/outside-text/poison-shapes.ts';
import { toPlainLine } from '../../src/distill/gate/outside-text/to-plain-line.ts';
import { toSource } from '../../src/distill/gate/outside-text/to-source.ts';
import { toRuns } from '../to-runs.ts';
import { POISONED } from './poisoned-outputs.ts';

const PIECES = [' ', '  ', '\n', '\r\n', '\t', '\v', '\0', '\x1f', '\x7f', '\x1b[31m', 'a', 'B', 'É', '\u200b', 'x y'];

describe('a text as it is searched', () => {
  it('is the same by the short way for plain ASCII as by the long one for all texts', () => {
    const ascii = fc.array(fc.constantFrom(...PIECES.slice(0, 9), 'a', 'B'), { maxLength: 8 });
    const any = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(ascii, any), (pieces) => {
        const text = pieces.join('');
        assert.equal(toSource(text), toSearchable(toPlainLine(text)).replace(/\s+/g, ' '));
      }),
      { numRuns: toRuns(2_000) },
    );
  });
});

describe('whether a text is an attack', () => {
  it('is asked of the attacks alone, with the answer that all shapes give', () => {
    for (const { output } of POISONED) assert.equal(isAttack(output), findPoison(output) === 'attack');
    const words = [
      'ignore',
      '1gn0re',
      'аll',
      'previous',
      'rules',
      '$ystem',
      'prompt',
      'you are now',
      'please run',
      ' ',
      '.',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 7 }), (said) => {
        assert.equal(isAttack(said.join(' ')), findPoison(said.join(' ')) === 'attack');
      }),
    );
  });
});
