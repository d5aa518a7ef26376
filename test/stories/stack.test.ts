import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Score } from '../../src/match/match-lessons.ts';
import { openStory, type Story } from './open-story.ts';

interface Explained {
  readonly matches: readonly { readonly slug: string; readonly score: number; readonly parts: Score['parts'] }[];
  readonly misses: readonly { readonly because: string; readonly parts: Score['parts'] }[];
}

const COMMAND = 'pip install requests';

/** A lesson of low priority about Python: alone it is too weak to speak, where Python is written it is not. */
describe('the languages of a project', () => {
  let story: Story;
  let calls = 0;
  before(async () => {
    story = await openStory();
    const words = ['--summary', 'use the environment of the project', '--fix', 'uv pip install requests'];
    await story.cli('lessons', 'add', ...words, '--program', 'pip install', '--tag', 'lang:python', '--priority', '3');
  });
  after(() => story.close());

  const make = (name: string, ...files: readonly string[]): string => {
    const dir = join(story.home, name);
    mkdirSync(dir);
    for (const file of files) writeFileSync(join(dir, file), file.endsWith('.json') ? '{}\n' : '');
    return dir;
  };
  const visit = async (cwd: string): Promise<void> => {
    await story.hook('SessionStart.startup', { session_id: `visit-${++calls}`, cwd });
    await story.settle();
  };
  const explain = async (cwd: string): Promise<Explained> =>
    (await story.cli(
      'explain',
      ...['--tool', 'Bash', '--cwd', cwd, '--input'],
      `{"command":"${COMMAND}"}`,
    )) as Explained;
  const say = async (cwd: string): Promise<string> => {
    const call = { session_id: `call-${++calls}`, cwd, tool_name: 'Bash', tool_use_id: `t${calls}` };
    return (await story.hook('PreToolUse.Bash', { ...call, tool_input: { command: COMMAND } })).stdout;
  };
  /** By the project's id, which is nobody's order. */
  const readStacks = (): readonly string[] => {
    const { stacks = {} } = JSON.parse(readFileSync(join(story.dataDir, 'manifest.json'), 'utf8'));
    return Object.values<readonly string[]>(stacks)
      .map((langs) => langs.join(' '))
      .sort();
  };

  it('are not known before an agent has been there', async () => {
    const { matches, misses } = await explain(make('unseen', 'pyproject.toml'));
    assert.deepEqual([matches.length, misses[0]?.parts.priority], [0, 0.5]);
    assert.equal(misses[0]?.because, 'below minScore (0.45, minimum 0.7)');
  });

  it('are read at its first session, and its lessons speak there from then on', async () => {
    const python = make('python', 'pyproject.toml', 'package.json');
    await visit(python);
    assert.deepEqual(readStacks(), ['javascript python']);
    const { matches } = await explain(python);
    assert.deepEqual([matches[0]?.parts.priority, matches[0]?.score], [1, 0.9]);
    assert.match(await say(python), /uv pip install/);
  });

  it('raise nothing in a project of another language, or of none', async () => {
    for (const [name, files] of [
      ['web', ['package.json']],
      ['plain', ['README.md']],
    ] as const) {
      const dir = make(name, ...files);
      await visit(dir);
      const { matches, misses } = await explain(dir);
      assert.deepEqual([matches.length, misses[0]?.parts.priority], [0, 0.5], name);
      assert.equal(await say(dir), '', name);
    }
    assert.deepEqual(readStacks(), ['javascript', 'javascript python']);
  });

  it('are known too where its first session was told while no daemon ran', async () => {
    const cold = make('cold', 'setup.py');
    await story.cli('daemon', 'stop');
    await visit(cold);
    // The hook has started one, which takes in what was told meanwhile.
    while ((await story.daemonPid()) === undefined) await sleep(50);
    await story.settle();
    assert.equal((await explain(cold)).matches[0]?.parts.priority, 1);
  });
});
