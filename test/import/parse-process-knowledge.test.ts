import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProcessKnowledge } from '../../src/loop/import/parse-process-knowledge.ts';

const CHECKLIST = {
  id: 'release-files',
  type: 'Concept',
  label: 'Files that carry the version',
  process_type: 'checklist',
  priority: 'CRITICAL',
  trigger_conditions: {
    tool_names: ['Write', 'Edit'],
    file_patterns: ['**/plugin.json', '**'],
    action_keywords: ['release'],
    context_keywords: ['version'],
  },
  checklist: { title: 'Bump the version', items: ['plugin.json', 'CHANGELOG.md'], format: 'ordered' },
};

const read = (...nodes: object[]) => parseProcessKnowledge(nodes).candidates;

describe('a node of process knowledge', () => {
  it('becomes a lesson of its type, with its body and rank', () => {
    const [made] = read(CHECKLIST);
    assert.deepEqual([made?.type, made?.priority, made?.slug], ['checklist', 9, 'release-files']);
    assert.deepEqual(made?.body, {
      title: 'Bump the version',
      items: ['plugin.json', 'CHANGELOG.md'],
      format: 'ordered',
    });
    assert.deepEqual(made?.triggers, {
      tools: ['write', 'edit'],
      paths: ['**/plugin.json'],
      actionKeywords: ['release'],
      contextKeywords: ['version'],
    });
    assert.equal(made?.remediation, 'plugin.json; CHANGELOG.md');
  });

  it('names every field that has no place here', () => {
    const node = {
      ...CHECKLIST,
      ...{ embedding: [1, 2], source: null, occurrences: 7 },
      checklist: { ...CHECKLIST.checklist, owner: 'ann' },
      trigger_conditions: { ...CHECKLIST.trigger_conditions, branches: ['main'] },
    };
    const [made] = read(node);
    assert.deepEqual(made?.dropped, ['embedding', 'checklist.owner', 'trigger_conditions.branches']);
    assert.deepEqual(made?.counts, { occurrences: 7 });
    assert.deepEqual(read(CHECKLIST)[0]?.dropped, []);
  });

  it('says what was left behind', () => {
    const remarks = read(CHECKLIST)[0]?.remarks.join('\n') ?? '';
    assert.match(remarks, /left out the files `\*\*`: that is every file/);
    assert.doesNotMatch(remarks, /keywords/);
  });

  it('says when more words were given than are kept', () => {
    const trigger_conditions = { action_keywords: Array.from({ length: 30 }, (_, i) => `word ${i}`) };
    const [made] = read({ ...CHECKLIST, trigger_conditions });
    assert.equal(made?.triggers.actionKeywords?.length, 20);
    assert.match(made?.remarks.join() ?? '', /left out some of action_keywords/);
  });

  it('may speak at words, at what is followed, or at who works, with or without a tool', () => {
    const triggers = (trigger_conditions: object) => read({ ...CHECKLIST, trigger_conditions })[0]?.triggers;
    assert.deepEqual(triggers({ workflows: ['release'], agent_names: ['publisher'] }), {
      workflows: ['release'],
      subagents: ['publisher'],
    });
    assert.deepEqual(triggers({ tool_names: ['Bash'], context_keywords: ['production'] }), {
      tools: ['shell'],
      contextKeywords: ['production'],
    });
  });

  it('has no trigger where the words are all that could be used of what it names', () => {
    const triggers = (trigger_conditions: object) => read({ ...CHECKLIST, trigger_conditions })[0]?.triggers;
    assert.deepEqual(triggers({ file_patterns: ['**'], action_keywords: ['release'] }), { programs: [] });
    assert.deepEqual(triggers({ tool_names: ['Frobnicate'], action_keywords: ['release'] }), { programs: [] });
  });

  it('has each of the four bodies', () => {
    const node = (process_type: string, body: object) => ({
      type: 'Concept',
      label: 'x',
      process_type,
      [process_type]: body,
    });
    const made = read(
      node('pattern', { situation: 'a slow test', action: 'mark it', rationale: 'speed', example: '@slow' }),
      node('warning', { risk: 'data is lost', severity: 'high', detection: 'rows', mitigation: 'back up' }),
      node('requirement', { constraint: 'sign commits', rationale: 'policy', validation: 'git log' }),
    );
    assert.deepEqual(
      made.map(({ body }) => body),
      [
        { situation: 'a slow test', action: 'mark it', rationale: 'speed', example: '@slow' },
        { risk: 'data is lost', severity: 'high', detection: 'rows', mitigation: 'back up' },
        { constraint: 'sign commits', rationale: 'policy', validation: 'git log' },
      ],
    );
  });

  it('may keep everything one level down, and its parts beside its type', () => {
    const [made] = read({
      id: 'n1',
      type: 'Concept',
      properties: {
        process_type: 'warning',
        label: 'Tags',
        risk: 'tags move',
        mitigation: 'fetch them',
        priority: 'LOW',
      },
    });
    assert.deepEqual([made?.summary, made?.remediation, made?.priority], ['Tags', 'fetch them', 2]);
  });

  it('is passed over when it is no process, and refused when its type is none', () => {
    const { candidates, refused } = parseProcessKnowledge([
      { type: 'File', process_type: 'warning' },
      { type: 'Concept', label: 'only an idea' },
      { type: 'Concept', label: 'odd', process_type: 'ritual' },
      { type: 'Concept', process_type: 'warning' },
    ]);
    assert.deepEqual(candidates, []);
    assert.match(
      refused.map(({ name, reason }) => `${name}: ${reason}`).join('\n'),
      /^odd: its process_type.*\nnode 2: it has no/,
    );
  });

  it('speaks at commands by their patterns', () => {
    const [made] = read({
      ...CHECKLIST,
      trigger_conditions: { tool_names: ['Bash'], command_patterns: ['git tag(?!.*-s)'] },
    });
    assert.deepEqual(made?.triggers, {
      tools: ['shell'],
      command: { match: ['git tag'], unless: ['git tag.*-s'] },
    });
  });
});
