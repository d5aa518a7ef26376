import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Report {
  readonly counts: Readonly<Record<string, number>>;
  readonly lessons: readonly { readonly name: string; readonly slug?: string; readonly action: string }[];
}

const RULES = `# Rules
- Use \`pnpm install\` instead of \`npm install\`.
- Never run \`git push --force\` on the main branch.
`;

describe('lessons import, once more', () => {
  let shell: Shell;
  let file: string;
  beforeEach(async () => {
    shell = openShell();
    file = join(shell.home, 'lessons.json');
    for (const program of ['gh pr diff', 'npm install'])
      await shell.json('lessons', 'add', '--summary', `about ${program}`, '--fix', 'otherwise', '--program', program);
    await shell.json('lessons', 'export', '--out', file);
  });
  afterEach(() => shell.close());

  const take = async (...args: readonly string[]): Promise<Report> => {
    const { code, stdout, stderr } = await shell.run(['lessons', 'import', ...args, '--json'], { home: other() });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Report;
  };
  const other = () => join(shell.home, 'other');
  const run = (...args: readonly string[]) => shell.run(args, { home: other() });
  const statuses = async (): Promise<readonly string[]> => {
    const { stdout } = await run('lessons', 'list', '--json');
    return (JSON.parse(stdout) as { items: Lesson[] }).items.map(({ status }) => status);
  };

  for (const trust of [['--trust'], []])
    it(`brings back what was undone, after an import ${trust.length > 0 ? 'with' : 'without'} --trust`, async () => {
      const { counts } = await take(file, ...trust);
      assert.equal(counts.new, 2);
      assert.equal((await run('lessons', 'undo')).code, 0);
      const again = await take(file, '--trust');
      assert.deepEqual([again.counts.merged, again.counts.unchanged], [2, 0]);
      assert.deepEqual(await statuses(), ['active', 'active']);
      assert.equal((await run('lessons', 'undo')).code, 0);
      assert.equal((await take(file)).counts.drafts, 2, 'from outside it comes back as a draft');
    });

  it('leaves away what a person archived', async () => {
    const { lessons } = await take(file, '--trust');
    for (const { slug = '' } of lessons) await run('lessons', 'archive', slug);
    assert.equal((await take(file, '--trust')).counts.unchanged, 2);
  });

  it('gives the names that its dry run showed', async () => {
    const rules = join(shell.home, 'CLAUDE.md');
    writeFileSync(rules, RULES);
    const toNames = ({ lessons }: Report) => lessons.map(({ slug }) => slug);
    const planned = toNames(await take(rules, '--dry-run'));
    assert.equal(new Set(planned).size, 2);
    assert.deepEqual(toNames(await take(rules, '--dry-run')), planned);
    assert.deepEqual(toNames(await take(rules)), planned);
  });
});
