/** A call that failed in an earlier session and has not worked since: the agent is warned before it makes it again. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { StoredDelivery } from '../../src/base/model/delivery.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { openStory, type Story } from './open-story.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACK = 'shipit pack docs/guide.md';
const BROKEN = 'Exit code 3\nshipit: the page "guide" has no <system-reminder> title\n';
const WEIGH = 'weighit parcel';
const NO_SCALE = 'Exit code 1\nweighit: the scale is broken\n';

const bash = (session: string, id: string, command: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'pack it' },
  tool_use_id: id,
});

interface Answer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput: {
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

function openTeller(story: Story) {
  let calls = 0;
  return {
    /** `own`: the call that was asked about last. */
    fail: (session: string, command: string, error: string, own?: 'own') =>
      story.hook('PostToolUseFailure.Bash', {
        ...bash(session, `c${own === undefined ? ++calls : calls}`, command),
        error,
      }),
    work: (session: string, command: string) =>
      story.hook('PostToolUse.Bash', {
        ...bash(session, `c${++calls}`, command),
        tool_response: { stdout: 'done\n', stderr: '', interrupted: false },
      }),
    /** A success that no event of its own reports. */
    workInBatch: (session: string, command: string) =>
      story.hook('PostToolBatch', {
        session_id: session,
        tool_calls: [{ ...bash(session, `c${++calls}`, command), tool_response: 'done' }],
      }),
    edit: (session: string, file: string) =>
      story.hook('PostToolUse.Edit', {
        ...{ session_id: session, tool_name: 'Edit', tool_use_id: `c${++calls}` },
        tool_input: { file_path: join(story.project, file), old_string: 'a', new_string: 'b' },
      }),
    ask: async (session: string, command: string): Promise<Answer | undefined> => {
      const { code, stdout, stderr } = await story.hook('PreToolUse.Bash', bash(session, `c${++calls}`, command));
      assert.deepEqual([code, stderr], [0, '']);
      return stdout === '' ? undefined : JSON.parse(stdout);
    },
  };
}

async function readDeliveries(story: Story): Promise<readonly StoredDelivery[]> {
  await story.settle();
  const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
  try {
    return (await store.listDeliveries({})).filter(({ kind }) => kind === 'memory');
  } finally {
    await store.close();
  }
}

