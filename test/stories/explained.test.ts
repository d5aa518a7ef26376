import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { runCli, runJson } from '../run-cli.ts';
import { openStory, type Story } from './open-story.ts';

interface Explained {
  readonly off: string | null;
  readonly matches: readonly { readonly slug: string; readonly noRoom?: true; readonly unless?: readonly string[] }[];
  readonly said: { readonly how: string; readonly text: string } | null;
  readonly misses: readonly { readonly slug: string; readonly because: string }[];
}

const NOTHING = { how: 'silence', text: '' };

describe('explain and the hook', () => {
  let story: Story;
  let calls = 0;
  before(async () => {
    story = await openStory();
    await add('plain');
    await add('guarded', { session: { unless: [{ ran: 'npm install' }] } });
    await story.cli('lessons', 'edit', (await add('held')).slug, '--mode', 'pause');
    await story.cli('lessons', 'edit', (await add('barred')).slug, '--mode', 'block');
    await story.cli('config', 'set', 'delivery.maxMode', 'block');
  });
  after(() => story.close());

  const add = async (program: string, more: object = {}): Promise<Lesson> => {
    const words = { summary: `${program} is meant`, mistake: 'it is not', remediation: `run ${program} well` };
    const triggers = { tools: ['shell'], programs: [{ name: program }], ...more };
    const stdin = JSON.stringify({ ...words, triggers, priority: 7 });
    const given = { words: ['lessons', 'add', '--stdin'], stdin, env: story.env, cwd: story.project };
    return (await runJson(given)) as Lesson;
  };
  const start = (session_id: string) => story.hook('SessionStart.startup', { session_id });
  const askHook = async (command: string, session_id = `s${++calls}`) => {
    const call = { session_id, tool_use_id: `t${++calls}`, tool_name: 'Bash', tool_input: { command } };
    const { stdout } = await story.hook('PreToolUse.Bash', call);
    if (stdout.trim() === '') return NOTHING;
    const { permissionDecisionReason, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    return permissionDecisionReason === undefined
      ? { how: 'note', text: additionalContext }
      : { how: 'refusal', text: permissionDecisionReason };
  };
  const explain = async (command: string): Promise<Explained> =>
    (await story.cli('explain', '--tool', 'Bash', '--input', JSON.stringify({ command }))) as Explained;

  const COMMANDS = ['plain x', 'held x', 'barred x', 'plain x; held y; barred z'];
  /** What is switched, and how it is switched back. */
  const STATES: readonly (readonly [string, readonly string[], readonly string[], off: string | null])[] = [
    ['as it is', [], [], null],
    [
      'in a private project',
      ['config', 'set', 'privateProjects', 'PROJECT'],
      ['config', 'unset', 'privateProjects'],
      'private',
    ],
    ['paused', ['pause'], ['resume'], 'paused'],
    ['in a paused project', ['pause', '--project'], ['resume', '--project'], 'paused'],
    ['muted', ['mute', '--all'], ['unmute', '--all'], null],
    ...['0', '64', '300'].map((bytes) => {
      const key = 'injectionBudgetBytes';
      return [`with ${bytes} bytes of room`, ['config', 'set', key, bytes], ['config', 'unset', key], null] as const;
    }),
    [
      'with room for no lesson',
      ['config', 'set', 'maxLessonsPerInjection', '0'],
      ['config', 'unset', 'maxLessonsPerInjection'],
      null,
    ],
    [
      'where only notes are allowed',
      ['config', 'set', 'delivery.maxMode', 'note'],
      ['config', 'set', 'delivery.maxMode', 'block'],
      null,
    ],
  ];
  for (const [name, begin, end, off] of STATES)
    it(`say the same ${name}`, async () => {
      const toReal = (words: readonly string[]) =>
        words.map((word) => (word === 'PROJECT' ? JSON.stringify([story.project]) : word));
      if (begin.length > 0) await story.cli(...toReal(begin));
      for (const command of COMMANDS) {
        const { said, ...explained } = await explain(command);
        assert.deepEqual(said === null ? NOTHING : { how: said.how, text: said.text }, await askHook(command), command);
        assert.equal(explained.off, off);
      }
      if (end.length > 0) await story.cli(...end);
    });

  const tell = async (command: string): Promise<string> => {
    const words = ['explain', '--tool', 'Bash', '--input', JSON.stringify({ command })];
    return (await runCli({ words, cwd: story.project, env: story.env })).stdout;
  };

  it('tell of a lesson that has no room, and of a folder that is private', async () => {
    await story.cli('config', 'set', 'injectionBudgetBytes', '0');
    const { matches } = await explain('plain x');
    assert.deepEqual(
      matches.map(({ noRoom }) => noRoom),
      [true],
    );
    assert.match(await tell('plain x'), /as a note .*, but the budget of this call has no room for it$/m);
    await story.cli('config', 'unset', 'injectionBudgetBytes');
    await story.cli('config', 'set', 'privateProjects', JSON.stringify([story.project]));
    assert.match(await tell('plain x'), /^PRIVATE: .*\nNo lesson is shown, because .*private/m);
    await story.cli('config', 'unset', 'privateProjects');
  });

  it('tell what must not have happened in the session', async () => {
    const { matches, said } = await explain('guarded x');
    assert.deepEqual(
      matches.map(({ unless }) => unless),
      [['ran npm install']],
    );
    assert.match(
      await tell('guarded x'),
      /but only in a session that Oncebitten has seen from its start and that has not: ran npm install$/m,
    );
    await start('seen');
    assert.equal((await askHook('guarded x', 'seen')).text, said?.text);
    // Nobody knows what was done before in one whose start was not seen.
    assert.deepEqual(await askHook('guarded x', 'unseen'), NOTHING);
  });

  it('says also of a lesson that the compiler leaves out why it does not fire', async () => {
    const { slug } = await add('late');
    const find = async () => (await explain('late x')).misses.find((miss) => miss.slug === slug)?.because;
    assert.equal(await find(), undefined);
    await story.cli('lessons', 'edit', slug, '--valid-until', '2020-01-01');
    assert.match((await find()) ?? '', /expired .*2020-01-01 00:00/);
  });
});
