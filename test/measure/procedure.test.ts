import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toGlobRegex } from '../../src/keep/manifest/compiled-triggers.ts';
import { isProcedure, judgeItems, listItems, noteItems, type SessionCall } from '../../src/measure/procedure.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const FILES = { tools: ['edit', 'write'], paths: ['**/package.json'] } as const;

const checklist = (...items: readonly string[]): Lesson =>
  makeTestLesson({
    ...{ type: 'checklist', summary: 'Complete version bump', mistake: '', remediation: '', triggers: FILES },
    body: { title: 'Version bump', items },
  });

const call = (fields: Partial<SessionCall>): SessionCall => ({
  ...{ tool: 'shell', rawTool: 'Bash', outcome: 'success', callId: 'c', occurredAt: '2026-01-01T00:00:00.000Z' },
  ...fields,
});
const edit = (path: string, fields: Partial<SessionCall> = {}) =>
  call({ tool: 'edit', rawTool: 'Edit', targetPath: `/repo/${path}`, ...fields });
const run = (command: string, fields: Partial<SessionCall> = {}) => call({ command, ...fields });

const note = (lesson: Lesson, ...calls: readonly SessionCall[]) =>
  noteItems(listItems(lesson), undefined, calls, toGlobRegex);

describe('a procedure', () => {
  const of = (fields: Partial<Lesson>): boolean => isProcedure(makeTestLesson(fields));

  it('is a checklist or a requirement without a failed call behind it, whoever wrote it', () => {
    assert.equal(isProcedure(checklist('Change `a.json`')), true);
    assert.equal(of({ type: 'requirement', remediation: 'Run `npm run check`' }), true);
    const origin = { kind: 'import', by: 'import/rules', trust: 'foreign' } as const;
    assert.equal(of({ type: 'requirement', remediation: 'Run `npm run check`', origin }), true);
  });

  it('is also a note about files, because changing such a file again is no mistake', () => {
    assert.equal(of({ triggers: FILES, remediation: 'Change CHANGELOG.md too' }), true);
  });

  it('is not a lesson that a call taught, a prohibition, or a warning about a command', () => {
    assert.equal(of({ type: 'checklist', signatureId: 'sig_1' }), false);
    const origin = { kind: 'episode', by: 'distill/user-correction@1', trust: 'stated' } as const;
    assert.equal(of({ type: 'requirement', signatureId: 'sig_1', origin, remediation: 'pnpm install' }), false);
    assert.equal(of({ type: 'requirement', remediation: 'Never push to main' }), false);
    assert.equal(of({ triggers: FILES, remediation: 'Do not edit generated files' }), false);
    assert.equal(of({ remediation: '`gh pr diff 7 --name-only`' }), false);
  });
});

describe('the items of a procedure', () => {
  const targets = (text: string) =>
    listItems(checklist(text)).flatMap((item) =>
      item.targets.map((target) => ('file' in target ? target.file : `$ ${target.command.text}`)),
    );

  it('are files and commands, in backticks or not', () => {
    assert.deepEqual(targets('Update the version in `package.json` and `src/version.ts`'), [
      'package.json',
      'src/version.ts',
    ]);
    assert.deepEqual(targets('Update CHANGELOG.md'), ['CHANGELOG.md']);
    assert.deepEqual(targets('Add a line to docs/releases/'), ['docs/releases/**']);
    assert.deepEqual(targets('Run `npm run generate` and commit'), ['$ npm run generate']);
    assert.deepEqual(targets('Run npm test before you push'), ['$ npm test']);
    assert.deepEqual(targets('Tag the commit: `git tag v1.2.3`'), ['$ git tag v1.2.3']);
  });

  it('are not the occasion, prohibitions, names of products, or words', () => {
    assert.deepEqual(targets('When you edit `src/api.ts`, run `npm run generate`'), ['$ npm run generate']);
    assert.deepEqual(targets('Run `npm test` before `git push`'), ['$ npm test']);
    assert.deepEqual(targets('Edit `a.ts`, never `b.ts`'), ['a.ts']);
    assert.deepEqual(targets('Make sure that Node.js 24 is used, e.g. by asking'), []);
    assert.deepEqual(targets('Tell the `release manager` about it'), []);
    assert.deepEqual(targets('Run the tests again'), []);
    assert.deepEqual(targets('Bump the version to 1.2.3'), []);
    assert.deepEqual(targets('See https://example.com/a.html'), []);
  });

  it('are each file of a sentence that names several', () => {
    const lesson = makeTestLesson({
      ...{ type: 'requirement', triggers: FILES, remediation: '', mistake: '' },
      summary: 'When you bump the version, change package.json, plugin.json, CHANGELOG.md and docs/version.md',
    });
    assert.deepEqual(
      listItems(lesson).map(({ number, text }) => [number, text]),
      [
        [1, 'package.json'],
        [2, 'plugin.json'],
        [3, 'CHANGELOG.md'],
        [4, 'docs/version.md'],
      ],
    );
  });

  it('keep the numbers that the lesson shows, also if an item between is prose', () => {
    const lesson = checklist('Change `a.json`', 'Think of the users', 'Run `npm test`');
    assert.deepEqual(
      listItems(lesson).map(({ number }) => number),
      [1, 3],
    );
  });

  it('are the validation of a requirement, if the constraint is prose', () => {
    const lesson = makeTestLesson({
      ...{ type: 'requirement', triggers: FILES },
      body: { constraint: 'Every public function is documented', validation: 'run `npm run docs`' },
    });
    assert.deepEqual(
      listItems(lesson).map(({ text }) => text),
      ['npm run docs'],
    );
  });

  it('never throw, whatever the words are', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (item, command) => {
        const lesson = checklist(item, `Run \`${command}\``);
        note(lesson, run(command), edit(item));
        isProcedure({ ...lesson, type: 'requirement' });
      }),
    );
  });
});

