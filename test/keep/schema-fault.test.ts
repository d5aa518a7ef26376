import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lessonInputSchema } from '../../src/keep/schemas/lesson-input-schema.ts';
import { renderSchemaFault } from '../../src/keep/schemas/schema-texts.ts';
import { exportedLessonSchema } from '../../src/keep/sharing/lessons-document-schema.ts';

const LESSON = { summary: 'no --stat', remediation: 'gh pr diff', triggers: { programs: [{ name: 'gh' }] } };

/** Messages of the validator for programmers. */
const RAW = /\b(?:undefined|received|Invalid|expected (?:string|number|object|array)|Too (?:small|big)|Unrecognized)\b/;

describe('a fault of a lesson', () => {
  const tell = (change: object): string => {
    const { error } = lessonInputSchema.safeParse({ ...LESSON, ...change });
    return error === undefined ? 'nothing' : renderSchemaFault(error);
  };

  for (const [change, said] of [
    [{ summary: undefined }, 'summary: is missing'],
    [{ summary: 5 }, 'summary: must be a text'],
    [{ summary: ' ' }, 'summary: is empty'],
    [{ summary: 'x'.repeat(301) }, 'summary: has more than 300 characters'],
    [{ priority: Number.NaN }, 'priority: must be a number'],
    [{ priority: 1.5 }, 'priority: must be a whole number'],
    [{ priority: 0 }, 'priority: must be at least 1'],
    [{ priority: 11 }, 'priority: must be at most 10'],
    [{ type: 'rule' }, 'type: must be one of checklist, pattern, warning, requirement'],
    [{ status: 'active' }, 'lesson: unexpected fields: status'],
    [{ triggers: { programs: [] } }, 'triggers.programs: is empty'],
    [{ triggers: { programs: [{}] } }, 'triggers.programs.0.name: is missing'],
    [{ triggers: { programs: [{ name: 'x' }], session: { unless: [{ ran: ' ' }] } } }, /as in "npm install"$/],
  ] as const)
    it(`is described in words: ${said}`, () => {
      if (said instanceof RegExp) assert.match(tell(change), said);
      else assert.equal(tell(change), said);
    });

  it('is never described in the words of the validator', () => {
    const keys = fc.constantFrom(
      'id',
      'slug',
      'summary',
      'triggers',
      'priority',
      'evidence',
      'scope',
      'createdAt',
      'type',
    );
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (given) => {
        for (const schema of [lessonInputSchema, exportedLessonSchema]) {
          const { error } = schema.safeParse(given);
          if (error !== undefined) assert.doesNotMatch(renderSchemaFault(error), RAW);
        }
      }),
    );
  });
});
