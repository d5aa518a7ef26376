import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readHere } from '../../src/surfaces/cli/lessons/share/shared-files.ts';
import type { OpenHome } from '../../src/surfaces/cli/open-home.ts';

describe('a command that reads the lesson files of a repository', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-race-')));
  const [repository, home] = [join(root, 'shop'), toDataHome(join(root, 'data'))];
  let store: Store;
  before(async () => {
    mkdirSync(join(repository, '.oncebitten/lessons'), { recursive: true });
    execFileSync('git', ['-C', repository, 'init', '-q']);
    store = await openStore({ url: '', file: home.storeFile });
  });
  after(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  const write = (mistake: string): void => {
    const triggers = { tools: ['shell'], programs: [{ name: 'ninja' }] };
    const lesson = { slug: 'theirs', summary: 'ninja is not make', mistake, remediation: 'make all', triggers };
    writeFileSync(join(repository, '.oncebitten/lessons/theirs.json'), JSON.stringify(lesson));
  };
  const toOpen = (using: Store) =>
    ({
      store: using,
      settings: DEFAULT_SETTINGS,
      manifestFile: home.manifestFile,
      log: () => {},
    }) as unknown as OpenHome;
  const findMistake = async () => (await store.listLessons())[0]?.mistake;

  it('does not bring back the content of a file that was changed and stored meanwhile', async () => {
    write('the first words');
    await readHere(toOpen(store), repository);
    assert.equal(await findMistake(), 'the first words');
    write('the second words');
    let isFirst = true;
    // The slow command has read the second words by the time it asks for the lessons.
    const slow: Store = {
      ...store,
      listLessons: async (...filter) => {
        if (isFirst) {
          isFirst = false;
          write('the third words');
          await readHere(toOpen(store), repository);
          assert.equal(await findMistake(), 'the third words');
        }
        return store.listLessons(...filter);
      },
    };
    await readHere(toOpen(slow), repository);
    assert.equal(await findMistake(), 'the third words');
  });
});
