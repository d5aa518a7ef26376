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
import { repairLessons } from '../../src/loop/projects/repair-lessons.ts';
import { failed, makeWindow, worked } from '../distill/session-script.ts';
import { learnFinding } from './learn-one-finding.ts';

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

  describe('and the link is withdrawn, because the folder had two repositories', () => {
    const link = (fromId: string, intoId: string) => ({ fromId, intoId, proof: 'remote', at: AT }) as const;
    const listed = async (tag: string) =>
      (await store.listLessons()).filter(({ tags, status }) => tags.includes(tag) && status !== 'archived');
    const toPlaces = (lessons: Awaited<ReturnType<typeof listed>>) =>
      lessons.map(({ scope, occurrences, sessions }) => [scope.id, occurrences, sessions]).sort();
    const repairTwice = async () => {
      assert.equal(await repairLessons(store), true);
      assert.equal(await repairLessons(store), false, 'doing it again changes nothing');
    };

    it('moves to the project of its calls', async () => {
      await store.linkProjects([link('prj_pot', 'prj_pot_a')]);
      await learnFinding(store, makeFinding('pot 1', 'prj_pot', ['tool:pot']), []);
      assert.deepEqual(toPlaces(await listed('tool:pot')), [['prj_pot_a', 1, 1]]);
      const moved = await store.linkProjects([link('prj_pot', 'prj_pot_b')]);
      assert.deepEqual(moved, ['prj_pot'], 'it is neither of the two');
      await repairTwice();
      assert.deepEqual(toPlaces(await listed('tool:pot')), [['prj_pot', 1, 1]]);
    });

    it('stays where a person put it', async () => {
      await store.linkProjects([link('prj_jar', 'prj_jar_a')]);
      await learnFinding(store, makeFinding('jar 1', 'prj_jar', ['tool:jar']), []);
      const [lesson] = await listed('tool:jar');
      assert.ok(lesson);
      await store.updateLessons([lesson.id], ([now]) => {
        assert.ok(now);
        const change = { by: 'user:ann', reason: 'edited', at: AT };
        return [{ lesson: { ...now, scope: { kind: 'project', id: 'prj_of_ann' } }, change }];
      });
      await store.linkProjects([link('prj_jar', 'prj_jar_b')]);
      assert.equal(await repairLessons(store), false);
      assert.deepEqual(toPlaces(await listed('tool:jar')), [['prj_of_ann', 1, 1]]);
    });

    it('is a lesson of each project that has calls of it', async () => {
      await store.linkProjects([link('prj_cup', 'prj_cup_a'), link('prj_mug', 'prj_cup_a')]);
      for (const [n, id] of ['prj_cup', 'prj_mug', 'prj_cup'].entries())
        await learnFinding(store, makeFinding(`cup ${n}`, id, ['tool:cup']), []);
      assert.deepEqual(toPlaces(await listed('tool:cup')), [['prj_cup_a', 3, 3]]);
      await store.linkProjects([link('prj_cup', 'prj_cup_b')]);
      await repairTwice();
      assert.deepEqual(toPlaces(await listed('tool:cup')), [
        ['prj_cup', 2, 2],
        ['prj_cup_a', 1, 1],
      ]);
      for (const lesson of await listed('tool:cup')) {
        const findings = (await store.listFindings()).filter(({ lessonId }) => lessonId === lesson.id);
        assert.equal(findings.length, lesson.occurrences);
      }
    });

    it('is two lessons again if it was learned twice, and one when they are joined once more', async () => {
      for (const [n, id] of ['prj_pan', 'prj_pan_a'].entries())
        await learnFinding(store, makeFinding(`pan ${n}`, id, ['tool:pan']), []);
      await store.linkProjects([link('prj_pan', 'prj_pan_a')]);
      await repairTwice();
      assert.deepEqual(
        (await listed('tool:pan')).map(({ occurrences }) => occurrences),
        [2],
      );
      await store.linkProjects([link('prj_pan', 'prj_pan_b')]);
      await repairTwice();
      assert.deepEqual(toPlaces(await listed('tool:pan')), [
        ['prj_pan', 1, 1],
        ['prj_pan_a', 1, 1],
      ]);
      await store.joinProjects('prj_pan', 'prj_pan_a', { at: AT, dryRun: false });
      await repairTwice();
      assert.equal((await listed('tool:pan')).length, 1);
    });
  });
});
