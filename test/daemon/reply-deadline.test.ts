import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AgentEvent } from '../../src/base/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import { compileManifest } from '../../src/keep/compile-manifest.ts';
import { openManifest } from '../../src/match/open-manifest.ts';
import { decideReply } from '../../src/surfaces/hook/decide-reply.ts';
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
    const manifest = openManifest(compileManifest({ lessons, settings, generatedAt: AT, render: ({ slug }) => slug }));
    assert.ok(manifest);
    const startedMs = performance.now();
    const elapsedUs = () => (performance.now() - startedMs) * 1000;
    const claimsDir = join(dir, 'claims');
    const decision = decideReply(EVENT, {
      ...{ manifest, claimsDir, pastDir: dir, briefsDir: dir, troubleFile: join(dir, 'trouble'), projectId: '' },
      ...{ switches: { pauses: [], mutes: [] }, modes: ['note'], probe: false, elapsedUs },
    });
    return { decision, tookMs: performance.now() - startedMs };
  };

  it('is silence, and neither a delay nor a claim', () => {
    const { decision, tookMs } = decide(4000, 100);
    assert.deepEqual(decision, { deliveries: [], unsaid: [{ lessonId: '', reason: 'deadline' }] });
    // All of them would take minutes.
    assert.ok(tookMs < 5000, `${tookMs} ms`);
    assert.deepEqual(readdirSync(dir), []);
  });

  it('is the lesson where there is time', () => {
    assert.equal(decide(1, 60_000).decision.deliveries.length, 1);
  });
});
