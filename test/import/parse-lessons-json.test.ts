import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasNoTriggers } from '../../src/loop/import/candidate.ts';
import { parseLessonsJson } from '../../src/loop/import/parse-lessons-json.ts';

const LESSON = {
  slug: 'publish-needs-dry-run',
  summary: 'Publish a package with --dry-run first',
  mistake: 'The wrong files went out',
  remediation: 'npm publish --dry-run',
  injection: 'LESSON: dry run first',
  triggers: { toolNames: ['Bash'], commandPatterns: ['^(?!.*--dry-run)npm publish\\b'] },
  priority: 8,
  confidence: 0.95,
  tags: ['tool:npm', 'two words', 'severity:high'],
};

const one = (fields: object) => {
  const { candidates, refused } = parseLessonsJson([{ ...LESSON, ...fields }]);
  assert.deepEqual(refused, []);
  return candidates;
};
const triggersOf = (triggers: object) => one({ triggers }).map((candidate) => candidate.triggers);

describe('a lesson of a lessons.json', () => {
  it('keeps its words, rank and name', () => {
    const [first] = one({});
    assert.deepEqual(first, {
      name: 'publish-needs-dry-run',
      slug: 'publish-needs-dry-run',
      type: 'warning',
      summary: LESSON.summary,
      mistake: LESSON.mistake,
      remediation: LESSON.remediation,
      body: { risk: LESSON.mistake, mitigation: LESSON.injection },
      counts: {},
      dropped: [],
      triggers: { tools: ['shell'], command: { match: ['^npm publish\\b'], unless: ['--dry-run'] } },
      priority: 8,
      confidence: 0.9,
      tags: ['tool:npm', 'severity:high'],
      remarks: [],
    });
  });

  it('has paths as globs, with unless for what a look-ahead shuts out', () => {
    const [triggers] = triggersOf({ toolNames: ['Edit', 'MultiEdit'], pathPatterns: ['^(?!.*\\.test\\.).*\\.ts$'] });
    assert.deepEqual(triggers?.tools, ['edit']);
    assert.deepEqual(triggers?.paths, ['**.ts']);
    assert.match(triggers?.input?.unless?.[0] ?? '', /file_path.*\\\.test\\\./);
  });

  it('is two lessons where it spoke at commands and at files', () => {
    const made = one({ triggers: { commandPatterns: ['psql'], pathPatterns: ['\\.sql$'], contentPatterns: ['DROP'] } });
    assert.deepEqual(
      made.map(({ slug, triggers }) => [slug, triggers]),
      [
        ['publish-needs-dry-run', { tools: ['shell'], command: { match: ['psql'] } }],
        ['publish-needs-dry-run-files', { tools: ['edit', 'write'], paths: ['**.sql'], content: { match: ['DROP'] } }],
      ],
    );
  });

  it('looks at the whole line where the pattern speaks of pipes', () => {
    assert.deepEqual(triggersOf({ commandPatterns: ['curl.*\\|\\s*sh'] }), [
      { tools: ['shell'], line: { match: ['curl.*\\|\\s*sh'] } },
    ]);
  });

  it('loses a pattern that we cannot run, and says so', () => {
    const [first] = one({ triggers: { commandPatterns: ['(a)\\1', 'npm ci'] } });
    assert.deepEqual(first?.triggers, { tools: ['shell'], command: { match: ['npm ci'] } });
    assert.match(first?.remarks.join() ?? '', /left out the pattern `\(a\)\\1`: .*linear-time/);
  });

  it('stays silent rather than speak at every call, when no pattern is left', () => {
    const [first] = one({ triggers: { toolNames: ['Bash'], commandPatterns: ['(a)\\1'] } });
    assert.ok(first !== undefined && hasNoTriggers(first.triggers));
    assert.ok(hasNoTriggers(triggersOf({})[0] ?? {}));
  });

  it('gives the paths of a tool that only searches to no other tool, and says so', () => {
    const [first] = one({ triggers: { toolNames: ['Grep'], pathPatterns: ['src/'] } });
    assert.ok(first !== undefined && hasNoTriggers(first.triggers));
    assert.match(first.remarks.join(), /left out the paths.*grep/);
    const [mixed] = one({ triggers: { toolNames: ['Grep', 'Edit'], pathPatterns: ['\\.sql$'] } });
    assert.deepEqual(mixed?.triggers.tools, ['edit']);
    assert.match(mixed?.remarks.join() ?? '', /left out the tool grep/);
  });

  it('names every field whose value is of no use', () => {
    const [first] = one({ occurrences: 'many', sessions: -1, priority: 'soon', confidence: 'high', tags: 5 });
    const named = ['confidence', 'occurrences', 'priority', 'sessions', 'tags'];
    assert.deepEqual([...(first?.dropped ?? [])].sort(), named);
  });

  it('may be about a tool alone', () => {
    assert.deepEqual(triggersOf({ toolNames: ['mcp__jira__create', 'WebFetch'] }), [
      { tools: ['mcp:jira/create', 'web'] },
    ]);
  });

  it('has a rank from any scale', () => {
    const rank = (priority: unknown) => one({ priority })[0]?.priority;
    assert.deepEqual(['CRITICAL', 'low', 1, 10, 99, -4, '7', null].map(rank), [9, 2, 1, 10, 10, 1, 7, 5]);
  });

  it('says what it is made of: the injection where there is nothing else', () => {
    const [first] = one({ summary: undefined, mistake: '', remediation: '' });
    assert.deepEqual([first?.summary, first?.remediation], [LESSON.injection, LESSON.injection]);
  });

  it("keeps its author's text for the agent where its type says what to do", () => {
    const body = (type: string) => one({ type })[0]?.body;
    assert.deepEqual(body('requirement'), { constraint: LESSON.injection });
    assert.deepEqual(body('pattern'), { situation: LESSON.mistake, action: LESSON.injection });
    assert.equal(one({ injection: LESSON.remediation })[0]?.body, undefined);
  });

  it('keeps the counts that it brings, and counts lost data in its rank', () => {
    assert.deepEqual(one({ occurrences: 4, sessionCount: 3 })[0]?.counts, { occurrences: 4, sessions: 3 });
    assert.deepEqual(one({ occurrences: -1, sessions: 'many' })[0]?.counts, {});
    const rank = (fields: object) => one({ ...fields, tags: ['severity:Data-Loss'] })[0]?.priority;
    assert.deepEqual([rank({ priority: undefined }), rank({ priority: 3 })], [6, 3]);
  });

  it('names every field that it leaves behind', () => {
    const [made] = one({ author: 'ann', id: 'x', empty: '', triggers: { toolNames: ['Bash'], branches: ['main'] } });
    assert.deepEqual(made?.dropped, ['author', 'id', 'triggers.branches']);
  });

  it('is refused without words', () => {
    const { refused } = parseLessonsJson([{ slug: 'empty' }, 7, null]);
    assert.deepEqual(
      refused.map(({ name }) => name),
      ['empty', 'lesson 2', 'lesson 3'],
    );
  });
});