describe('a call that failed in an earlier session', () => {
  let story: Story;
  let tell: ReturnType<typeof openTeller>;
  const readNote = async (session: string, command = PACK): Promise<string> => {
    const answer = await tell.ask(session, command);
    if (answer === undefined) return '';
    assert.deepEqual(Object.keys(answer.hookSpecificOutput), ['hookEventName', 'additionalContext']);
    return answer.hookSpecificOutput.additionalContext ?? '';
  };

  before(async () => {
    story = await openStory();
    tell = openTeller(story);
    await story.cli('config', 'set', 'holdout.share', '0');
    for (const session of ['first', 'second']) {
      await story.hook('SessionStart.startup', { session_id: session });
      await tell.fail(session, PACK, BROKEN);
      await tell.fail(session, WEIGH, NO_SCALE);
    }
    await story.settle();
  });
  after(() => story.close());

  it('is met with a note: how often it failed, and the error as a quotation', async () => {
    const text = await readNote('third', 'shipit  pack "docs/guide.md"');
    assert.match(text, /2 times in 2 earlier sessions.*last today/);
    assert.match(text, /"shipit: the page 'guide' has no ‹system-reminder> title"/);
  });

  it('is told once in a conversation, not to the session that knows it, and not for another call', async () => {
    assert.equal(await readNote('third'), '');
    assert.match(await readNote('first'), /once in an earlier session/, 'the other session failed, too');
    for (const other of [
      'shipit pack docs/other.md',
      'shipit pack docs/guide.md --all',
      'cd docs && shipit pack docs/guide.md',
    ])
      assert.equal(await readNote('fourth', other), '', other);
    assert.equal((await readNote('inside', `cd ${story.project} && ${PACK}`)) === '', false, 'the same folder');
  });

  it('is silent at its failure after the warning, and is recorded with its arm and outcome', async () => {
    assert.notEqual(await readNote('judged'), '');
    assert.equal((await tell.fail('judged', PACK, BROKEN, 'own')).stdout, '');
    await tell.fail('judged', PACK, BROKEN);
    const [delivery] = (await readDeliveries(story)).filter(({ sessionId }) => sessionId === 'judged');
    assert.deepEqual([delivery?.mode, delivery?.arm, delivery?.outcome], ['note', 'shown', 'ignored']);
    const rows = await story.list<Record<string, unknown>>('stats', 'deliveries');
    const [listed] = rows.filter(({ sessionId }) => sessionId === 'judged');
    assert.deepEqual([listed?.kind, listed?.lesson], ['memory', undefined]);
    assert.match(String(listed?.failedBefore), /has no .* title/);
    const stats = (await story.cli('stats')) as { memory: { shown: number }; totals: { shown: number } };
    assert.ok(stats.memory.shown >= 3 && stats.totals.shown === 0, JSON.stringify(stats.memory));
  });

  it('is explained', async () => {
    const ask = (command: string) =>
      story.cli('explain', '--tool', 'Bash', '--input', JSON.stringify({ command })) as Promise<{
        failedBefore: boolean;
        said: { how: string; text: string } | null;
      }>;
    const { failedBefore, said } = await ask(PACK);
    assert.deepEqual([failedBefore, said?.how, /has not worked since/.test(said?.text ?? '')], [true, 'note', true]);
    assert.deepEqual(await ask('shipit pack x').then((one) => [one.failedBefore, one.said]), [false, null]);
  });

  it('is told nothing by a hook without a daemon', () => {
    const payload = { ...bash('cold', 'cold-1', PACK), hook_event_name: 'PreToolUse', cwd: story.project };
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(ROOT, 'dist/hook.cjs'), 'claude-code', 'PreToolUse', '-'],
      { input: JSON.stringify(payload), env: { ...story.env }, encoding: 'utf8' },
    );
    assert.deepEqual([stdout, status], ['', 0]);
  });

  it('is silent when a person mutes everything or switches it off', async () => {
    await story.cli('lessons', 'mute', '--all');
    assert.equal(await readNote('muted'), '');
    await story.cli('lessons', 'unmute', '--all');
    await story.cli('config', 'set', 'delivery.memory', 'false');
    assert.equal(await readNote('off'), '');
    await story.cli('config', 'set', 'delivery.memory', 'true');
    await story.settle();
    assert.notEqual(await readNote('on-again'), '');
  });

  it('is met from the third session on if it is a check that could not begin, whatever was edited since', async () => {
    const check = 'npm test';
    const refused = 'Exit code 1\nweighit: needs runtime 20, this is runtime 14\n';
    await tell.fail('check-1', check, refused);
    await story.settle();
    assert.equal(await readNote('check-2', check), '');
    await tell.fail('check-2', check, refused, 'own');
    await tell.edit('check-2', 'src/main.ts');
    await story.settle();
    assert.match(await readNote('check-3', check), /2 times in 2 earlier sessions.*needs runtime 20/);
    await tell.work('check-3', check);
    await story.settle();
    assert.equal(await readNote('check-4', check), '');
  });

  it('is forgotten at once when a file that it names is edited, and for good', async () => {
    await tell.edit('editor', 'src/main.ts');
    assert.notEqual(await readNote('after-another-edit'), '');
    await tell.edit('editor', 'docs/guide.md');
    assert.equal(await readNote('after-edit'), '');
    await story.settle();
    assert.equal(await readNote('later'), '');
    await tell.fail('later', PACK, BROKEN);
    await story.settle();
    assert.match(await readNote('again'), /once in an earlier session/);
  });

  it('is forgotten at once when it works, in any session', async () => {
    assert.notEqual(await readNote('before-success', WEIGH), '');
    await tell.work('worker', WEIGH);
    assert.equal(await readNote('after-success', WEIGH), '');
    await story.settle();
    assert.equal(await readNote('much-later', WEIGH), '');
  });

  it('is forgotten at once and for good when only the end of a batch reports that it works', async () => {
    await tell.fail('fourth', WEIGH, NO_SCALE);
    await story.settle();
    assert.notEqual(await readNote('before-batch', WEIGH), '');
    await tell.workInBatch('batch', WEIGH);
    assert.equal(await readNote('after-batch', WEIGH), '');
    await story.settle();
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    const open = await store.listRemembered({ limit: 10 }).finally(() => store.close());
    assert.deepEqual(
      open.filter(({ cause }) => cause?.includes('scale')),
      [],
    );
  });

  it('is quoted without a part that may be a secret', async () => {
    const secret = 'q7Xk2Vb9Lm4Zt8Rw';
    await tell.fail('fifth', 'stampit letter', `Exit code 1\nstampit: ${secret} was not accepted\n`);
    await story.settle();
    const note = await readNote('sixth', 'stampit letter');
    assert.match(note, /… was not accepted/);
    assert.doesNotMatch(note, new RegExp(secret));
  });

  it('because its program was not found is told before any call of the program by its name', async () => {
    await tell.fail('fifth', 'frobctl list', 'Exit code 127\nbash: line 1: frobctl: command not found\n');
    await story.settle();
    assert.equal(await readNote('sixth', '/opt/frob/frobctl show'), '');
    const note = await readNote('sixth', 'frobctl show');
    assert.match(note, /`frobctl` failed once.*frobctl: command not found/);
    assert.doesNotMatch(note, /exact/);
  });
});

describe('a call that failed before, where pauses are allowed', () => {
  let story: Story;
  let tell: ReturnType<typeof openTeller>;
  before(async () => {
    story = await openStory({ install: false });
    tell = openTeller(story);
    await story.cli('install', 'claude-code', '--force', '--allow-pause');
    await story.hook('SessionStart.startup', { session_id: 'first' });
    await tell.fail('first', PACK, BROKEN);
    await story.settle();
  });
  after(() => story.close());

  it('is held back once, and its retry runs', async () => {
    const answer = await tell.ask('second', PACK);
    assert.equal(answer?.hookSpecificOutput.permissionDecision, 'deny');
    assert.match(answer?.hookSpecificOutput.permissionDecisionReason ?? '', /has not worked since/);
    assert.match(answer?.systemMessage ?? '', /a call of shipit[\s\S]*delivery\.memory false/);
    assert.equal(await tell.ask('second', PACK), undefined);
    const [delivery] = await readDeliveries(story);
    assert.deepEqual([delivery?.sessionId, delivery?.mode, delivery?.arm], ['second', 'pause', 'shown']);
  });
});
