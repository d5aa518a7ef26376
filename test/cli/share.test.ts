import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

let shell: Shell;
let repository: string;
const fileOf = (slug: string): string => join(repository, '.oncebitten/lessons', `${slug}.json`);
const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-C', repository, ...args], { stdio: 'ignore' });

beforeEach(() => {
  shell = openShell();
  repository = join(shell.home, 'repository');
  mkdirSync(repository);
  git('init', '-q');
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
const add = async (...more: readonly string[]): Promise<string> => {
  const words = ['--summary', `no stat ${more.length}`, '--fix', `gh pr diff --name-only ${more.length}`];
  return (
    await json<Lesson>('lessons', 'add', ...words, '--program', 'gh pr diff', '--with=--stat', '--project', ...more)
  ).slug;
};
const get = (slug: string): Promise<Lesson> => json<Lesson>('lessons', 'show', slug);

describe('lessons share', () => {
  it('writes a file that a reviewer can read, and says to commit it', async () => {
    const slug = await add();
    const { code, stdout } = await run('lessons', 'share', slug);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`Shared: ${slug}. Commit.*\\n .*${slug}.json`));
    const text = readFileSync(fileOf(slug), 'utf8');
    assert.deepEqual(Object.keys(JSON.parse(text)), [
      ...['$schema', 'version', 'slug', 'type', 'summary', 'mistake', 'remediation'],
      ...['triggers', 'priority', 'mode', 'tags', 'origin', 'contentHash'],
    ]);
    const { file, reviewedBy, scope } = await get(slug);
    assert.equal(file?.slug, slug);
    assert.match(reviewedBy ?? '', /^user:/);
    assert.equal(scope.kind, 'project');
    assert.match((await run('lessons', 'list')).stdout, new RegExp(`repository +${slug}`));
    await refuse(['lessons', 'share', slug], /is already shared, unchanged/);
  });

  it('keeps a lesson that speaks everywhere and gives the repository its own', async () => {
    const words = ['--summary', 'x', '--fix', 'y', '--program', 'gh pr diff', '--with=--stat'];
    const { slug } = await json<Lesson>('lessons', 'add', ...words);
    await json('lessons', 'share', slug);
    assert.ok(existsSync(fileOf(slug)));
    assert.deepEqual([(await get(slug)).scope.kind, (await get(slug)).file], ['user', undefined]);
    const copy = (await json<{ items: Lesson[] }>('lessons', 'list')).items.find(({ file }) => file?.slug === slug);
    assert.equal(copy?.scope.kind, 'project');
    await json('lessons', 'unshare', slug);
    assert.equal(existsSync(fileOf(slug)), false);
    assert.equal((await get(copy?.slug ?? '')).archival?.cause, 'superseded');
    await json('lessons', 'share', slug);
    assert.ok(existsSync(fileOf(slug)));
    assert.equal((await get(copy?.slug ?? '')).status, 'active');
  });

  it('refuses a secret and names the field', async () => {
    const slug = await add();
    const token = ['ghp', '_', 'a1B2c3D4e5'.repeat(3), 'f6G7h8'].join('');
    // Redacted on every way in: only an older version could have let it through.
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(shell.dataDir, 'oncebitten.db'));
    database
      .prepare(`update lessons set document = replace(document, 'gh pr diff --name-only', ?)`)
      .run(`login ${token}`);
    database.close();
    await refuse(['lessons', 'share', slug, '--force'], /seems to contain a secret in its remediation/);
    assert.equal(existsSync(join(repository, '.oncebitten')), false);
  });

  it('refuses where git would not see the file, unless told to', async () => {
    const slug = await add();
    writeFileSync(join(repository, '.gitignore'), '.oncebitten\n');
    await refuse(['lessons', 'share', slug], /was not shared: git ignores \.oncebitten/);
    await json('lessons', 'share', slug, '--force');
    assert.ok(existsSync(fileOf(slug)));
    const outside = join(shell.home, 'outside');
    mkdirSync(outside);
    const words = ['--summary', 'x', '--fix', 'z', '--program', 'gh', '--json'];
    const { stdout } = await shell.run(['lessons', 'add', ...words], { cwd: outside });
    const { code, stderr } = await shell.run(['lessons', 'share', JSON.parse(stdout).slug], { cwd: outside });
    assert.deepEqual([code, /is not a git work tree/.test(stderr)], [1, true]);
  });

  it('refuses names that are taken, and files that somebody changed', async () => {
    const slug = await add();
    mkdirSync(join(repository, '.oncebitten/lessons'), { recursive: true });
    writeFileSync(fileOf(slug), 'theirs');
    await refuse(['lessons', 'share', slug, '--force'], /would replace another file/);
    assert.equal(readFileSync(fileOf(slug), 'utf8'), 'theirs');
    rmSync(fileOf(slug));
    await json('lessons', 'share', slug);
    const edited = readFileSync(fileOf(slug), 'utf8').replace('"priority": 7', '"priority": 6');
    writeFileSync(fileOf(slug), edited);
    // What was read is theirs now; what is broken was read by nobody.
    writeFileSync(fileOf(slug), 'broken');
    await refuse(['lessons', 'share', slug], /has a file that somebody changed/);
    await refuse(['lessons', 'unshare', slug], /has a file that was changed or is broken/);
    assert.equal(readFileSync(fileOf(slug), 'utf8'), 'broken');
    await json('lessons', 'unshare', slug, '--force');
    assert.equal(existsSync(fileOf(slug)), false);
  });

  it('writes nothing through a link that leads out of the repository', async () => {
    const slug = await add();
    mkdirSync(join(shell.home, 'elsewhere'));
    symlinkSync(join(shell.home, 'elsewhere'), join(repository, '.oncebitten'));
    await refuse(['lessons', 'share', slug], /would be written outside/);
    assert.deepEqual(readdirSync(join(shell.home, 'elsewhere')), []);
  });

  it('refuses all when one of several cannot be shared', async () => {
    const slug = await add();
    const other = await add('--tag', 'x');
    await json('lessons', 'archive', other);
    await refuse(['lessons', 'share', slug, other], /is archived/);
    await refuse(['lessons', 'share', slug, 'no-such'], /no-such: /);
    mkdirSync(fileOf(slug), { recursive: true });
    await refuse(['lessons', 'share', slug], /would replace another file/);
    assert.equal((await get(slug)).file, undefined);
  });

  it('changes nothing where there can be no folder', async () => {
    const slug = await add();
    writeFileSync(join(repository, '.oncebitten'), 'a file');
    await refuse(['lessons', 'share', slug], /cannot be (?:read|written)/);
    assert.equal((await get(slug)).file, undefined);
    assert.equal(readFileSync(join(repository, '.oncebitten'), 'utf8'), 'a file');
  });

  it('changes nothing where the folder may not be written', { skip: process.getuid?.() === 0 }, async () => {
    const slug = await add();
    chmodSync(repository, 0o500);
    await refuse(['lessons', 'share', slug], /cannot be (?:read|written)/);
    chmodSync(repository, 0o700);
    assert.equal((await get(slug)).file, undefined);
  });
});

