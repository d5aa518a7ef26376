import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AgentEvent } from '../../src/base/model/event.ts';
import type { DeliveryMode } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { decideReply } from '../../src/loop/deliver.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
/** Tens of milliseconds for each lesson. */
const SLOW = 'a.*b.*c.*d$';
const CONTENT = 'abc'.repeat(20_000);
const EVENT: AgentEvent = {
  ...{ agent: 'claude-code', sessionId: 'one', contextId: '', at: AT, source: 'hook', cwd: '/repo' },
  ...{ kind: 'call-started', callId: 'c', tool: 'edit', rawTool: 'Edit' },
  input: { path: '/repo/a.ts', content: CONTENT, json: '{}' },
};

interface Reach {
  readonly modes: readonly DeliveryMode[];
  readonly maxMode: DeliveryMode;
}

describe('a reply that would take too long', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-deadline-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const decide = (slow: number, replyDeadlineMs: number) => {
    const lessons = [
      makeTestLesson({ slug: 'due', priority: 10, triggers: { tools: ['edit'] } }),
      ...Array.from({ length: slow }, () =>
        makeTestLesson({ triggers: { tools: ['edit'], content: { match: [SLOW] } } }),
      ),
    ];
    const settings = { ...DEFAULT_SETTINGS, replyDeadlineMs };
    const opened = openManifest(compileManifest({ lessons, settings, generatedAt: AT }));
    assert.ok(opened);
    let looked = 0;
    const get = (n: number) => {
      looked++;
      return opened.get(n);
    };
    const manifest = { ...opened, get };
    const startedMs = performance.now();
    const elapsedUs = () => (performance.now() - startedMs) * 1000;
    const claimsDir = join(dir, 'claims');
    const decision = decideReply(EVENT, {
      ...{ manifest, claimsDir, pastDir: dir, briefsDir: dir, troubleFile: join(dir, 'trouble'), projectId: '' },
      ...{ switches: { pauses: [], mutes: [] }, modes: ['note'], probe: false, elapsedUs },
    });
    return { decision, looked };
  };

  it('is silence, and neither a delay nor a claim', () => {
    const { decision, looked } = decide(4000, 100);
    assert.deepEqual(decision, { deliveries: [], skipped: [{ lessonId: '', reason: 'deadline' }] });
    // All of them would take minutes.
    assert.ok(looked < 1000, `looked at ${looked} lessons`);
    assert.deepEqual(readdirSync(dir), []);
  });

  /** It is late as soon as so many lessons were looked at; the one that blocks is the ninth. */
  const decideBlocked = (lateAt: number, { modes = ['note', 'block'], maxMode = 'block' }: Partial<Reach> = {}) => {
    const note = { priority: 10, triggers: { tools: ['edit'] } } as const;
    const block = { ...note, mode: 'block', modeBy: 'user:me' } as const;
    const lessons = Array.from({ length: 40 }, (_, n) =>
      makeTestLesson({ slug: `l${n}`, ...(n === 8 ? block : note) }),
    );
    const settings = { ...DEFAULT_SETTINGS, delivery: { ...DEFAULT_SETTINGS.delivery, maxMode } };
    const manifest = openManifest(compileManifest({ lessons, settings, generatedAt: AT }));
    assert.ok(manifest);
    let looked = 0;
    const get = (n: number) => {
      looked++;
      return manifest.get(n);
    };
    return decideReply(EVENT, {
      ...{ manifest: { ...manifest, get }, claimsDir: join(dir, 'claims'), pastDir: dir, briefsDir: dir },
      ...{ troubleFile: join(dir, 'trouble'), projectId: '', switches: { pauses: [], mutes: [] }, modes, probe: false },
      elapsedUs: () => (looked >= lateAt ? 1_000_000 : 0),
    });
  };

  it('still refuses what a person wants refused, if it was found in time', () => {
    // It is looked at before all others.
    for (const lateAt of [2, 10, 20, 40]) {
      const { reply, deliveries, skipped } = decideBlocked(lateAt);
      assert.equal(reply?.kind, 'refusal', `late at ${lateAt}`);
      assert.deepEqual(
        deliveries.map(({ mode }) => mode),
        ['block'],
      );
      assert.deepEqual(skipped, [{ lessonId: '', reason: 'deadline' }]);
    }
  });

  it('refuses nothing that may only be noted, and nothing that is not certain', () => {
    const silence = { deliveries: [], skipped: [{ lessonId: '', reason: 'deadline' }] };
    assert.deepEqual(decideBlocked(10, { maxMode: 'note' }), silence);
    assert.deepEqual(decideBlocked(10, { modes: ['note'] }), silence);
    // Its exceptions may not have been tried any more.
    assert.deepEqual(decideBlocked(1), silence);
  });

  it('is the lesson where there is time', () => {
    assert.equal(decide(1, 60_000).decision.deliveries.length, 1);
  });
});
