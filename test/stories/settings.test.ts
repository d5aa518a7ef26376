import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openStory, type Story } from './open-story.ts';

const GH = (n: number) => [
  ...['lessons', 'add', '--summary', `lesson ${n} about gh`, '--fix', `fix ${n}`],
  ...['--program', 'gh pr diff', '--priority', '8'],
];
/** As where no daemon can be reached. */
const COLD = { ONCEBITTEN_NO_DAEMON: '1' };

describe('settings that are changed while agents work', () => {
  let story: Story;
  let config: string;
  let n = 0;
  before(async () => {
    story = await openStory();
    config = join(story.dataDir, 'config.jsonc');
    for (const i of [1, 2, 3]) await story.cli(...GH(i));
    await story.cli('daemon', 'start');
  });
  after(() => story.close());

  /** How many lessons the next call hears, in a session of its own. */
  const hear = async (env: Readonly<Record<string, string>> = {}): Promise<number> => {
    const session_id = `s${n++}`;
    const { code, stdout } = await story.hook(
      'PreToolUse.Bash',
      { session_id, tool_name: 'Bash', tool_input: { command: 'gh pr diff 1 --stat' }, tool_use_id: `c${n}` },
      env,
    );
    assert.equal(code, 0);
    return new Set(stdout.match(/fix \d/g)).size;
  };

  it('count for the very next call, without a restart', async () => {
    const pid = await story.daemonPid();
    assert.equal(await hear(), 3);
    await story.cli('config', 'set', 'maxLessonsPerInjection', '1');
    assert.equal(await hear(), 1);
    await story.cli('config', 'set', 'minScore', '2');
    assert.equal(await hear(), 0);
    await story.cli('config', 'unset', 'minScore');
    assert.equal(await hear(), 1);
    await story.cli('config', 'unset', 'maxLessonsPerInjection');
    assert.equal(await hear(), 3);
    assert.equal(await story.daemonPid(), pid);
  });

  it('count when they are changed in an editor', async () => {
    writeFileSync(config, '{\n  // one is enough\n  "maxLessonsPerInjection": 1,\n}\n');
    assert.equal(await hear(), 1);
    writeFileSync(config, '{}');
    assert.equal(await hear(), 3);
  });

  it('count for lessons that were left out before', async () => {
    await story.cli('config', 'set', 'minPriority', '9');
    await story.settle();
    assert.equal(await hear(), 0);
    await story.cli('config', 'set', 'minPriority', '1');
    await story.settle();
    assert.equal(await hear(), 3);
  });

  it('stay as they were while the file is broken, and the daemon says so', async () => {
    await story.cli('config', 'set', 'maxLessonsPerInjection', '2');
    assert.equal(await hear(), 2);
    const good = readFileSync(config, 'utf8');
    writeFileSync(config, '{\n  "maxLessonsPerInjection": "few"\n}');
    assert.equal(await hear(), 2);
    await story.settle();
    const troubles = async () =>
      ((await story.cli('daemon', 'status')) as { troubles: { topic: string; text: string }[] }).troubles;
    const [trouble] = await troubles();
    assert.equal(trouble?.topic, 'settings');
    assert.match(
      trouble?.text ?? '',
      /config\.jsonc:2: maxLessonsPerInjection: .*; the previous settings stay in effect\./,
    );
    const opening = await story.hook('SessionStart.startup', { session_id: `s${n++}` });
    assert.match(opening.stdout, /Oncebitten fault .*config\.jsonc:2/);
    writeFileSync(config, good);
    await story.settle();
    assert.deepEqual(await troubles(), []);
    assert.equal(await hear(), 2);
  });

  it('count for a hook that finds no daemon', async () => {
    await story.cli('daemon', 'stop');
    await story.cli('config', 'set', 'maxLessonsPerInjection', '1');
    assert.equal(await hear(COLD), 1);
    await story.cli('daemon', 'stop');
    await story.cli('config', 'unset', 'maxLessonsPerInjection');
    assert.equal(await hear(COLD), 3);
    rmSync(config);
    await story.cli('config', 'init');
    assert.equal(await hear(COLD), 3);
  });
});
