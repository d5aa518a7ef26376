import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { learnFinding } from '../../src/loop/learning/learn-finding.ts';
import { repairLessons } from '../../src/loop/projects/repair-lessons.ts';
import { failed, makeWindow, worked } from '../distill/session-script.ts';

const AT = '2026-01-01T00:00:00.000Z';

function makeFinding(sessionId: string, projectId: string, tags: readonly string[]): Finding {
  const steps = [failed('gh pr diff 7 --stat', 'unknown flag: --stat'), worked('gh pr diff 7 --name-only')];
  const [finding] = correctedCommand.detect(makeWindow(steps));
  assert.ok(finding);
  return { ...finding, sessionId, projectId, tags, evidence: { ...finding.evidence, sessionId } };
}

describe('what is learned in joined projects', () => {
  let folder: string;
  let store: Store;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oncebitten-joined-'));
    store = await openSqliteStore(join(folder, 'oncebitten.db'));
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [what, tags] of [
    ['of the project', ['tool:gh']],
    ['of the program everywhere', ['topic:cli-flag']],
  ] as const) {
    it(`is more evidence of the lesson ${what}, and no second project`, async () => {
      const ids = { old: `prj_old_${tags[0]}`, new: `prj_new_${tags[0]}` };
      const find = async () => (await store.listLessons()).filter((lesson) => lesson.tags.includes(tags[0]));
      await learnFinding(store, makeFinding(`s1 ${what}`, ids.old, tags), []);
      await store.joinProjects(ids.old, ids.new, { at: AT, dryRun: false });
      await learnFinding(store, makeFinding(`s2 ${what}`, ids.new, tags), []);
      const [lesson, ...others] = await find();
      assert.deepEqual(others, []);
      assert.deepEqual([lesson?.occurrences, lesson?.sessions, lesson?.projects], [2, 2, 1]);
      assert.deepEqual(lesson?.scope, { kind: 'project', id: ids.old }, 'so that a split gives it back');
    });
  }

  it('was learned twice before, and is one lesson since, which can be undone', async () => {
    const ids = { a: 'prj_twin_a', b: 'prj_twin_b', c: 'prj_twin_c' };
    for (const [n, id] of Object.values(ids).entries())
      await learnFinding(store, makeFinding(`twin ${n}`, id, ['tool:twin']), []);
    const twins = async () =>
      (await store.listLessons()).filter(({ tags, status }) => tags.includes('tool:twin') && status !== 'archived');
    const [first] = (await twins()).filter(({ scope }) => scope.id === ids.a);
    assert.equal((await twins()).length, 3);
    const link = (fromId: string) => ({ fromId, intoId: ids.a, proof: 'remote', at: AT }) as const;
    await store.linkProjects([link(ids.b)]);
    assert.equal(await repairLessons(store), true);
    const joined = (await twins()).find(({ scope }) => scope.id !== ids.c);
    assert.deepEqual([joined?.occurrences, joined?.sessions, joined?.projects], [2, 2, 1]);
    assert.equal(joined?.evidence.length, 2);
    assert.ok(
      (joined?.priority ?? 0) > (first?.priority ?? 10) && (joined?.confidence ?? 0) > (first?.confidence ?? 1),
    );
    assert.equal((await twins()).length, 2, 'the third project is another repository');
    const gone = (await store.listLessons()).find(
      ({ tags, status }) => tags.includes('tool:twin') && status === 'archived',
    );
    assert.equal(gone?.validity.supersededBy, joined?.id);
    assert.equal(await repairLessons(store), false, 'doing it again changes nothing');
  });

  it('leaves what a person approved as it is', async () => {
    const ids = { a: 'prj_own_a', b: 'prj_own_b' };
    for (const [n, id] of Object.values(ids).entries())
      await learnFinding(store, makeFinding(`own ${n}`, id, ['tool:own']), []);
    const own = async () => (await store.listLessons()).filter(({ tags }) => tags.includes('tool:own'));
    for (const { id } of await own())
      await store.updateLessons([id], ([lesson]) =>
        lesson === undefined
          ? []
          : [{ lesson: { ...lesson, reviewedBy: 'user:ann' }, change: { by: 'user:ann', reason: 'approved', at: AT } }],
      );
    const before = await own();
    await store.linkProjects([{ fromId: ids.b, intoId: ids.a, proof: 'remote', at: AT }]);
    assert.equal(await repairLessons(store), false);
    assert.deepEqual(await own(), before);
  });

  it('about what a repository contains is a lesson of each, and never one for every project', async () => {
    const said = 'error: no library targets found in package `shop`';
    const signature = toSignature('cargo', said)?.signature;
    assert.ok(signature);
    const triggers = {
      tools: ['shell'],
      programs: [{ name: 'cargo', sub: ['test'], args: { any: ['--lib'] } }],
    } as const;
    const about = (sessionId: string, projectId: string): Finding => ({
      ...makeFinding(sessionId, projectId, ['topic:cli-flag']),
      ...{ signature, triggers },
    });
    for (const n of [1, 2, 3]) await learnFinding(store, about(`cargo ${n}`, `prj_cargo_${n}`), []);
    const found = (await store.listLessons()).filter(({ triggers }) => triggers.programs?.[0]?.name === 'cargo');
    assert.deepEqual(
      found.map(({ scope }) => scope.kind),
      ['project', 'project', 'project'],
    );
  });

  it('goes back to its first project when it was widened on folders that may be one repository', async () => {
    const finding = makeFinding('wide 1', 'prj_wide_1', ['tool:wide']);
    await learnFinding(store, finding, []);
    const find = async () => (await store.listLessons()).filter(({ tags }) => tags.includes('tool:wide'));
    const [first] = await find();
    assert.ok(first);
    const widen = (by: string) =>
      store.updateLessons([first.id], ([lesson]) =>
        lesson === undefined
          ? []
          : [
              {
                lesson: { ...lesson, scope: { kind: 'user' }, projects: 2 },
                change: { by, reason: 'seen again', at: AT },
              },
            ],
      );
    await widen(finding.detector);
    const kept = (await store.listFindings()).find(({ lessonId }) => lessonId === first.id);
    assert.ok(kept);
    await store.saveFindings([{ ...kept, id: 'fnd_wide_2', projectId: 'prj_wide_2', failingCallId: 'wide 2' }], []);
    assert.equal(await repairLessons(store), true);
    assert.deepEqual(
      (await find()).map(({ scope, projects }) => [scope, projects]),
      [[{ kind: 'project', id: 'prj_wide_1' }, 1]],
    );
    await learnFinding(store, { ...makeFinding('wide 3', 'prj_wide_1', ['tool:wide']), failingCallId: 'wide 3' }, []);
    assert.equal((await find())[0]?.scope.kind, 'project', 'one more sight in its project does not widen it');
    await widen('user:ann');
    assert.equal(await repairLessons(store), false);
    assert.equal((await find())[0]?.scope.kind, 'user', 'a person said so');
  });

  it('belongs to the end of the join when it is new', async () => {
    await store.joinProjects('prj_from', 'prj_into', { at: AT, dryRun: false });
    await learnFinding(store, makeFinding('s9', 'prj_from', ['tool:new']), []);
    const lesson = (await store.listLessons()).find(({ tags }) => tags.includes('tool:new'));
    assert.deepEqual(lesson?.scope, { kind: 'project', id: 'prj_into' });
  });
});
