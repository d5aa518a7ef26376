import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { Promotion } from '../../src/base/model/promotion.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { makeDelivery, makeSession } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

let shell: Shell;
let repository: string;
const pathOf = (file: string): string => join(repository, file);
const read = (file: string): string => readFileSync(pathOf(file), 'latin1');
const write = (file: string, text: string): void => writeFileSync(pathOf(file), text, 'latin1');

beforeEach(() => {
  shell = openShell();
  repository = join(shell.home, 'repository');
  mkdirSync(repository);
  execFileSync('git', ['-C', repository, 'init', '-q']);
});
afterEach(() => shell.close());

const run = (...args: readonly string[]) => shell.run(args, { cwd: repository });
const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};
const refuse = async (args: readonly string[], said: RegExp): Promise<void> => {
  const { code, stderr } = await run(...args);
  assert.equal(code, 1, `${args.join(' ')}: ${stderr}`);
  assert.match(stderr, said);
  assert.match(stderr, /\n {2}next: /);
};

/** Lessons with so many judged deliveries, each in a session of this project. */
async function keep(lessons: readonly Lesson[], { clean = 5, failed = 0 } = {}): Promise<void> {
  const store = await openStore({ url: '', file: join(shell.dataDir, 'oncebitten.db') });
  const projectId = identifyProject(repository).id;
  for (const lesson of lessons) {
    await store.saveLesson(lesson, { by: 'test', reason: 'new', at: lesson.createdAt });
    for (let n = 0; n < clean + failed; n++) {
      const sessionId = `s${n}`;
      await store.saveSessions([makeSession({ sessionId, projectId })]);
      await store.saveDelivery(makeDelivery({ id: `dlv_${lesson.id}_${n}`, lessonId: lesson.id, sessionId }));
      await store.judgeDelivery(`dlv_${lesson.id}_${n}`, n < clean ? 'clean' : 'ignored', lesson.createdAt);
    }
  }
  await store.close();
}

const make = (slug: string, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    ...{ slug, confidence: 0.9, triggers: { tools: ['shell'], programs: [{ name: 'gh', sub: ['pr', slug] }] } },
    ...{ summary: `gh pr ${slug} is wrong`, mistake: 'it fails', remediation: 'gh pr view' },
    evidence: [{ agent: 'codex', sessionId: 's1', at: '2026-01-01T00:00:00.000Z', excerpt: 'unknown flag: --stat' }],
    ...fields,
  });

const isSaid = async (slug: string, cwd = repository): Promise<boolean> => {
  const args = ['explain', '--tool', 'Bash', '--input', JSON.stringify({ command: `gh pr ${slug}` }), '--json'];
  const { stdout } = await shell.run(args, { cwd });
  return JSON.parse(stdout).matches.length > 0;
};

interface List {
  readonly files: readonly string[];
  readonly candidates: readonly { readonly slug: string; readonly effectiveness: number }[];
  readonly items: readonly (Promotion & {
    readonly slug: string;
    readonly standing?: string;
    readonly note?: string;
  })[];
}
const list = (...args: readonly string[]): Promise<List> => json<List>('promote', 'list', ...args);
/** Made in one moment they are in no order. */
const listStates = async (...args: readonly string[]): Promise<readonly string[]> =>
  (await list(...args)).items.map(({ slug, file, state }) => `${slug} ${file} ${state}`).sort();

/** Approved, and written. */
const apply = async (slug: string, ...more: readonly string[]): Promise<void> => {
  await json('promote', 'approve', slug);
  await json('promote', 'apply', slug, ...more);
};

