import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lessonInputSchema } from '../../src/keep/schemas/lesson-input-schema.ts';

const LESSON = { summary: 'no stat', triggers: { programs: [{ name: 'gh' }] } };

/** The fault of a lesson; empty if it is accepted. */
const refusal = (wish: unknown): string => {
  const parsed = lessonInputSchema.safeParse(wish);
  return parsed.success ? '' : parsed.error.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('\n');
};
const refusalOf = (triggers: unknown) => refusal({ ...LESSON, triggers });

describe('a lesson from outside', () => {
  it('needs a summary and triggers; the rest has defaults', () => {
    assert.deepEqual(lessonInputSchema.parse(LESSON), {
      mistake: '',
      remediation: '',
      tags: [],
      ...LESSON,
    });
    assert.match(refusal({ triggers: LESSON.triggers }), /^summary: /);
    assert.match(refusal({ ...LESSON, summary: '   ' }), /^summary: /);
    assert.match(refusal({ summary: 'x' }), /^triggers: /);
  });

  it('may use every kind of trigger', () => {
    const triggers = {
      tools: ['shell', 'mcp:jira'],
      programs: [{ name: 'gh', sub: ['pr'], words: 3, args: { any: ['--stat'], all: ['x'], none: ['-q'] } }],
      command: { match: ['^gh .*--stat'], unless: ['--web'] },
      line: { match: ['GH_TOKEN='] },
      directory: 'argument',
      paths: ['src/**/*.ts'],
      content: { match: ['(a+)+$'] },
      input: { unless: ['"limit" *:'] },
      session: { unless: [{ ran: 'gh auth login' }, { read: '{path}' }] },
      subagents: ['reviewer'],
    };
    assert.equal(refusalOf(triggers), '');
  });

  it('is refused if it would match everything', () => {
    assert.match(refusalOf({}), /would match every call/);
    const session = { unless: [{ ran: 'git pull' }] };
    assert.match(refusalOf({ session }), /would match every call/);
    assert.match(refusalOf({ tools: ['shell'], directory: 'argument' }), /directory without a command/);
    for (const part of ['command', 'content', 'line', 'input'])
      assert.match(refusalOf({ [part]: {} }), new RegExp(`triggers\\.${part}: would match any text`));
    for (const empty of [{ tools: [] }, { programs: [] }, { paths: [] }, { command: { match: [] } }, { subagents: [] }])
      assert.notEqual(refusalOf(empty), '', JSON.stringify(empty));
    assert.notEqual(refusalOf({ programs: [{ name: '' }] }), '');
    assert.notEqual(refusalOf({ command: { match: [''] } }), '');
  });

  it('is refused with a regex that is invalid or may take longer than linear time', () => {
    for (const regex of ['(?=a)b', '(?!a)b', '(a)\\1', '(', '[z-a]']) {
      assert.match(refusalOf({ command: { match: [regex] } }), /triggers\.command\.match\.0: is not a linear-time/);
      assert.match(refusalOf({ content: { unless: ['ok', regex] } }), /triggers\.content\.unless\.1: is not a linear/);
    }
  });

  it('is refused with a session condition that nothing can meet', () => {
    const wish = (unless: unknown) => refusalOf({ tools: ['shell'], session: { unless } });
    assert.equal(wish([{ ran: 'npm install' }]), '');
    for (const unless of [[], [{}], [{ ran: '' }], [{ ran: ' npm  i' }], [{ read: '' }], [{ ran: 'a', read: 'b' }]])
      assert.notEqual(wish(unless), '', JSON.stringify(unless));
  });

  it('is refused with an unknown tool', () => {
    for (const tool of ['Bash', 'shel', '', 'mcp:', 'constructor'])
      assert.match(refusalOf({ tools: [tool] }), /triggers\.tools\.0: is not a tool we know \(shell, /);
  });

  it('is refused with an unknown key, at any depth', () => {
    assert.match(refusal({ ...LESSON, confidence: 1 }), /confidence/);
    assert.match(refusalOf({ program: 'gh' }), /program/);
    assert.match(refusalOf({ programs: [{ name: 'gh', flags: ['x'] }] }), /flags/);
    assert.match(refusalOf({ programs: [{ name: 'gh', args: { some: ['x'] } }] }), /some/);
    assert.match(refusalOf({ command: { match: ['x'], except: ['y'] } }), /except/);
  });

  it('is refused with an invalid priority', () => {
    for (const priority of [0, 11, 5.5, Number.NaN, '7']) assert.match(refusal({ ...LESSON, priority }), /^priority: /);
  });

  it('is checked without throwing, whatever it is', () => {
    fc.assert(fc.property(fc.anything(), (wish) => typeof refusal(wish) === 'string'));
    fc.assert(fc.property(fc.anything(), (triggers) => typeof refusalOf(triggers) === 'string'));
  });
});
