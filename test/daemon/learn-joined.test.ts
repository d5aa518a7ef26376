import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Finding } from '../../src/base/finding.ts';
import type { Store } from '../../src/base/store.ts';
import { correctedCommand } from '../../src/distill/detectors/corrected-command.ts';
import { openSqliteStore } from '../../src/keep/store/open-sqlite-store.ts';
import { learnFinding } from '../../src/surfaces/loop/learn-finding.ts';
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

  it('belongs to the end of the join when it is new', async () => {
    await store.joinProjects('prj_from', 'prj_into', { at: AT, dryRun: false });
    await learnFinding(store, makeFinding('s9', 'prj_from', ['tool:new']), []);
    const lesson = (await store.listLessons()).find(({ tags }) => tags.includes('tool:new'));
    assert.deepEqual(lesson?.scope, { kind: 'project', id: 'prj_into' });
  });
});
