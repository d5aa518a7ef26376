/** What a stranger does to the files that lessons were promoted into: branches, kills, edits. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { Promotion } from '../../src/base/model/promotion.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

let shell: Shell;
let repository: string;
const pathOf = (file: string): string => join(repository, file);
const read = (file: string): string => readFileSync(pathOf(file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(pathOf(file), text);
const git = (...args: readonly string[]): void => {
  const own = ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@t'];
  execFileSync('git', [...own, ...args], { stdio: 'ignore' });
};

beforeEach(async () => {
  shell = openShell();
  repository = join(shell.home, 'repository');
  mkdirSync(repository);
  git('init', '-q', '-b', 'main');
  write('AGENTS.md', 'a\n');
  git('add', '.');
  git('commit', '-qm', 'a');
});
afterEach(() => shell.close());

/** Nobody has judged it: it is promoted by force. */
const keep = (fields: Partial<Lesson> = {}): Promise<void> =>
  withStore(async (store) => {
    const triggers = { tools: ['shell' as const], programs: [{ name: 'gh', sub: ['pr', 'diff'] }] };
    const words = { summary: 'gh pr diff is wrong', mistake: 'it fails', remediation: 'gh pr view' };
    const lesson = makeTestLesson({ slug: 'gh-x7k2', confidence: 0.9, triggers, ...words, ...fields });
    await store.saveLesson(lesson, { by: 'test', reason: 'new', at: lesson.createdAt });
  });

async function withStore<T>(use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const store = await openStore({ url: '', file: join(shell.dataDir, 'oncebitten.db') });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Commands that are told name the data directory, as it is no usual one. */
const toPlain = (text: string): string => text.replaceAll(` --home ${shell.dataDir}`, '');
const run = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await shell.run(args, { cwd: repository });
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return toPlain(stdout);
};
const refuse = async (args: readonly string[], said: RegExp): Promise<void> => {
  const { code, stderr } = await shell.run(args, { cwd: repository });
  assert.deepEqual([code, said.test(toPlain(stderr))], [1, true], stderr);
};
const promote = async (...targets: readonly string[]): Promise<void> => {
  const more = targets.flatMap((target) => ['--target', target]);
  await run('promote', 'propose', 'gh-x7k2', '--force', ...more);
  await run('promote', 'approve', 'gh-x7k2', '--force');
  await run('promote', 'apply', 'gh-x7k2');
};
const explain = (): Promise<string> => run('explain', '--tool', 'Bash', '--input', '{"command":"gh pr diff"}');
const isSaid = async (): Promise<boolean> => /^These lessons fire on this call/m.test(await explain());
const listStates = async (): Promise<readonly string[]> => {
  const { items: promotions } = JSON.parse(await run('promote', 'list', '--json')) as { items: readonly Listed[] };
  return promotions.map(({ file, state, standing = '' }) => `${file} ${state} ${standing}`.trim()).sort();
};
type Listed = Promotion & { readonly standing?: string };
/** Something that is no matter of promotions, and compiles. */
const compile = (summary: string): Promise<string> =>
  run('lessons', 'add', '--summary', summary, '--program', 'make', '--fix', summary);

describe('rollback', () => {
  it('takes out what a killed process had written already, and what it left beside the file', async () => {
    await keep();
    write('CLAUDE.md', 'c\n');
    await promote();
    // As it is when the process dies behind the first file: nothing is in the store, and a copy is left.
    await withStore(async (store) => {
      const promotions = await store.listPromotions();
      await store.updatePromotions(['gh-x7k2'], ([lesson]) => {
        assert.ok(lesson);
        return promotions.map(({ hash: _, ...promotion }) => ({
          ...{ lesson, promotion: { ...promotion, state: 'approved' } },
          change: { by: 'test', reason: 'killed', at: lesson.updatedAt },
        }));
      });
    });
    write('AGENTS.md', 'a\n');
    const [left, young] = ['1', '2'].map((n) => `.AGENTS.md.0f8fad5b-d9cb-469f-a165-70867728950${n}.tmp`);
    const others = ['.AGENTS.md.mine.tmp', 'AGENTS.md.tmp'];
    for (const name of [left, young, ...others]) write(name ?? '', 'x');
    utimesSync(pathOf(left ?? ''), 0, 0);
    await run('promote', 'apply', 'gh-x7k2');
    assert.match(read('AGENTS.md'), /gh-x7k2/);
    const names = readdirSync(repository).filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(names.sort(), [young, ...others].sort(), 'a young one may be at work still');
    await run('promote', 'rollback', 'gh-x7k2');
    assert.deepEqual([read('AGENTS.md'), read('CLAUDE.md')], ['a\n', 'c\n']);
  });

  it('takes out what another branch brought back', async () => {
    await keep();
    git('checkout', '-qb', 'feat');
    await promote();
    git('commit', '-qam', 'lessons');
    git('checkout', '-q', 'main');
    assert.match(await run('promote', 'rollback', 'gh-x7k2'), /^Rolled back/);
    git('checkout', '-q', 'feat');
    await promote();
    await run('promote', 'rollback', 'gh-x7k2');
    assert.equal(read('AGENTS.md'), 'a\n');
    git('checkout', '-q', '.');
    assert.match(await run('promote', 'list'), /is still in AGENTS\.md\n {2}next: .*rollback gh-x7k2/);
    await run('promote', 'rollback', 'gh-x7k2');
    assert.equal(read('AGENTS.md'), 'a\n', 'without being proposed again');
    await refuse(['promote', 'rollback', 'gh-x7k2'], /was rolled back/);
  });

  it('takes out what was written but never noted', async () => {
    await keep();
    await promote();
    const written = read('AGENTS.md');
    await run('promote', 'rollback', 'gh-x7k2');
    await run('promote', 'propose', 'gh-x7k2', '--force');
    await run('promote', 'approve', 'gh-x7k2', '--force');
    await refuse(['promote', 'rollback', 'gh-x7k2'], /approved and not written yet/);
    write('AGENTS.md', written);
    await run('promote', 'rollback', 'gh-x7k2');
    assert.equal(read('AGENTS.md'), 'a\n');
  });

  it('says how to propose it again, also a lesson that is not proven', async () => {
    await keep();
    await promote();
    const hint = /oncebitten (lessons promote propose gh-x7k2 --force)/.exec(
      await run('promote', 'rollback', 'gh-x7k2'),
    );
    await refuse(['promote', 'apply', 'gh-x7k2'], /was rolled back.*\n {2}next: .*propose gh-x7k2 --force/);
    await run(...(hint?.[1] ?? '').split(' '));
    assert.match(await run('promote', 'reject', 'gh-x7k2'), /promote propose gh-x7k2 --force/);
  });
});

