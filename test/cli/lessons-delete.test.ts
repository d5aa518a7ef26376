/** `lessons delete`, names without their last signs, and what `audit` says about paths: on a real store and folders. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { listAutomaticBackups, toBackupFile } from '../../src/keep/backup/backup-files.ts';
import { writeBackup } from '../../src/keep/backup/write-backup.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import type { CommandInput, Handler } from '../../src/surfaces/cli/command.ts';
import { run as audit } from '../../src/surfaces/cli/lessons/audit.ts';
import { runApprove as approve } from '../../src/surfaces/cli/lessons/change-lessons.ts';
import { run as remove } from '../../src/surfaces/cli/lessons/delete.ts';
import { run as show } from '../../src/surfaces/cli/lessons/show.ts';
import { makeChange, makeDelivery, makeFinding, makeProject, makePromotion } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const MARK = 'zanzibar';
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oncebitten-delete-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const home = () => toDataHome(join(dir, 'data'));
const give = (handler: Handler, names: readonly string[], options: object = {}, fields: Partial<CommandInput> = {}) =>
  handler({
    ...{ home: home(), arguments: names, options: { ...options }, env: { PATH: process.env.PATH ?? '', HOME: dir } },
    ...{ cwd: dir, readStdin: async () => '', readLines: async function* () {}, progress: () => {} },
    ...fields,
  } as CommandInput);

async function save(...lessons: readonly Lesson[]): Promise<void> {
  const store = await openSqliteStore(home().storeFile);
  for (const lesson of lessons) {
    await store.saveLesson(lesson, { by: 'test', reason: `written: ${lesson.summary}`, at: lesson.createdAt });
    await store.saveDelivery(makeDelivery({ id: `dlv_${lesson.id}`, lessonId: lesson.id }));
  }
  await store.close();
}

/** As the daemon does daily. */
async function backUp(): Promise<void> {
  const store = await openSqliteStore(home().storeFile);
  mkdirSync(home().backupsDir, { recursive: true });
  const at = new Date().toISOString();
  const file = toBackupFile(home(), at, 'daily');
  await writeBackup(store, { file, at, oncebitten: '0.0.0', onRows: () => {} });
  await store.close();
}

/** Of whatever is in the data directory. */
const holds = (text: string): boolean => listHolding(text).length > 0;
const listHolding = (text: string): readonly string[] =>
  readdirSync(join(dir, 'data'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => readFileSync(file).includes(text));

describe('oncebitten lessons delete', () => {
  const learned = { kind: 'episode', by: 'distill/x@1', trust: 'observed' } as const;
  const OWN = makeTestLesson({
    ...{ id: 'les_own', slug: 'own-1a2b', summary: `say ${MARK}`, remediation: MARK, origin: learned },
    status: 'draft',
  });
  const OTHER = makeTestLesson({ id: 'les_other', slug: 'other-3c4d' });

  it('removes the lesson, its history and every word of it from the disk, and nothing else', async () => {
    await save(OWN, OTHER);
    const store = await openSqliteStore(home().storeFile);
    await store.saveFindings([makeFinding({ lessonId: OWN.id })], []);
    await store.close();
    await give(approve, ['own']);
    await backUp();
    assert.equal(holds(MARK), true);
    const { json, text } = await give(remove, ['own-1a2b'], { yes: true });
    const { deleted, removed } = json as { deleted: boolean; removed: object };
    assert.deepEqual([deleted, removed], [true, { lessons: 1, deliveries: 1 }]);
    assert.match(text, /learns a new lesson/);
    assert.deepEqual(listHolding(MARK), []);
    const [backup] = listAutomaticBackups(home());
    const unpacked = gunzipSync(readFileSync(backup?.file ?? '')).toString();
    assert.deepEqual([unpacked.includes('other-3c4d'), unpacked.includes(MARK)], [true, false]);
    const after = await openSqliteStore(home().storeFile);
    assert.deepEqual(
      (await after.listLessons()).map(({ slug }) => slug),
      ['other-3c4d'],
    );
    assert.equal((await after.listDeliveries({})).length, 1);
    assert.deepEqual(
      (await after.listFindings()).map(({ lessonId }) => lessonId),
      [undefined],
    );
    assert.deepEqual(
      (await after.listForgotten()).map(({ kind, id }) => [kind, id]),
      [['lesson', 'les_own']],
    );
    await after.close();
  });

  it('asks first, and changes nothing without a yes or somebody to ask', async () => {
    await save(OWN);
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return 'no';
    };
    assert.equal((await give(remove, ['own'], {}, { ask })).failed, true);
    assert.match(asked[0] ?? '', new RegExp(`own-1a2b: say ${MARK}`));
    await assert.rejects(give(remove, ['own']), /no terminal to ask/);
    assert.equal(((await give(remove, ['own'], { dryRun: true })).json as { deleted: boolean }).deleted, false);
    assert.equal(((await give(show, ['own'])).json as Lesson).slug, 'own-1a2b');
  });

  it('deletes all that are named, or none', async () => {
    await save(OWN, OTHER);
    await assert.rejects(give(remove, ['own', 'nobody'], { yes: true }), /nobody/);
    await give(remove, ['own', 'other'], { yes: true });
    const store = await openSqliteStore(home().storeFile);
    assert.deepEqual(await store.listLessons(), []);
    await store.close();
  });

  it('leaves the file of a repository alone and names it', async () => {
    await save({
      ...OWN,
      scope: { kind: 'project', id: 'prj_a' },
      file: { slug: 'own-1a2b', hash: 'h', contentHash: 'x' },
    });
    const { json } = await give(remove, ['own'], { yes: true });
    assert.match((json as { files: string[] }).files[0] ?? '', /\.oncebitten\/lessons\/own-1a2b\.json$/);
  });

  it('refuses a lesson that stands in an instruction file', async () => {
    await save(OWN);
    const store = await openSqliteStore(home().storeFile);
    const promotion = makePromotion({ lessonId: OWN.id, file: 'CLAUDE.md', state: 'applied' });
    await store.updatePromotions([OWN.id], () => [{ lesson: OWN, promotion, change: makeChange('applied') }]);
    await store.close();
    await assert.rejects(give(remove, ['own'], { yes: true }), /CLAUDE\.md/);
  });
});

