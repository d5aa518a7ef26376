import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DeliveryMode } from '../../src/base/model/lesson.ts';
import { claimLesson, claimPause, dropClaims, hasPaused, inheritClaims, markHeir } from '../../src/match/claims.ts';

const FORK = { agent: 'claude-code', sessionId: 'fork' };
const MAIN = { ...FORK, contextId: '' };
const ONE = { id: 'les_1', slug: 'one', priority: 5 };
const TWO = { id: 'les_2', slug: 'two', priority: 5 };
const PAUSE = { ...FORK, lessonId: 'les_1', shape: 'gh pr diff --stat' };

describe('what a fork was told before it began', () => {
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

  it('is not told again, and everything else is', () => {
    markHeir(claims, FORK);
    inherit();
    assert.equal(claimLesson(claims, MAIN, ONE), false);
    assert.equal(claimLesson(claims, MAIN, TWO), true);
  });

  it('is told to its sub-agents: they know nothing of it', () => {
    markHeir(claims, FORK);
    inherit();
    assert.equal(claimLesson(claims, { ...MAIN, contextId: 'sub' }, ONE), true);
  });

  it('holds no call back again, whatever its shape was', () => {
    markHeir(claims, FORK);
    inherit('note');
    assert.equal(hasPaused(claims, PAUSE), false);
    dropClaims(claims, MAIN, 0);
    rmSync(claims, { recursive: true });
    markHeir(claims, FORK);
    inherit('pause');
    assert.equal(hasPaused(claims, PAUSE), true);
    assert.equal(hasPaused(claims, { ...PAUSE, lessonId: 'les_2' }), false);
  });

  it('is asked for only where a lesson would speak', () => {
    markHeir(claims, FORK);
    inherit('note', []);
    assert.equal(asked, 0);
    inherit();
    claimLesson(claims, MAIN, TWO);
    inherit();
    assert.equal(asked, 1);
  });

  it('is not asked for in a session that has claims of its own', () => {
    claimPause(claims, PAUSE);
    markHeir(claims, FORK);
    inherit();
    assert.equal(asked, 0);
    assert.equal(claimLesson(claims, MAIN, ONE), true);
  });

  it('is forgotten with everything else: after clear and after compaction', () => {
    for (const minPriority of [0, 7]) {
      rmSync(claims, { recursive: true, force: true });
      markHeir(claims, FORK);
      dropClaims(claims, MAIN, minPriority);
      inherit();
      assert.equal(claimLesson(claims, MAIN, ONE), true);
    }
    assert.equal(asked, 0);
  });
});