describe('apply', () => {
  it('writes again what somebody took out, and replaces what somebody changed when forced', async () => {
    await keep();
    await promote();
    const written = read('AGENTS.md');
    await refuse(['promote', 'apply', 'gh-x7k2'], /is written already/);
    git('checkout', '-q', 'AGENTS.md');
    await run('promote', 'apply', 'gh-x7k2');
    assert.equal(read('AGENTS.md'), written);
    write('AGENTS.md', written.replace('is wrong', 'is VERY wrong'));
    await refuse(['promote', 'apply', 'gh-x7k2'], /somebody changed.*VERY.*--force/s);
    await run('promote', 'apply', 'gh-x7k2', '--force');
    assert.equal(read('AGENTS.md'), written);
    await refuse(['promote', 'apply', 'gh-x7k2', '--force'], /is written already/);
  });

  it('writes nothing into a folder of git', async () => {
    await keep();
    for (const target of ['.git/x.md', '.GIT/hooks/x.md'])
      await refuse(['promote', 'propose', 'gh-x7k2', '--force', '--target', target], /is inside a folder of git/);
  });
});

describe('a promoted lesson whose block is gone', () => {
  for (const scope of ['user', 'project'] as const)
    it(`speaks again from the next time that lessons are compiled, and is silent when it is back (${scope})`, async () => {
      await keep(scope === 'user' ? {} : { scope: { kind: 'project', id: identifyProject(repository).id } });
      git('checkout', '-qb', 'feat');
      await promote();
      git('commit', '-qam', 'lessons');
      assert.equal(await isSaid(), false);
      assert.match(await explain(), /gh-x7k2: promoted: it is written in AGENTS\.md/);
      git('checkout', '-q', 'main');
      await compile('one');
      assert.ok(await isSaid());
      assert.deepEqual(await listStates(), ['AGENTS.md applied gone']);
      git('checkout', '-q', 'feat');
      await compile('other');
      assert.equal(await isSaid(), false);
    });

  it('is told by doctor', async () => {
    await keep();
    const find = async (): Promise<Readonly<Record<string, string>> | undefined> => {
      const { stdout } = await shell.run(['doctor', '--json'], { cwd: repository });
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'promoted lessons');
    };
    assert.equal(await find(), undefined);
    await promote();
    assert.equal((await find())?.state, 'ok');
    rmSync(pathOf('AGENTS.md'));
    const gone = await find();
    assert.equal(gone?.state, 'advice');
    assert.match(gone?.detail ?? '', /1 of 1 are no longer in their files: gh-x7k2 \(.*AGENTS\.md\)/);
    assert.match(gone?.next ?? '', /promote apply gh-x7k2, or rollback/);
  });
});

describe('promote list', () => {
  it('keeps within 80 columns and shows what was rolled back', async () => {
    const slug = 'gh-pull-request-difference-with-statistics-x7k2';
    await keep({ slug });
    const target = 'documentation/for/agents/of/every/kind/and/make/instructions.md';
    const step = (name: string, ...more: readonly string[]) => run('promote', name, slug, ...more);
    const list = async (): Promise<string> => {
      const text = await shell.show(['lessons', 'promote', 'list'], 80, repository);
      // Commands and paths are copied whole.
      for (const line of text.split('\n')) assert.ok(line.length <= 80 || /oncebitten |^ *\S+,$/.test(line), line);
      return text;
    };
    await list();
    await step('propose', '--force', '--target', target, '--target', 'agents');
    await step('approve');
    await step('apply', '--create');
    assert.match(await list(), new RegExp(`^applied +${slug}\n +${target},`, 'm'));
    write('AGENTS.md', 'a\n');
    assert.match(await list(), /^applied, gone .*next:\s+oncebitten lessons promote rollback/ms);
    await step('rollback');
    assert.equal(existsSync(pathOf(target)), false);
    assert.match(await list(), /^rolled back +gh-pull/m);
    assert.deepEqual(await listStates(), ['AGENTS.md rolled_back', `${target} rolled_back`]);
    await step('propose', '--force', '--target', 'agents');
    assert.deepEqual(await listStates(), ['AGENTS.md pending', `${target} rolled_back`]);
  });

  it('and show name the folder of other projects', async () => {
    await keep();
    await promote();
    const elsewhere = join(shell.home, 'elsewhere');
    mkdirSync(elsewhere);
    const say = async (...args: readonly string[]) => (await shell.run(args, { cwd: elsewhere })).stdout;
    assert.match(await say('promote', 'show', 'gh-x7k2'), /applied +\S+\/repository\/AGENTS\.md/);
    assert.match(await say('promote', 'list', '--all'), /repository\/AGENTS\.md/);
    assert.match(await run('promote', 'show', 'gh-x7k2'), /applied +AGENTS\.md/);
  });
});