describe('the progress in a procedure', () => {
  const BUMP = checklist('Change `package.json`', 'Change `CHANGELOG.md`', 'Run `npm run generate`', 'Tell the users');

  it('includes each item whose file was changed or whose command ran', () => {
    assert.deepEqual(note(BUMP, edit('package.json'), run('npm run generate')), { done: [1, 3], tried: [], open: [2] });
    assert.deepEqual(note(BUMP), { done: [], tried: [], open: [1, 2, 3] });
  });

  it('includes files that a command changed', () => {
    for (const command of ['echo x >> CHANGELOG.md', "sed -i 's/1/2/' CHANGELOG.md", 'node bump.js CHANGELOG.md'])
      assert.deepEqual(note(BUMP, run(command)).done, [2], command);
    for (const command of ['cat CHANGELOG.md', 'git diff CHANGELOG.md', 'sed -n 1,3p CHANGELOG.md'])
      assert.deepEqual(note(BUMP, run(command)).done, [], command);
  });

  it('does not include files that were only read, unless the item asks to read them', () => {
    const read = call({ tool: 'read', rawTool: 'Read', targetPath: '/repo/CHANGELOG.md' });
    assert.deepEqual(note(BUMP, read).done, []);
    assert.deepEqual(note(checklist('Read `CHANGELOG.md`'), read).done, [1]);
  });

  it('counts an item as tried if it failed, and as open if it never ran', () => {
    assert.deepEqual(note(BUMP, run('npm run generate', { outcome: 'failure' })).tried, [3]);
    assert.deepEqual(note(BUMP, run('npm run generate', { outcome: 'denied' })), note(BUMP));
  });

  it('requires everything that an item names, or one of its alternatives', () => {
    const both = checklist('Change `a.json` and `b.json`');
    assert.deepEqual(note(both, edit('a.json')), { done: [], tried: [1], open: [1] });
    assert.deepEqual(note(both, edit('a.json'), edit('x/b.json')).done, [1]);
    assert.deepEqual(note(checklist('Run `npm test` or `yarn test`'), run('yarn test')).done, [1]);
  });

  it('ignores values that vary', () => {
    const tag = checklist('Run `git tag v1.2.3 -m "release"`');
    assert.deepEqual(note(tag, run('git tag v2.0.0 -m "second release"')).done, [1]);
    assert.deepEqual(note(tag, run('git tag')).done, []);
    assert.deepEqual(note(checklist('Run `npm run check`'), run('npm run build')).done, []);
  });

  it('keeps earlier progress', () => {
    const known = { done: [1], tried: [3], open: [2, 3] };
    assert.deepEqual(noteItems(listItems(BUMP), known, [edit('CHANGELOG.md')], toGlobRegex), {
      ...{ done: [1, 2], tried: [3], open: [3] },
    });
  });
});

describe('the verdict on a procedure at the end of a session', () => {
  it('is clean if every item was done', () => {
    assert.equal(judgeItems({ done: [1, 2], tried: [], open: [] }, true), 'clean');
  });

  it('is incomplete if some of it was done or tried', () => {
    assert.equal(judgeItems({ done: [1], tried: [], open: [2] }, true), 'incomplete');
    assert.equal(judgeItems({ done: [], tried: [2], open: [1, 2] }, true), 'incomplete');
  });

  it('is ignored only if nothing was tried although that could be seen', () => {
    const open = { done: [], tried: [], open: [1, 2] };
    assert.equal(judgeItems(open, true), 'ignored');
    assert.equal(judgeItems(open, false), 'incomplete');
  });
});
