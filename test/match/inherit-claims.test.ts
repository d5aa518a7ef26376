import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DeliveryMode } from '../../src/base/model/lesson.ts';
import {
  claimLesson,
  claimPause,
  dropClaims,
  hasPaused,
  inheritClaims,
  markContinuedSession,
} from '../../src/match/claims.ts';

const FORK = { agent: 'claude-code', sessionId: 'fork' };
const MAIN = { ...FORK, contextId: '' };
const ONE = { id: 'les_1', slug: 'one', priority: 5 };
const TWO = { id: 'les_2', slug: 'two', priority: 5 };
const PAUSE = { ...FORK, lessonId: 'les_1', shape: 'gh pr diff --stat' };

describe('a lesson that was shown before a fork', () => {
  let claims: string;
  let asked = 0;
  beforeEach(() => {
    claims = join(mkdtempSync(join(tmpdir(), 'oncebitten-heir-')), 'claims');
    asked = 0;
  });
  afterEach(() => rmSync(join(claims, '..'), { recursive: true }));

  const inherit = (mode: DeliveryMode = 'note', lessons = [ONE, TWO]): void =>
    inheritClaims(claims, FORK, lessons, () => {
      asked++;
      return [{ lesson: 'one', mode }];
    });

  it('is not shown again in the fork, but every other lesson is', () => {
    markContinuedSession(claims, FORK);
    inherit();
    assert.equal(claimLesson(claims, MAIN, ONE), false);
    assert.equal(claimLesson(claims, MAIN, TWO), true);
  });

  it('is shown to sub-agents of the fork, which do not know it', () => {
    markContinuedSession(claims, FORK);
    inherit();
    assert.equal(claimLesson(claims, { ...MAIN, contextId: 'sub' }, ONE), true);
  });

  it('pauses no call again, whatever its shape', () => {
    markContinuedSession(claims, FORK);
    inherit('note');
    assert.equal(hasPaused(claims, PAUSE), false);
    dropClaims(claims, MAIN, 0);
    rmSync(claims, { recursive: true });
    markContinuedSession(claims, FORK);
    inherit('pause');
    assert.equal(hasPaused(claims, PAUSE), true);
    assert.equal(hasPaused(claims, { ...PAUSE, lessonId: 'les_2' }), false);
  });

  it('is looked up only if a lesson would fire', () => {
    markContinuedSession(claims, FORK);
    inherit('note', []);
    assert.equal(asked, 0);
    inherit();
    claimLesson(claims, MAIN, TWO);
    inherit();
    assert.equal(asked, 1);
  });

  it('is not looked up in a session that has claims of its own', () => {
    claimPause(claims, PAUSE);
    markContinuedSession(claims, FORK);
    inherit();
    assert.equal(asked, 0);
    assert.equal(claimLesson(claims, MAIN, ONE), true);
  });

  it('is shown again after clear and after compaction', () => {
    for (const minPriority of [0, 7]) {
      rmSync(claims, { recursive: true, force: true });
      markContinuedSession(claims, FORK);
      dropClaims(claims, MAIN, minPriority);
      inherit();
      assert.equal(claimLesson(claims, MAIN, ONE), true);
    }
    assert.equal(asked, 0);
  });
});