describe('lessons unshare', () => {
  it('takes the file away and keeps the lesson', async () => {
    const slug = await add();
    await refuse(['lessons', 'unshare', slug], /is not shared in/);
    const hint = (verb: string) => new RegExp(`: oncebitten lessons ${verb} .*${slug}$`, 'm');
    assert.match((await run('lessons', 'share', slug)).stdout, hint('unshare'));
    assert.match((await run('lessons', 'unshare', slug)).stdout, hint('share'));
    assert.equal(existsSync(join(repository, '.oncebitten')), false);
    const { status, file, scope } = await get(slug);
    assert.deepEqual([status, file, scope.kind], ['active', undefined, 'project']);
  });
});

describe('undo', () => {
  it('takes back sharing and taking back, with the files', async () => {
    const slug = await add();
    await json('lessons', 'share', slug);
    const text = readFileSync(fileOf(slug), 'utf8');
    const { stdout } = await run('lessons', 'undo');
    assert.match(stdout, /Removed: .*\. Commit it/);
    assert.deepEqual([existsSync(fileOf(slug)), (await get(slug)).file], [false, undefined]);
    await json('lessons', 'undo', '--redo', slug);
    assert.equal(readFileSync(fileOf(slug), 'utf8'), text);
    await json('lessons', 'unshare', slug);
    await json('lessons', 'undo', slug);
    assert.equal(readFileSync(fileOf(slug), 'utf8'), text);
    assert.equal((await get(slug)).file?.slug, slug);
  });

  it('says so when the file is somebody else’s by now, or elsewhere', async () => {
    const slug = await add();
    await json('lessons', 'share', slug);
    writeFileSync(fileOf(slug), 'broken');
    assert.match((await shell.run(['lessons', 'undo', slug])).stdout, /in another repository and stays/);
    await json('lessons', 'undo', '--redo', slug);
    assert.match((await run('lessons', 'undo', slug)).stdout, /was changed later and stays/);
    assert.equal(readFileSync(fileOf(slug), 'utf8'), 'broken');
  });
});

describe("a colleague's file", () => {
  const write = async (fields: object): Promise<void> => {
    mkdirSync(join(repository, '.oncebitten/lessons'), { recursive: true });
    const lesson = { slug: 'theirs', summary: 'use make', triggers: { programs: [{ name: 'ninja' }] }, ...fields };
    writeFileSync(fileOf(lesson.slug), JSON.stringify(lesson));
  };

  it('is listed, confirmed with approve, and foreign again when it changes', async () => {
    await write({});
    assert.match((await run('lessons', 'list')).stdout, /unconfirmed +repository +theirs/);
    await json('lessons', 'approve', 'theirs');
    assert.match((await get('theirs')).reviewedBy ?? '', /^user:/);
    await write({ remediation: 'make -j' });
    await run('lessons', 'list');
    assert.equal((await get('theirs')).reviewedBy, undefined);
  });

  it('that is broken is reported with file and line, and the others work', async () => {
    await write({});
    writeFileSync(fileOf('broken'), '{\n  "slug": "broken",\n  "summary": 7\n}\n');
    const { stdout } = await run('lessons', 'list');
    assert.match(stdout, /theirs/);
    assert.match(stdout, /of this repository that cannot be used: 1\n .*broken\.json:3: summary: /);
    const doctor = JSON.parse((await run('doctor', '--json')).stdout);
    const check = doctor.checks.find(({ name }: { name: string }) => name === 'lesson files');
    assert.equal(check.state, 'bad');
    assert.match(check.detail, /1 invalid, 1 valid in 1 repository: .*broken\.json:3/);
  });

  it('that holds a secret gets into no store', async () => {
    const token = ['ghp', '_', 'a1B2c3D4e5'.repeat(3), 'f6G7h8'].join('');
    await write({ mistake: `it said ${token}` });
    const { stdout } = await run('lessons', 'list');
    assert.match(stdout, /theirs\.json: mistake: seems to contain a secret/);
    for (const name of readdirSync(shell.dataDir).filter((one) => one.startsWith('oncebitten.db')))
      assert.equal(readFileSync(join(shell.dataDir, name)).includes(token), false);
  });
});
