import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { failed, makeWindow, worked } from '../distill/session-script.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { learnFinding } from './learn-one-finding.ts';

const CHANGE = { by: 'repository', reason: 'read', at: '2026-01-01T00:00:00.000Z' };
const TAGS = ['topic:cli-flag'];

function makeFinding(sessionId: string, projectId: string): Finding {
  const steps = [failed('gh pr diff 7 --stat', 'unknown flag: --stat'), worked('gh pr diff 7 --name-only')];
  const [finding] = correctedCommand.detect(makeWindow(steps));
  assert.ok(finding);
  return { ...finding, sessionId, projectId, tags: TAGS, evidence: { ...finding.evidence, sessionId } };
}

describe("the mistake of a repository's lesson, seen here", () => {
  let folder: string;
  let store: Store;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oncebitten-learn-'));
    store = await openSqliteStore(join(folder, 'oncebitten.db'));
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const put = async (fields: Partial<Lesson>): Promise<void> => {
    const { triggers } = makeFinding('x', 'x');
    const lesson = makeTestLesson({
      ...{ slug: 'theirs', triggers, tags: TAGS, occurrences: 0, sessions: 0 },
      scope: { kind: 'project', id: 'prj_a' },
      origin: { kind: 'import', by: 'repository', trust: 'foreign' },
      file: { slug: 'theirs', hash: 'h', contentHash: 'c' },
      ...fields,
    });
    await store.saveLesson(lesson, CHANGE);
  };
  const learn = async (projectId: string): Promise<readonly string[]> => {
    await learnFinding(store, makeFinding(`s-${projectId}`, projectId), []);
    return (await store.listLessons()).map(({ slug }) => slug.replace(/-\w{4}$/, '')).sort();
  };

  it('is evidence of it, in the store', async () => {
    await put({});
    assert.deepEqual(await learn('prj_a'), ['theirs']);
    const { occurrences, scope } = (await store.findLesson('theirs')) ?? assert.fail();
    assert.deepEqual([occurrences, scope], [1, { kind: 'project', id: 'prj_a' }]);
  });

  it('is learned on its own in another project: the file does not get there', async () => {
    await put({});
    assert.equal((await learn('prj_b')).length, 2);
    assert.deepEqual((await store.findLesson('theirs'))?.scope, { kind: 'project', id: 'prj_a' });
  });

  it('is learned on its own while the file is held back or gone', async () => {
    for (const fields of [
      { status: 'draft', needsReview: true } as const,
      { status: 'archived', archival: { cause: 'removed', reason: 'x', from: 'active' } } as const,
    ]) {
      await put({ ...fields, slug: `theirs-${fields.status}` });
    }
    assert.equal((await learn('prj_a')).length, 3);
  });
});