describe('promote', () => {
  it('lists what has proven itself here, and nothing else', async () => {
    const elsewhere = make('elsewhere', { scope: { kind: 'project', id: 'prj_other' } });
    await keep([make('proven'), make('draft', { status: 'draft' }), make('unsure', { confidence: 0.7 }), elsewhere]);
    await keep([make('failing')], { clean: 3, failed: 3 });
    await keep([make('young')], { clean: 4 });
    const { candidates } = await list();
    assert.deepEqual(
      candidates.map(({ slug, effectiveness }) => [slug, effectiveness]),
      [['proven', 1]],
    );
    assert.match(
      (await run('promote', 'list')).stdout,
      /AVOIDED +CASES.*\n100 % +5 +5 +0\.90 +proven +gh pr proven is wrong/,
    );
    // Of use in no session of another project.
    const outside = join(shell.home, 'outside');
    mkdirSync(outside);
    assert.match((await shell.run(['lessons', 'promote', 'list'], { cwd: outside })).stdout, /no lesson to promote/);
  });

  it('counts what was judged since a person decided, or it is measured anew', async () => {
    const deliveredAt = makeDelivery().deliveredAt;
    await keep([make('edited', { measure: { from: deliveredAt } }), make('proven')]);
    const { candidates } = await list();
    assert.deepEqual(
      candidates.map(({ slug }) => slug),
      ['proven'],
    );
    await refuse(['promote', 'approve', 'edited'], /measured in 0 of the 5 sessions/);
  });

  it('shows all that a person needs to decide, without changing anything', async () => {
    await keep([make('proven')]);
    write('AGENTS.md', '# Rules\n');
    const { stdout } = await run('promote', 'show', 'proven');
    for (const said of [
      /gh pr proven is wrong/,
      /context +`gh pr proven`/,
      /problem +it fails/,
      /solution +gh pr view/,
      /frequency +seen 1 time/,
      /5 of 5 measured cases \(100 %\), in 5 sessions/,
      /example +unknown flag: --stat/,
      /\+\+\+ AGENTS\.md.*\n # Rules\n\+\n\+<!-- oncebitten:begin/s,
    ])
      assert.match(stdout, said);
    const shown = await json<Record<string, unknown>>('promote', 'show', 'proven');
    assert.deepEqual(
      [shown.title, shown.problem, shown.solution, shown.examples, shown.verdict],
      ['gh pr proven is wrong', 'it fails', 'gh pr view', ['unknown flag: --stat'], 'candidate'],
    );
    assert.equal(read('AGENTS.md'), '# Rules\n');
  });

  it('goes from approved to written to rolled back, and the lesson is silent as long as it is written', async () => {
    await keep([make('proven', { priority: 10 })]);
    write('AGENTS.md', '# Rules\r\nno newline');
    await refuse(['promote', 'apply', 'proven'], /not approved/);
    await json('promote', 'approve', 'proven', '--reason', 'seen it');
    assert.deepEqual(await listStates(), ['proven AGENTS.md approved']);
    assert.ok(await isSaid('proven'));
    await refuse(['promote', 'approve', 'proven'], /approved and not written yet/);

    const dry = await json<{ files: readonly { diff: string }[] }>('promote', 'apply', 'proven', '--dry-run');
    assert.match(dry.files[0]?.diff ?? '', /\+- gh pr proven is wrong/);
    assert.equal(read('AGENTS.md'), '# Rules\r\nno newline');
    assert.deepEqual(await listStates(), ['proven AGENTS.md approved']);

    await json('promote', 'apply', 'proven');
    assert.match(
      read('AGENTS.md'),
      /^# Rules\r\nno newline.*\n.*oncebitten:begin.*gh pr proven is wrong.*oncebitten:end -->$/s,
    );
    assert.equal(await isSaid('proven'), false);
    assert.ok(await isSaid('proven', shell.home), 'a lesson for all projects is still said in others');
    await refuse(['promote', 'apply', 'proven'], /is written already/);
    await refuse(['promote', 'reject', 'proven'], /is written already/);
    assert.match((await run('lessons', 'show', 'proven')).stdout, /promotion +applied: .*AGENTS\.md/);
    await refuse(['lessons', 'undo'], /changed by a promotion \(written into AGENTS\.md\)/);

    await json('promote', 'rollback', 'proven');
    assert.equal(read('AGENTS.md'), '# Rules\r\nno newline');
    assert.ok(await isSaid('proven'));
    assert.deepEqual(await listStates(), ['proven AGENTS.md rolled_back']);
    assert.deepEqual((await list()).candidates, [], 'not offered again by itself');
    const history = await shell.list<{ reason: string }>('lessons', 'history', 'proven');
    assert.deepEqual(
      history.slice(1).map(({ reason }) => reason),
      [
        'promotion: approved for AGENTS.md: seen it',
        'promotion: written into AGENTS.md',
        'promotion: removed from AGENTS.md',
      ],
    );
    await json('promote', 'propose', 'proven');
    assert.deepEqual(await listStates('--all'), ['proven AGENTS.md pending', 'proven AGENTS.md rolled_back']);
  });

  it('refuses to approve what is not proven, unless a person proposes it; what is rejected stays so', async () => {
    await keep([make('young')], { clean: 2 });
    await keep([make('draft', { status: 'draft' }), make('proven')]);
    await refuse(['promote', 'approve', 'young'], /measured in 2 of the 5 sessions/);
    await refuse(['promote', 'propose', 'young'], /measured in 2 of the 5 sessions.*--force/s);
    await refuse(['promote', 'propose', 'draft', '--force'], /waits for review/);
    await json('promote', 'propose', 'young', '--force');
    await refuse(['promote', 'propose', 'young', '--force'], /is proposed already/);
    await refuse(['promote', 'apply', 'young'], /waits for approval/);
    await json('promote', 'reject', 'young', 'proven');
    assert.deepEqual(await listStates(), []);
    assert.deepEqual((await list()).candidates, []);
    await refuse(['promote', 'approve', 'proven'], /was rejected.*propose/s);
    await refuse(['promote', 'rollback', 'proven'], /was rejected/);
    await refuse(['promote', 'show', 'none'], /is not known/);
  });

  it('writes into every file that the project uses, each once', async () => {
    await keep([make('proven'), make('second')]);
    write('AGENTS.md', 'a\n');
    write('GEMINI.md', 'g\n');
    symlinkSync('AGENTS.md', pathOf('CLAUDE.md'));
    assert.deepEqual((await list()).files, ['AGENTS.md', 'GEMINI.md']);
    await apply('proven');
    assert.deepEqual(await listStates(), ['proven AGENTS.md applied', 'proven GEMINI.md applied']);
    assert.ok(lstatSync(pathOf('CLAUDE.md')).isSymbolicLink());
    await refuse(
      ['promote', 'rollback', 'proven', '--target', 'claude.md'],
      /is in .*\.md\n {2}next: oncebitten lessons promote rollback/,
    );
    await json('promote', 'rollback', 'proven', '--target', 'gemini');
    assert.equal(read('GEMINI.md'), 'g\n');
    assert.equal(await isSaid('proven'), false);
    await json('promote', 'rollback', 'proven');
    assert.equal(read('AGENTS.md'), 'a\n');
    rmSync(pathOf('CLAUDE.md'));
    write('CLAUDE.md', 'See @AGENTS.md\n');
    assert.deepEqual((await list()).files, ['AGENTS.md', 'GEMINI.md']);
    write('CLAUDE.md', 'Own rules.\n');
    assert.deepEqual((await list()).files, ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']);
    await json('promote', 'approve', 'second', '--target', 'claude');
    await json('promote', 'apply', 'second');
    assert.match(read('CLAUDE.md'), /gh pr second/);
    assert.equal(read('AGENTS.md'), 'a\n');
  });

  it('keeps the other names of a file (hard links), and counts them as one file', async () => {
    await keep([make('proven')]);
    const outside = join(shell.home, 'rules.md');
    write('AGENTS.md', 'a\n');
    linkSync(pathOf('AGENTS.md'), pathOf('CLAUDE.md'));
    linkSync(pathOf('AGENTS.md'), outside);
    assert.deepEqual((await list()).files, ['AGENTS.md']);
    await json('promote', 'approve', 'proven');
    const { stdout } = await run('promote', 'apply', 'proven');
    assert.match(stdout, /^AGENTS\.md has 2 other names \(hard links\): the text is the same there\.$/m);
    for (const path of [pathOf('CLAUDE.md'), outside]) assert.match(readFileSync(path, 'utf8'), /^a\n.*gh pr proven/s);
    await json('promote', 'rollback', 'proven');
    assert.deepEqual([readFileSync(outside, 'utf8'), statSync(outside).nlink], ['a\n', 3]);
  });

  it('makes a file only when told to, and removes it again with the last lesson', async () => {
    await keep([make('proven'), make('second')]);
    await json('promote', 'approve', 'proven', 'second');
    await refuse(['promote', 'apply', 'proven', 'second'], /AGENTS\.md: is not in .*--create/s);
    assert.equal(existsSync(pathOf('AGENTS.md')), false);
    await json('promote', 'apply', 'proven', 'second', '--create');
    assert.match(read('AGENTS.md'), /proven.*second/s);
    await json('promote', 'rollback', 'proven');
    assert.match(read('AGENTS.md'), /second/);
    await json('promote', 'rollback', 'second');
    assert.equal(existsSync(pathOf('AGENTS.md')), false);
  });

  it('keeps a file that was made when somebody wrote into it', async () => {
    await keep([make('proven')]);
    await apply('proven', '--create');
    write('AGENTS.md', `mine\n${read('AGENTS.md')}`);
    await json('promote', 'rollback', 'proven');
    assert.equal(read('AGENTS.md'), 'mine\n');
  });

  it('writes a skill for the tool, and takes its folders away again', async () => {
    await keep([make('proven', { tags: ['tool:gh'] })]);
    await json('promote', 'approve', 'proven', '--target', 'skill');
    await json('promote', 'apply', 'proven');
    const skill = '.claude/skills/oncebitten-gh/SKILL.md';
    assert.match(
      read(skill),
      /^---\nname: oncebitten-gh\ndescription: ".*before running gh\."\n---\n\n<!-- oncebitten:begin/,
    );
    assert.equal(await isSaid('proven'), false);
    await json('promote', 'rollback', 'proven');
    assert.equal(existsSync(pathOf('.claude')), false);
  });

  it('takes any Markdown file of the project, and no other', async () => {
    await keep([make('proven')]);
    mkdirSync(pathOf('.github'));
    const file = '.github/copilot-instructions.md';
    await refuse(['promote', 'approve', 'proven', '--target', '../x.md'], /is not in /);
    await refuse(['promote', 'approve', 'proven', '--target', 'run.sh'], /is not a Markdown file/);
    await json('promote', 'approve', 'proven', '--target', file);
    await json('promote', 'apply', 'proven', '--create');
    assert.match(read(file), /gh pr proven/);
  });

  it('leaves a section alone that somebody changed, and says what differs', async () => {
    await keep([make('proven')]);
    write('AGENTS.md', 'a\n');
    await apply('proven');
    write('AGENTS.md', read('AGENTS.md').replace('is wrong', 'is VERY wrong'));
    const edited = read('AGENTS.md');
    const [listed] = (await list()).items;
    assert.deepEqual([listed?.standing, /somebody changed it/.test(listed?.note ?? '')], ['changed', true]);
    await refuse(
      ['promote', 'rollback', 'proven'],
      /AGENTS\.md: has a section that somebody changed.*\+ - gh pr proven is VERY wrong/s,
    );
    assert.equal(read('AGENTS.md'), edited);
    await json('promote', 'rollback', 'proven', '--force');
    assert.equal(read('AGENTS.md'), 'a\n');
  });

  it('writes again what the lesson says by now, but not before it was approved as it is', async () => {
    await keep([make('proven')]);
    write('AGENTS.md', 'a\n');
    await json('promote', 'approve', 'proven');
    await json('lessons', 'edit', 'proven', '--fix', 'gh pr checks');
    await refuse(['promote', 'apply', 'proven'], /changed after it was approved/);
    await apply('proven');
    await json('lessons', 'edit', 'proven', '--fix', 'gh pr status');
    assert.match((await list()).items[0]?.note ?? '', /has changed since then: oncebitten lessons promote apply/);
    await json('promote', 'apply', 'proven');
    assert.match(read('AGENTS.md'), /gh pr status/);
    assert.doesNotMatch(read('AGENTS.md'), /gh pr checks/);
    await json('promote', 'rollback', 'proven');
    assert.equal(read('AGENTS.md'), 'a\n');
  });

  it('notices that somebody took the block out, or the file away, and lets the lesson speak again', async () => {
    await keep([make('proven'), make('second')]);
    write('AGENTS.md', 'a\n');
    for (const [slug, remove] of [
      ['proven', () => write('AGENTS.md', 'a\n')],
      ['second', () => rmSync(pathOf('AGENTS.md'))],
    ] as const) {
      await apply(slug);
      remove();
      const gone = (await list()).items.find(({ state }) => state === 'applied');
      assert.deepEqual([gone?.slug, gone?.standing], [slug, 'gone']);
      assert.match(
        (await run('promote', 'list')).stdout,
        /removed it from AGENTS\.md, so it fires again.*promote rollback/s,
      );
      assert.equal(await isSaid(slug), false);
      await json('promote', 'rollback', slug);
      assert.ok(await isSaid(slug));
      assert.ok((await listStates()).includes(`${slug} AGENTS.md rolled_back`));
    }
    assert.equal(existsSync(pathOf('AGENTS.md')), false);
  });

  it('is there as long as one clone has it, and is taken out where it is', async () => {
    await keep([make('proven')]);
    write('AGENTS.md', 'a\n');
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        stdio: 'ignore',
      });
    git('add', '.');
    git('commit', '-qm', 'x');
    const worktree = join(shell.home, 'worktree');
    git('worktree', 'add', '-q', worktree);
    await apply('proven');
    const { stdout } = await shell.run(['lessons', 'promote', 'list', '--json'], { cwd: worktree });
    assert.equal(JSON.parse(stdout).items[0].standing, 'there');
    const { code, stderr } = await shell.run(['lessons', 'promote', 'rollback', 'proven'], { cwd: worktree });
    assert.deepEqual([code, /is in .*repository\/AGENTS\.md, not here/.test(stderr)], [1, true]);
    // As git brings it.
    writeFileSync(join(worktree, 'AGENTS.md'), read('AGENTS.md'));
    write('AGENTS.md', 'a\n');
    assert.equal((await list()).items[0]?.standing, 'gone');
    const again = await shell.run(['lessons', 'promote', 'list', '--json'], { cwd: worktree });
    assert.equal(JSON.parse(again.stdout).items[0].standing, 'there');
    assert.equal((await shell.run(['lessons', 'promote', 'rollback', 'proven'], { cwd: worktree })).code, 0);
    assert.equal(readFileSync(join(worktree, 'AGENTS.md'), 'utf8'), 'a\n');
  });

  it('of a lesson that was archived since says so, and is taken out all the same', async () => {
    await keep([make('proven')]);
    write('AGENTS.md', 'a\n');
    await apply('proven');
    await json('lessons', 'archive', 'proven');
    assert.match(
      (await list()).items[0]?.note ?? '',
      /the lesson is now archived: oncebitten lessons promote rollback/,
    );
    await json('promote', 'rollback', 'proven');
    assert.equal(read('AGENTS.md'), 'a\n');
    assert.equal((await json<Lesson>('lessons', 'show', 'proven')).status, 'archived');
  });

  it('of a project whose folder is gone is rolled back from anywhere', async () => {
    await keep([make('proven')]);
    await apply('proven', '--create');
    rmSync(repository, { recursive: true });
    const { code, stderr } = await shell.run(['lessons', 'promote', 'rollback', 'proven'], { cwd: shell.home });
    assert.equal(code, 0, stderr);
  });

  it('is told from another project where the file is', async () => {
    await keep([make('proven')]);
    await apply('proven', '--create');
    const { code, stderr } = await shell.run(['lessons', 'promote', 'rollback', 'proven'], { cwd: shell.home });
    assert.deepEqual([code, /is in .*repository\/AGENTS\.md\n {2}next: run the command in/.test(stderr)], [1, true]);
  });

  it('refuses broken files, links out of the project, and more than the cap, and changes nothing', async () => {
    await keep([make('proven'), make('second')]);
    await json('promote', 'approve', 'proven', 'second', '--target', 'agents');
    const conflict = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n';
    write('AGENTS.md', conflict);
    await refuse(['promote', 'apply', 'proven'], /AGENTS\.md: has merge conflicts/);
    assert.equal(read('AGENTS.md'), conflict);
    rmSync(pathOf('AGENTS.md'));
    const outside = join(shell.home, 'elsewhere.md');
    writeFileSync(outside, 'a\n');
    symlinkSync(outside, pathOf('AGENTS.md'));
    await refuse(['promote', 'apply', 'proven'], /leads out of the project/);
    assert.equal(readFileSync(outside, 'utf8'), 'a\n');
    rmSync(pathOf('AGENTS.md'));
    write('AGENTS.md', 'a\n');
    await json('config', 'set', 'promotion.maxPerFile', '1');
    await refuse(['promote', 'apply', 'proven', 'second'], /has 1 promoted lessons already.*rollback|roll back/s);
    assert.equal(read('AGENTS.md'), 'a\n', 'all or none');
    assert.deepEqual(await listStates(), ['proven AGENTS.md approved', 'second AGENTS.md approved']);
    assert.ok(await isSaid('proven'));
  });

  it('has no secret to write, and refuses a home folder unless forced', async () => {
    const token = ['ghp', '_', 'a1B2c3D4e5'.repeat(3), 'f6G7h8'].join('');
    await keep([
      make('secret', { remediation: `login ${token}` }),
      make('home', { remediation: `cd ${shell.home}/x` }),
    ]);
    // The store keeps only redacted lessons.
    assert.equal(JSON.stringify(await json('promote', 'show', 'secret')).includes(token), false);
    await refuse(['promote', 'approve', 'home'], /names your home folder/);
    await json('promote', 'approve', 'home', '--force');
  });

  it('by several processes at once brings all lessons into the block', async () => {
    const slugs = ['one', 'two', 'three', 'four'];
    await keep(slugs.map((slug) => make(slug)));
    write('AGENTS.md', 'a\n');
    await json('promote', 'approve', ...slugs);
    const done = await Promise.all(slugs.map((slug) => run('promote', 'apply', slug)));
    assert.deepEqual(
      done.map(({ code, stderr }) => [code, stderr]),
      slugs.map(() => [0, '']),
    );
    for (const slug of slugs) assert.match(read('AGENTS.md'), new RegExp(`oncebitten:lesson ${slug} `));
    assert.deepEqual((await listStates()).filter((state) => state.endsWith('applied')).length, 4);
    for (const slug of slugs) assert.equal(await isSaid(slug), false);
    await Promise.all(slugs.map((slug) => json('promote', 'rollback', slug)));
    assert.equal(read('AGENTS.md'), 'a\n');
  });
});
