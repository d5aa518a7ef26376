import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toContentHash } from '../../src/distill/lessons/hash-lesson.ts';
import type { LessonsDocument } from '../../src/keep/sharing/lessons-document-schema.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { ImportReport } from '../../src/loop/import/plan-import.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const EVIDENCE = {
  agent: 'claude-code',
  sessionId: 's1',
  file: '/home/ada/.claude/projects/x/s1.jsonl',
  lines: [3, 5],
  at: AT,
  excerpt: 'cat /home/ada/shop/a.txt',
} as const;

function make(fields: Partial<Lesson>): Lesson {
  const lesson = makeTestLesson(fields);
  return { ...lesson, contentHash: toContentHash(lesson) };
}

const LESSONS = [
  make({
    id: 'les_A',
    slug: 'one',
    evidence: [EVIDENCE],
    mistake: `it told to try \`oncebitten scan\` in the other folder with ${TOKEN}`,
  }),
  make({ id: 'les_B', slug: 'two', status: 'draft', mistake: 'two', scope: { kind: 'project', id: 'prj_1' } }),
  make({ id: 'les_C', slug: 'three', mistake: 'three', scope: { kind: 'session', id: 's1' } }),
  make({ id: 'les_D', slug: 'four', mistake: 'four', status: 'archived' }),
];

async function fill(dir: string, lessons: readonly Lesson[]): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const store = await openSqliteStore(join(dir, 'oncebitten.db'));
  for (const lesson of lessons) await store.saveLesson(lesson, { by: 'user:test', reason: 'test', at: AT });
  await store.close();
}

/** Every byte of everything there, logs apart. */
function hashFolder(dir: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(dir, name);
    if (statSync(path).isFile() && !name.endsWith('.log')) hash.update(name).update(readFileSync(path));
  }
  return hash.digest('hex');
}

describe('oncebitten lessons export', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    await fill(shell.dataDir, LESSONS);
  });
  after(() => shell.close());

  const get = (...args: string[]) => shell.json<LessonsDocument>('lessons', 'export', ...args);
  const slugs = async (...args: string[]) => (await get(...args)).lessons.map(({ slug }) => slug);

  it('prints one document, without secrets and without paths of this machine', async () => {
    const { stdout, code } = await shell.run(['lessons', 'export']);
    assert.equal(code, 0);
    const document = JSON.parse(stdout) as LessonsDocument;
    assert.deepEqual(
      [document.$schema, document.type, document.version],
      ['oncebitten/lessons.schema.json', 'lessons', 1],
    );
    const { file: _, lines: __, ...shown } = EVIDENCE;
    assert.deepEqual(document.lessons[0]?.evidence, [{ ...shown, excerpt: 'cat ~/shop/a.txt' }]);
    assert.match(
      document.lessons[0]?.mistake ?? '',
      /`oncebitten scan` in the other folder with \[redacted:github-token\]$/,
      'no hint is added to data',
    );
    assert.equal(stdout.includes('/home/ada') || stdout.includes(TOKEN), false);
  });

  it('takes filters; what is true in one session stays unless it is asked for', async () => {
    assert.deepEqual(await slugs(), ['one', 'two', 'four']);
    assert.deepEqual(await slugs('--status', 'draft'), ['two']);
    assert.deepEqual(await slugs('--scope', 'session'), ['three']);
    assert.deepEqual(await slugs('--scope', 'project'), ['two']);
  });

  it('adds what is asked for: history, and where it was seen', async () => {
    const [plain] = (await get('--status', 'active')).lessons;
    assert.equal(plain?.history, undefined);
    const [whole] = (await get('--status', 'active', '--history', '--with-evidence')).lessons;
    assert.deepEqual(whole?.history, [{ by: 'user:test', reason: 'test', at: AT }]);
    assert.deepEqual(whole?.evidence, [EVIDENCE]);
  });

  it('is the same text after an import elsewhere', async () => {
    const other = join(shell.home, 'other');
    const file = join(shell.home, 'same.json');
    await shell.run(['lessons', 'export', '--out', file]);
    const { code } = await shell.run(['lessons', 'import', file, '--trust'], { home: other });
    assert.equal(code, 0);
    const { stdout } = await shell.run(['lessons', 'export'], { home: other });
    assert.equal(stdout, readFileSync(file, 'utf8'));
  });

  it('writes a file that only its owner reads', async () => {
    const file = join(shell.home, 'out.json');
    assert.deepEqual(await shell.json('lessons', 'export', '--out', file), { file, lessons: 3 });
    assert.equal(statSync(file).mode & 0o077, 0);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), await get());
  });

  it('replaces a file that is there only when it is told to, as a backup does', async () => {
    const file = join(shell.home, 'mine.json');
    writeFileSync(file, 'mine');
    const { code, stderr } = await shell.run(['lessons', 'export', '--out', file]);
    assert.equal(code, 1);
    assert.match(stderr, /mine\.json: .*\n {2}next: .*--force/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    assert.equal((await shell.run(['lessons', 'export', '--out', file, '--force'])).code, 0);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), await get());
  });

  for (const [args, said, expected = 1] of [
    [['--status', 'odd'], /status odd: .*\n {2}next: .*draft/, 2],
    [['--scope', 'odd'], /scope odd: /, 2],
    [['--out', ''], /--out: /, 2],
    [['--out', '.'], /is a folder/],
    [['--out', 'not/there/x.json'], /its folder does not exist\n {2}next: create it: mkdir -p/],
    [['--project', 'nowhere'], /is neither a known project/],
  ] as const) {
    it(`says what is wrong with ${args.join(' ')}`, async () => {
      const { code, stderr, stdout } = await shell.run(['lessons', 'export', ...args]);
      assert.deepEqual([code, stdout], [expected, '']);
      assert.match(stderr, said);
    });
  }
});

