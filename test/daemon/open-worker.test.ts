/** What the hook decided reaches the store through the worker's thread, with the reason why it skipped a lesson. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { openJournal } from '../../src/capture/journal/journal.ts';
import { makeSettingsFinder } from '../../src/keep/settings/read-settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { openTroubles } from '../../src/surfaces/daemon/faults.ts';
import { openWorker } from '../../src/surfaces/daemon/open-keeper.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toKeeper } from './to-keeper.ts';

const ERROR = 'unknown flag: --stat';
const COMMAND = 'gh pr diff 1 --stat';

describe('a failure while its lesson was kept silent, told to the daemon', { timeout: 900_000 }, () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-worker-')));
  const home = toDataHome(join(root, 'data'));
  const env = { HOME: root, ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0', ONCEBITTEN_REPLY_DEADLINE_MS: '60000' };
  const unchanged = { ...process.env };
  before(() => {
    mkdirSync(home.dir, { recursive: true });
    mkdirSync(home.spoolDir, { recursive: true });
    // The thread has the variables of its process.
    Object.assign(process.env, env);
  });
  after(() => {
    process.env = unchanged;
    rmSync(root, { recursive: true, force: true });
  });

  it('is missed for the reason that the hook had', async () => {
    const findSettings = makeSettingsFinder(home.configFile, env);
    const settings = findSettings() ?? assert.fail();
    const { signature } = toSignature('gh', ERROR) ?? assert.fail();
    const lesson = makeTestLesson({ id: 'les_1', signatureId: signature.id, scope: { kind: 'user' } });
    const store = await openStore({ url: '', file: home.storeFile });
    await store.saveLesson(lesson, { by: 'test', reason: 'made', at: lesson.createdAt });
    await compileLessons({ store, settings, manifestFile: home.manifestFile });
    await store.close();
    writeFileSync(home.switchesFile, renderSwitches({ pauses: [], mutes: [{ lessonId: 'les_1' }] }));

    const log = (): void => {};
    const worker = openWorker({ home, log, troubles: openTroubles(home, log), cutLeftovers: () => [] });
    const journal = openJournal(home.spoolDir, 'dmn_1');
    const answerer = makeHookAnswerer({ home, keeper: toKeeper(journal, worker.takeEvent), log, findSettings });
    const tell = (event: string, fields: object = {}): string => {
      const call = { tool_name: 'Bash', tool_input: { command: COMMAND }, tool_use_id: 't1' };
      const payload = { session_id: 'one', hook_event_name: event, cwd: root, ...call, ...fields };
      return answerer.answer(parseHeader(`s 1 claude-code ${event} -`, 's') ?? assert.fail(), payload);
    };
    try {
      assert.equal(tell('PreToolUse'), '');
      tell('PostToolUseFailure', { error: `Exit code 1\n${ERROR}` });
      // It gives up after a while, which on a busy machine may be before the thread has started.
      for (let isFlushed = false; !isFlushed; ) isFlushed = await worker.flush();
    } finally {
      await worker.stop();
    }

    const kept = await openStore({ url: '', file: home.storeFile });
    const missed = await kept.listMissed();
    await kept.close();
    assert.deepEqual(
      missed.map(({ lessonId, reason }) => [lessonId, reason]),
      [['les_1', 'muted']],
    );
  });
});
