/** What a person at a terminal does: an editor for a lesson that is there, questions for one that is not. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UserError } from '../../src/base/errors.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import type { CommandInput, Handler } from '../../src/surfaces/cli/command.ts';
import { run as add } from '../../src/surfaces/cli/lessons/add.ts';
import { run as edit } from '../../src/surfaces/cli/lessons/edit.ts';
import { run as show } from '../../src/surfaces/cli/lessons/show.ts';

const NOW = '2026-01-01T00:00:00.000Z';

describe('lessons by hand', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-hand-'));
  let slug: string;

  const toInput = (fields: Partial<CommandInput>): CommandInput => ({
    home: toDataHome(join(dir, 'data')),
    arguments: [],
    options: {},
    env: { PATH: process.env.PATH ?? '' },
    cwd: dir,
    readStdin: async () => '',
    readLines: async function* () {},
    progress: () => {},
    ...fields,
  });
  const give = async <T>(handler: Handler, fields: Partial<CommandInput>): Promise<T> =>
    (await handler(toInput(fields))).json as T;
  const answer = (answers: readonly string[]) => {
    const left = [...answers];
    return async () => left.shift() ?? '';
  };
  const editWith = (EDITOR: string) =>
    give<{ lesson: Lesson; changed: readonly string[] }>(edit, {
      arguments: [slug],
      ask: answer([]),
      env: { PATH: process.env.PATH ?? '', EDITOR },
    });

  before(async () => {
    const answers = ['no --stat', '', 'gh pr diff 7', 'gh pr diff', '--stat --shortstat'];
    const lesson = await give<Lesson>(add, { ask: answer(answers) });
    slug = lesson.slug;
    assert.deepEqual(
      [lesson.summary, lesson.remediation, lesson.triggers],
      [
        'no --stat',
        'gh pr diff 7',
        { tools: ['shell'], programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat', '--shortstat'] } }] },
      ],
    );
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('are written by answering questions, about a file where no command is named', async () => {
    const { triggers } = await give<Lesson>(add, { ask: answer(['keep it short', '', '', '', '**/README.md']) });
    assert.deepEqual(triggers, { paths: ['**/README.md'] });
  });

  it('are not written without an answer', async () => {
    await assert.rejects(give(add, { ask: answer([]) }), (error) => error instanceof UserError);
  });

  it('are edited in the editor of the person, options and all', async () => {
    const { lesson, changed } = await editWith(`sed -i 's/no --stat/none at all/'`);
    assert.deepEqual([lesson.summary, changed], ['none at all', ['summary']]);
  });

  it('stay as they are when the editor changed nothing, or failed', async () => {
    const before = await give<Lesson>(show, { arguments: [slug] });
    await assert.rejects(editWith('true'), /would not change/);
    await assert.rejects(editWith('false'), /failed; nothing was changed/);
    await assert.rejects(editWith('/no/such/editor'), /failed; nothing was changed/);
    assert.deepEqual(await give<Lesson>(show, { arguments: [slug] }), before);
  });

  it('keep what was typed where it cannot be read, and say how to go on', async () => {
    const rejected = await editWith(`sed -i 's/"priority": 7/"priority": 70/'`).then(
      () => assert.fail('it was taken'),
      (error) => error,
    );
    assert.ok(rejected instanceof UserError);
    assert.match(rejected.reason, /priority/);
    const [, file = ''] = /--stdin < (\S+)/.exec(rejected.next) ?? [];
    assert.match(readFileSync(file, 'utf8'), /"priority": 70/);
    rmSync(join(file, '..'), { recursive: true });
    assert.ok(!existsSync(file));
  });

  it('are told that they stay silent where their score cannot reach the setting', async () => {
    const weak = { options: { summary: 'mind the freeze', fix: 'ask first', keyword: ['freeze'], priority: '5' } };
    const { warning = '', slug } = await give<Lesson & { warning?: string }>(add, weak);
    assert.match(warning, /below minScore \(0\.55, minimum 0\.7\); name its tools/);
    const env = { PATH: process.env.PATH ?? '', ONCEBITTEN_MIN_SCORE: '0.5' };
    const other = { options: { summary: 'mind the thaw', fix: 'ask first', keyword: ['thaw'], priority: '5' }, env };
    assert.equal((await give<{ warning?: string }>(add, other)).warning, undefined);
    const strong = { options: { summary: 'mind the ice', fix: 'ask', keyword: ['ice'], priority: '7' } };
    assert.equal((await give<{ warning?: string }>(add, strong)).warning, undefined);
    const edited = await edit(toInput({ arguments: [slug], options: { summary: 'mind it' } }));
    assert.match(edited.text, /But it does not fire/);
  });

  it('are told that they stay silent where the setting asks for more confidence', async () => {
    const env = { PATH: process.env.PATH ?? '', ONCEBITTEN_MIN_CONFIDENCE: '0.95' };
    const options = { summary: 'mind the tide', fix: 'ask', program: ['tide'] };
    const { warning } = await give<{ warning?: string }>(add, { options, env });
    assert.match(warning ?? '', /does not fire.*below minConfidence \(0\.9, minimum 0\.95\)/);
  });

  it('are there already under every id of a joined project', async () => {
    const cwd = mkdtempSync(join(dir, 'clone-'));
    const options = { summary: 'mind the gap', fix: 'jump', program: ['gap'], project: true };
    await give(add, { options, cwd });
    const other = mkdtempSync(join(dir, 'shop-'));
    const store = await openStore({ url: '', file: toDataHome(join(dir, 'data')).storeFile });
    await store.joinProjects(identifyProject(cwd).id, identifyProject(other).id, { at: NOW, dryRun: false });
    await store.close();
    await assert.rejects(give(add, { options, cwd: other }), /already exists as mind-the-gap/);
  });

  it('have no keyword that stands in every message', async () => {
    for (const keyword of ['e', 'the'])
      await assert.rejects(
        give(add, { options: { summary: 'x', fix: 'y', keyword: [keyword] } }),
        /stands in nearly every message/,
      );
  });
});