describe('oncebitten lessons import', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    await fill(shell.dataDir, LESSONS);
  });
  after(() => shell.close());

  const write = (name: string, content: unknown): string => {
    const file = join(shell.home, name);
    writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
    return file;
  };
  const at = (home: string) => ({ home: join(shell.home, home) });
  const run = async (home: string, ...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(['lessons', ...args, '--json'], at(home));
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  it('gives back an export: out, into an empty store, out again', async () => {
    const file = join(shell.home, 'round.json');
    await shell.run(['lessons', 'export', '--out', file]);
    const report: ImportReport = await run('empty', 'import', file, '--trust');
    assert.deepEqual([report.format, report.counts.new, report.counts.refused], ['own', 3, 0]);
    assert.deepEqual(await run('empty', 'export'), JSON.parse(readFileSync(file, 'utf8')));
    assert.equal((await run('empty', 'import', file, '--trust')).counts.unchanged, 3);
  });

  const STORE = write.bind(undefined);
  const FORMS: Readonly<Record<string, () => string>> = {
    'lessons-json': () =>
      STORE('lessons.json', {
        lessons: [
          {
            slug: 'npm-ci',
            summary: 'use ci',
            mistake: 'm',
            remediation: 'npm ci',
            triggers: { toolNames: ['Bash'], commandPatterns: ['^(?!.*--ci)npm install'] },
          },
        ],
      }),
    'process-knowledge': () =>
      STORE('graph.json', {
        nodes: [
          {
            id: 'n1',
            type: 'Concept',
            label: 'Sign',
            process_type: 'requirement',
            priority: 'HIGH',
            requirement: { constraint: 'sign tags' },
            trigger_conditions: { command_patterns: ['git tag'] },
          },
        ],
      }),
    rules: () => STORE('CLAUDE.md', '# Rules\n\n- Never run `git push --force`\n'),
  };
  for (const [form, makeFile] of Object.entries(FORMS)) {
    it(`knows ${form} by itself, makes drafts of it, and takes it once`, async () => {
      const file = makeFile();
      const report: ImportReport = await run(form, 'import', file);
      assert.deepEqual([report.format, report.counts.new, report.counts.drafts], [form, 1, 1]);
      const [lesson] = ((await run(form, 'list')) as { items: Lesson[] }).items;
      assert.deepEqual(
        [lesson?.status, lesson?.mode, lesson?.origin.trust, lesson?.origin.by],
        ['draft', 'note', 'foreign', `import/${form}`],
      );
      assert.equal((await run(form, 'import', file)).counts.unchanged, 1);
      const exported = join(shell.home, `${form}.json`);
      await run(form, 'export', '--out', exported);
      await run(`${form}-again`, 'import', exported, '--trust');
      assert.deepEqual(await run(`${form}-again`, 'export'), JSON.parse(readFileSync(exported, 'utf8')));
    });
  }

  it('lets a draft speak once it is approved, where its pattern did, and nowhere else', async () => {
    const file = FORMS['lessons-json']?.() ?? '';
    await run('spoken', 'import', file);
    const speaks = async (command: string): Promise<boolean> => {
      const input = JSON.stringify({ command });
      const { stdout } = await shell.run(['explain', '--tool', 'Bash', '--input', input, '--json'], at('spoken'));
      return JSON.stringify((JSON.parse(stdout) as { matches: unknown }).matches).includes('npm-ci');
    };
    assert.equal(await speaks('npm install'), false);
    await run('spoken', 'approve', 'npm-ci');
    assert.deepEqual([await speaks('npm install'), await speaks('npm install --ci')], [true, false]);
  });

  it('does not let a draft be approved that has nothing to speak at', async () => {
    const { lessons } = await run('mute', 'import', write('rules.md', '- Always write short sentences\n'));
    const { code, stderr } = await shell.run(['lessons', 'approve', lessons[0].slug], at('mute'));
    assert.equal(code, 1);
    assert.match(stderr, /has no trigger yet\n {2}next: say when it fires/);
    assert.match((await shell.run(['lessons', 'list'], at('mute'))).stdout, /nothing yet/);
  });

  it('reads standard input, and puts lessons into the project of the folder', async () => {
    const options = { ...at('stdin'), stdin: '- Always run `npm test` before `git commit`\n', cwd: shell.home };
    const { stdout } = await shell.run(['lessons', 'import', '-', '--scope', 'project'], options);
    assert.match(
      stdout,
      /^standard input, format: rules\n\n {2}new +line 1 -> .*\n +a draft because it comes from outside/,
    );
    const [lesson] = ((await run('stdin', 'list')) as { items: Lesson[] }).items;
    assert.equal(lesson?.scope.kind, 'project');
  });

  it('only tells, in a dry run, what it would do, and changes no byte', async () => {
    await shell.run(['lessons', 'list']);
    const was = hashFolder(shell.dataDir);
    const file = write('mixed.json', {
      type: 'lessons',
      version: 1,
      lessons: [
        { slug: 'bad' },
        ...(await shell.json<LessonsDocument>('lessons', 'export')).lessons.map((lesson) => ({
          ...lesson,
          id: `${lesson.id}2`,
          slug: `${lesson.slug}-x`,
          mistake: `${lesson.mistake} x`,
        })),
      ],
    });
    const wet: ImportReport = await shell.json('lessons', 'import', file, '--dry-run');
    assert.deepEqual(wet.counts, { new: 2, merged: 0, unchanged: 0, refused: 2, drafts: 2, conflicts: 0 });
    assert.equal(hashFolder(shell.dataDir), was);
    const done: ImportReport = await shell.json('lessons', 'import', file);
    assert.deepEqual(done.lessons, wet.lessons, 'a dry run tells what happens');
    await shell.run(['lessons', 'undo']);
  });

  describe('says what is wrong, and changes nothing', () => {
    const bad: Readonly<Record<string, readonly [content: string | Buffer, said: RegExp, ...args: string[]]>> = {
      'broken JSON': [
        '{"lessons": [\n  {"slug": "a",}\n]}',
        /is not JSON: .* at line 2, column 16\n {2}next: correct it there/,
      ],
      'half a file': ['[{"summary": "a"', /is not JSON: .* at line 1, column 17/],
      nothing: ['  \n', /is empty/],
      'another JSON': ['{"a": 1}', /has no known format/],
      'a later version': ['{"type": "lessons", "version": 9, "lessons": []}', /was written by a later version \(9\)/],
      'UTF-16': [Buffer.from('\ufeff{}', 'utf16le'), /is UTF-16, not UTF-8/],
      'latin-1': [Buffer.from([0x2d, 0x20, 0xe9, 0x0a]), /has bytes that are not UTF-8/],
      binary: [Buffer.from([0x7b, 0x00, 0x01]), /has NUL bytes/],
      'too many': [`[${'{"summary":"a"},'.repeat(100_000)}{"summary":"a"}]`, /has 100001 entries, more than 100000/],
      'too large': [Buffer.alloc(20 * 1024 * 1024 + 1, 32), /is larger than 20 MB/],
      'no rules': ['# Title\n\nSome text.\n', /states no rule/],
      'another form': ['[{"summary": "a"}]', /does not have the format own/, '--format', 'own'],
      'an unknown form': ['[]', /format odd: /, '--format', 'odd'],
      'an unknown scope': ['[]', /scope team: /, '--scope', 'team'],
      'trust in a foreign file': ['- never do that\n', /--trust: works only with your own export/, '--trust'],
      'deep nesting': ['['.repeat(100_000), /is not JSON/],
    };
    for (const [what, [content, said, ...args]] of Object.entries(bad)) {
      it(what, async () => {
        const file = write('bad', content);
        const was = hashFolder(shell.dataDir);
        const { code, stderr, stdout } = await shell.run(['lessons', 'import', file, ...args]);
        const expected = what.startsWith('an unknown ') ? 2 : 1;
        assert.deepEqual([code, stdout], [expected, ''], stderr);
        assert.match(stderr, said);
        assert.equal(hashFolder(shell.dataDir), was);
      });
    }

    it('a file that is not there, or a folder', async () => {
      assert.match((await shell.run(['lessons', 'import', 'gone.json'])).stderr, /does not exist/);
      assert.match((await shell.run(['lessons', 'import', shell.home])).stderr, /is a folder/);
      assert.equal((await shell.run(['lessons', 'import'])).code, 2);
    });
  });
});
