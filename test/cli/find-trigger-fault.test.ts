import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { findTriggerFault } from '../../src/loop/checks/trigger-faults.ts';

describe('a trigger that would never speak', () => {
  const cases: readonly [what: string, triggers: Triggers, why: RegExp][] = [
    [
      'wants a word and forbids it',
      { programs: [{ name: 'gh', args: { any: ['-x'], none: ['-x'] } }] },
      /no command can/,
    ],
    [
      'wants what an option forbids',
      { programs: [{ name: 'gh', args: { all: ['--x=1'], none: ['--x'] } }] },
      /gh --x=1/,
    ],
    ['forbids its own sub-command', { programs: [{ name: 'gh', sub: ['pr'], args: { none: ['pr'] } }] }, /no command/],
    ['has an option as sub-command', { programs: [{ name: 'gh', sub: ['-R'] }] }, /no command can be `gh -R`/],
    ['names a program with its folder', { programs: [{ name: '/usr/bin/gh' }] }, /no command can be/],
    ['is about commands of a tool that has none', { tools: ['read'], programs: [{ name: 'x' }] }, /its tools are read/],
    ['is about files of the shell', { tools: ['shell'], paths: ['a.md'] }, /does not name/],
    ['is about commands and files', { programs: [{ name: 'x' }], paths: ['a.md'] }, /no call has both/],
    ['has a regex that no text can match', { command: { match: ['a$b'] } }, /command has a match that no text/],
    ['is about an empty command', { command: { match: ['^$'] } }, /command has a match that no text/],
    ['is about an empty line', { line: { match: ['^(?:)$', '^a{0}$'] } }, /line has a match that no text/],
    ['silences what it speaks at', { input: { match: ['foo'], unless: ['foo'] } }, /match and unless/],
    ['excepts its only tool', { tools: ['edit'], unless: { tools: ['edit', 'read'] } }, /unless has all of its tools/],
    ['excepts all its words', { actionKeywords: ['a', 'b'], unless: { keywords: ['b', 'a'] } }, /its actionKeywords/],
    ['silences everything', { tools: ['edit'], content: { match: ['foo'], unless: ['x*'] } }, /matches anything/],
  ];
  for (const [what, triggers, why] of cases)
    it(`because it ${what} is told so`, () => assert.match(findTriggerFault(triggers) ?? '', why));
});

describe('a trigger that would match everything', () => {
  const cases: readonly Triggers[] = [
    { command: { match: ['.*'] } },
    { command: { match: ['git', 'x?'] } },
    { paths: ['**'] },
    { paths: ['*.md', '**/*'] },
    { paths: ['**'], content: { match: [''] } },
    { command: { match: ['.'] } },
    { command: { match: ['\\w|\\W'] } },
    { command: { match: ['[a-z]'] } },
    { command: { unless: ['--help'] } },
    { line: { match: ['\\S+'] } },
    { content: { match: ['.'] } },
    { input: { match: ['"command"'] } },
    { tools: ['shell'], command: { match: ['.*'] } },
    { tools: ['shell'] },
    { tools: ['shell'], unless: { keywords: ['sandbox'], subagents: ['x'] } },
    { tools: ['shell', 'edit'] },
    { tools: ['edit'], paths: ['**'] },
  ];
  for (const triggers of cases)
    it(`is refused: ${JSON.stringify(triggers)}`, () =>
      assert.match(findTriggerFault(triggers) ?? '', /match nearly every call/));
});

describe('a keyword that stands in every message', () => {
  for (const keyword of ['e', 'a', 'the', 'The', 'and the', '5', '.', 'я'])
    it(`is refused: ${keyword}`, () => {
      const cases: readonly Triggers[] = [
        { actionKeywords: ['release', keyword] },
        { tools: ['edit'], contextKeywords: [keyword] },
      ];
      for (const triggers of cases)
        assert.match(findTriggerFault(triggers) ?? '', /keyword ".+", which stands in nearly every message/);
    });

  for (const keyword of ['release', 'force push', 'to the cloud', 'db', '発', 'go-live'])
    it(`is not: ${keyword}`, () => assert.equal(findTriggerFault({ actionKeywords: [keyword] }), undefined));
});

describe('a trigger for files at searches', () => {
  it('is refused, alone or beside tools that name a file: a search names a folder', () => {
    for (const tools of [['glob'], ['grep'], ['read', 'grep']] as const)
      assert.match(findTriggerFault({ tools, paths: ['src/**'] }) ?? '', /(?:glob|grep) call does not name/);
    assert.equal(findTriggerFault({ tools: ['grep'], input: { match: ['TODO'] } }), undefined);
  });
});

describe('a good trigger', () => {
  const cases: readonly Triggers[] = [
    { tools: ['mcp:tickets/create'] },
    { tools: ['edit'], session: { unless: [{ read: '{path}' }] } },
    { programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat', '--x'], none: ['--x'] } }] },
    { programs: [{ name: 'git', words: 2, args: { all: ['-C'] } }] },
    { programs: [{ name: 'bash', args: { any: ['-c'] } }] },
    { programs: [{ name: 'find', args: { all: ['('] } }] },
    { paths: ['**/*.ts'] },
    { tools: ['read', 'shell'], paths: ['a.md'] },
    { command: { match: ['^git'], unless: ['--help'] } },
    { command: { match: ['^git .*push', 'curl'] } },
    { content: { match: ['console\\.log'] } },
    { tools: ['read', 'edit'], paths: ['**/*.json'] },
    { line: { match: ['='] } },
    { actionKeywords: ['release'] },
    { tools: ['edit'], workflows: ['ship'], unless: { workflows: ['try'] } },
    { tools: ['edit', 'write'], contextKeywords: ['docs'], unless: { tools: ['edit'] } },
    { tools: ['edit'], content: { match: ['TODO$'] } },
  ];
  for (const triggers of cases)
    it(`has no fault: ${JSON.stringify(triggers)}`, () => assert.equal(findTriggerFault(triggers), undefined));

  it('is any program with any words, none of which it forbids', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9'" $-]{0,6}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), fc.array(word, { maxLength: 3 }), (sub, all) => {
        const triggers = { programs: [{ name: 'gh', sub, args: { all, none: ['--never'] } }] };
        assert.equal(findTriggerFault(triggers), undefined);
      }),
    );
  });
});
