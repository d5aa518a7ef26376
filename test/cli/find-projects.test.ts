import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { UserError } from '../../src/base/errors.ts';
import type { Pause } from '../../src/base/model/switches.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { findProjects, readProjectLabels } from '../../src/surfaces/cli/arguments/projects.ts';
import { toPauseScope } from '../../src/surfaces/cli/pause/pause.ts';

describe('a project that a person names inside a repository', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-projects-')));
  const [repository, gone] = [join(root, 'repository'), join(root, 'gone')];
  const folder = join(repository, 'src/deep');
  let store: Store;
  before(async () => {
    mkdirSync(folder, { recursive: true });
    mkdirSync(gone);
    execFileSync('git', ['-C', repository, 'init', '-q']);
    writeFileSync(join(repository, 'notes.txt'), '');
    store = await openStore({ url: '', file: toDataHome(join(root, 'data')).storeFile });
    await store.saveProjects([identifyProject(repository)]);
    await store.saveProjects([identifyProject(gone)]);
    rmSync(gone, { recursive: true });
  });
  after(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  const find = async (given: string | true, cwd = repository) => (await findProjects(store, given, cwd)).ids;
  const own = () => [identifyProject(repository).id];

  it('is the repository for none, a dot, and every folder that is there', async () => {
    for (const given of [true, '.', 'src', 'src/deep', '..'] as const)
      assert.deepEqual(await find(given, given === '..' ? join(repository, 'src') : repository), own(), String(given));
    assert.deepEqual(await find(folder, root), own());
    assert.deepEqual(await find('repository', root), own());
  });

  it('is found by its id and its name, and by a folder that is gone since', async () => {
    assert.deepEqual(await find(own()[0] ?? ''), own());
    assert.deepEqual(await find('repository'), own());
    assert.deepEqual(await find(gone), [identifyProject(gone).id]);
    assert.deepEqual(await find('gone'), [identifyProject(gone).id]);
  });

  it('is found by the label that lists print where two projects have one name', async () => {
    const twins = ['home/shop', 'work/shop'].map((path) => ({ ...identifyProject(join(root, path)), name: 'shop' }));
    await store.saveProjects(twins);
    const labels = await readProjectLabels(store);
    for (const { id } of twins) assert.deepEqual(await find(labels.get(id) ?? ''), [id]);
    await assert.rejects(find('shop'), UserError);
  });

  for (const typo of ['repositroy', './sr', 'src/dep', 'notes.txt'])
    it(`is refused where there is none, not taken for the one around it: ${typo}`, async () => {
      await assert.rejects(
        find(typo),
        (error) => error instanceof UserError && error.next.includes('use a folder or an id: prj_'),
      );
    });

  it('is paused by a folder that is there, or as one that is known, and by nothing else', async () => {
    const home = toDataHome(join(root, 'data'));
    const pause = async (project: string | true, running: readonly Pause[] = []) =>
      (await toPauseScope({ options: { project }, cwd: repository, home, env: {} }, running)).scope;
    const [id = ''] = own();
    for (const given of [true, 'src', 'repository', id] as const)
      assert.deepEqual(await pause(given), { what: 'project', id, dir: repository }, String(given));
    for (const given of [gone, 'gone'])
      assert.deepEqual(await pause(given), { what: 'project', id: identifyProject(gone).id, dir: gone });
    for (const typo of ['repositroy', '/nope', 'prj_nope', 'notes.txt'])
      await assert.rejects(pause(typo), UserError, typo);
    const forgotten = { what: 'project', id: 'prj_nope', dir: '/nope', from: '2026-01-01T00:00:00.000Z' } as const;
    const { from: _, ...scope } = forgotten;
    for (const given of ['/nope', 'prj_nope']) assert.deepEqual(await pause(given, [forgotten]), scope);
  });
});
