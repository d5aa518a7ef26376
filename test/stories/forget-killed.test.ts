/** `forget` and `lessons delete` are killed on their way; running them again, or the daemon, finishes the removal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { listAutomaticBackups } from '../../src/keep/backup/backup-files.ts';
import { writeAutomaticBackup } from '../../src/keep/backup/write-backup.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeCall, makeSession } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const WORD = 'krakenword';
const BACKUPS = 4;
const MAX_TRIES = 5;

describe('a removal that is killed', { timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  const open = async (): Promise<void> => {
    story = await openStory();
    home = toDataHome(story.dataDir);
    await story.cli('daemon', 'stop');
    await fill();
  };
  beforeEach(open);
  afterEach(() => story.close());

  const fill = async (): Promise<void> => {
    const store = await openSqliteStore(home.storeFile);
    const at = new Date().toISOString();
    for (const [sessionId, word] of [
      ['gone', WORD],
      ['kept', 'squidword'],
    ] as const) {
      await store.saveSessions([makeSession({ sessionId })]);
      const calls = Array.from({ length: 300 }, (_, n) =>
        makeCall({ sessionId, callId: `${sessionId}-${n}`, inputSummary: `make ${word}`, occurredAt: at }),
      );
      await store.saveCalls(calls, 'observed');
    }
    const lesson = makeTestLesson({ id: 'les_gone', slug: 'gone-1a2b', summary: `say ${WORD}lesson` });
    await store.saveLesson(lesson, { by: 'test', reason: 'made', at });
    for (let n = 0; n < BACKUPS; n++) {
      const wish = { backupsDir: home.backupsDir, kind: 'daily', at: new Date(Date.now() - n * 86_400_000) } as const;
      await writeAutomaticBackup(store, { ...wish, at: wish.at.toISOString(), oncebitten: '1', onRows: () => {} });
    }
    await store.close();
  };
  const countHolding = (word: string): number =>
    listAutomaticBackups(home).filter(({ file }) => gunzipSync(readFileSync(file)).includes(word)).length;
  const listDrafts = (): readonly string[] => readdirSync(home.backupsDir).filter((name) => name.startsWith('.'));
  const storeHolds = (word: string): boolean =>
    readdirSync(home.dir)
      .filter((name) => name.startsWith('oncebitten.db'))
      .some((name) => readFileSync(join(home.dir, name)).includes(word));
  /** Kills the command at a moment that the data directory shows. A busy machine may miss it: then all begins anew. */
  const killAt = async (isMoment: () => boolean, ...args: readonly string[]): Promise<void> => {
    for (let tries = 1; !(await isKilledAt(isMoment, args)); tries++) {
      assert.ok(tries < MAX_TRIES, 'it was killed in the middle');
      await story.close();
      await open();
    }
  };
  const isKilledAt = async (isMoment: () => boolean, args: readonly string[]): Promise<boolean> => {
    const child = spawn(process.execPath, [CLI, ...args, '--yes'], { env: story.env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // It is stopped while it is looked at, or it would be past the moment before the look ends.
    while (child.exitCode === null) {
      child.kill('SIGSTOP');
      if (isMoment()) break;
      child.kill('SIGCONT');
      await nextTurn();
    }
    child.kill('SIGKILL');
    const [code] = await ended;
    return code === null;
  };
  const isRewriting = (): boolean => listDrafts().length > 0;
  const isClean = (word: string): boolean => !storeHolds(word) && countHolding(word) === 0 && listDrafts().length === 0;

  it('is finished when the command is run again', async () => {
    await killAt(isRewriting, 'forget', '--session', 'gone');
    assert.ok(countHolding(WORD) > 0);
    const { forgotten } = (await story.cli('forget', '--session', 'gone', '--yes')) as { forgotten: boolean };
    assert.equal(forgotten, true);
    assert.deepEqual([countHolding(`make ${WORD}`), listDrafts(), existsSync(home.forgettingFile)], [0, [], false]);
    assert.equal(storeHolds(`make ${WORD}`), false);
    assert.deepEqual([countHolding('squidword'), storeHolds('squidword')], [BACKUPS, true]);
  });

  it('is finished by the next start of the daemon, and leaves no text on the way', async () => {
    await killAt(isRewriting, 'forget', '--session', 'gone');
    assert.equal(readFileSync(home.forgettingFile, 'utf8').includes(WORD), false);
    await story.cli('daemon', 'start');
    await waitUntil('the daemon has finished it', () => !existsSync(home.forgettingFile));
    await story.cli('daemon', 'stop');
    assert.equal(isClean(`make ${WORD}`), true);
    assert.equal(countHolding('squidword'), BACKUPS);
  });

  it('is finished when only the last files were left', async () => {
    const isLate = (): boolean => existsSync(home.forgettingFile) && countHolding(`make ${WORD}`) === 0;
    await killAt(isLate, 'forget', '--session', 'gone');
    await story.cli('forget', '--session', 'gone', '--yes');
    assert.equal(existsSync(home.forgettingFile), false);
    assert.equal(isClean(`make ${WORD}`), true);
  });

  it('is finished for a deleted lesson, too', async () => {
    await killAt(isRewriting, 'lessons', 'delete', 'gone-1a2b');
    await story.cli('lessons', 'delete', 'gone-1a2b', '--yes');
    assert.equal(isClean(`${WORD}lesson`), true);
    assert.equal(countHolding(`make ${WORD}`), BACKUPS, 'the calls stay');
  });
});