describe('the name of a lesson', () => {
  it('may be given without its last four signs where only one lesson is named so', async () => {
    const named = (slug: string) => makeTestLesson({ id: `les_${slug}`, slug, status: 'draft' });
    await save(named('pull-first-aaaa'), named('tag-it-bbbb'), named('tag-it-cccc'));
    const { json } = await give(approve, ['pull-first']);
    assert.deepEqual(
      (json as { lessons: Lesson[] }).lessons.map(({ slug }) => slug),
      ['pull-first-aaaa'],
    );
    await assert.rejects(give(approve, ['tag-it']), /is the short name of 2 lessons[\s\S]*|tag-it-bbbb/);
    await assert.rejects(give(show, ['tag-it']), ({ next }: { next: string }) => {
      assert.match(next, /tag-it-bbbb.*tag-it-cccc/);
      return true;
    });
    await assert.rejects(give(show, ['pull']), /is not known/);
  });
});

describe('audit', () => {
  it('names the path triggers of a project that match no file of its repository', async () => {
    const root = join(dir, 'repo');
    mkdirSync(join(root, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: root });
    writeFileSync(join(root, 'src/a.ts'), '');
    const { id } = identifyProject(root);
    const scope = { kind: 'project', id } as const;
    const files = (...paths: readonly string[]) => ({ tools: ['edit'], paths }) as const;
    const learned = { kind: 'episode', by: 'distill/x@1', trust: 'observed' } as const;
    await save(
      makeTestLesson({ id: 'les_1', slug: 'one-1a2b', scope, triggers: files('src/*.ts', 'lib/*.ts') }),
      makeTestLesson({ id: 'les_2', slug: 'two-1a2b', scope, triggers: files('gone.md'), origin: learned }),
      makeTestLesson({ id: 'les_3', slug: 'three-1a2b', triggers: files('everywhere.md') }),
    );
    const store = await openSqliteStore(home().storeFile);
    await store.saveProjects([makeProject({ id, name: 'repo', root, basis: 'path' })]);
    await store.close();
    const { json, text } = await give(audit, []);
    const { unmatchedPaths } = json as { unmatchedPaths: readonly { slug: string; path: string }[] };
    assert.deepEqual(
      unmatchedPaths.map(({ slug, path }) => [slug, path]),
      [['one-1a2b', 'lib/*.ts']],
    );
    assert.match(text, /match no file[\s\S]*lib\/\*\.ts/);
  });

  it('looks in the folder that it runs in before any session was recorded there', async () => {
    const root = join(dir, 'fresh');
    mkdirSync(root);
    execFileSync('git', ['init', '-q'], { cwd: root });
    const triggers = { tools: ['edit'], paths: ['lib/*.ts'] } as const;
    const scope = { kind: 'project', id: identifyProject(root).id } as const;
    await save(makeTestLesson({ id: 'les_1', slug: 'one-1a2b', scope, triggers }));
    const { json } = await give(audit, [], {}, { cwd: root });
    assert.equal((json as { unmatchedPaths: readonly unknown[] }).unmatchedPaths.length, 1);
  });

  it('runs no program that a repository or a variable names to git', async () => {
    const root = join(dir, 'repo');
    const [byRepository, byVariable] = [join(dir, 'by-repository'), join(dir, 'by-variable')];
    const writeProgram = (mark: string): string => {
      writeFileSync(`${mark}.sh`, `#!/bin/sh\n: >'${mark}'\n`, { mode: 0o755 });
      return `${mark}.sh`;
    };
    mkdirSync(root);
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['config', 'core.fsmonitor', writeProgram(byRepository)], { cwd: root });
    const { id } = identifyProject(root);
    const triggers = { tools: ['edit'], paths: ['lib/*.ts'] } as const;
    await save(makeTestLesson({ id: 'les_1', slug: 'one-1a2b', scope: { kind: 'project', id }, triggers }));
    const store = await openSqliteStore(home().storeFile);
    await store.saveProjects([makeProject({ id, name: 'repo', root, basis: 'path' })]);
    await store.close();
    const variables = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: writeProgram(byVariable),
    };
    for (const env of [{}, variables]) {
      Object.assign(process.env, env);
      const { json } = await give(audit, []);
      assert.equal((json as { unmatchedPaths: readonly unknown[] }).unmatchedPaths.length, 1);
    }
    for (const name of Object.keys(variables)) delete process.env[name];
    assert.deepEqual([existsSync(byRepository), existsSync(byVariable)], [false, false]);
  });
});
