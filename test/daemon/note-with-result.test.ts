/** Lessons for an agent that reads no note before a call: they come with the result, and only pauses come before. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { CallResult, EventOf } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { dropAbsent } from '../../src/base/records.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { decideReply } from '../../src/loop/deliver.ts';
import type { ReplyChannels } from '../../src/loop/delivery/decision.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
const COMMAND = 'gh pr diff 7 --stat';
const CALL = { callId: '', tool: 'shell', rawTool: 'run', input: { command: COMMAND, json: '{}' } } as const;
const ORIGIN = { agent: 'gemini', sessionId: 'one', contextId: '', at: AT, source: 'hook', cwd: '/repo' } as const;
const STARTED: EventOf<'call-started'> = { ...ORIGIN, ...CALL, kind: 'call-started' };
const toReturned = (result: Partial<CallResult> = {}): EventOf<'call-returned'> => ({
  ...{ ...ORIGIN, ...CALL, kind: 'call-returned' },
  result: { isError: false, exitCode: 0, text: '', ...result },
});

describe('an agent that reads no note before a call', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-result-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const AFTER: ReplyChannels = { modes: ['pause', 'block'], withResult: 'no errors' };

  const makeDecide = (mode: 'note' | 'pause', channels = AFTER, session = {}) => {
    const triggers = dropAbsent({ tools: ['shell'], programs: [{ name: 'gh' }], ...session }) as Triggers;
    const lessons = [makeTestLesson({ slug: 'no-stat', priority: 6, mode, modeBy: 'user:me', triggers })];
    const settings = { ...DEFAULT_SETTINGS, delivery: { ...DEFAULT_SETTINGS.delivery, maxMode: 'pause' as const } };
    const bytes = compileManifest({ lessons, settings, generatedAt: AT });
    const manifest = openManifest(bytes) ?? assert.fail();
    return (event: Parameters<typeof decideReply>[0]) =>
      decideReply(event, {
        ...{ manifest, claimsDir: join(dir, 'claims'), pastDir: dir, briefsDir: dir, projectId: '' },
        ...{ troubleFile: join(dir, 'trouble'), switches: { pauses: [], mutes: [] }, ...channels },
        ...{ probe: false, elapsedUs: () => 0 },
      });
  };

  it('reads the lesson once, with the result of the call', () => {
    const decide = makeDecide('note');
    assert.deepEqual(decide(STARTED).deliveries, []);
    const { reply, deliveries } = decide(toReturned({ exitCode: 1 }));
    assert.deepEqual([reply?.kind, reply?.to], ['note', 'call-returned']);
    assert.deepEqual(
      deliveries.map(({ mode, arm, kind }) => [kind, mode, arm]),
      [['call', 'note', 'shown']],
    );
    assert.deepEqual(decide(toReturned()).deliveries, []);
  });

  it('keeps the lesson for later, if a result cannot carry it', () => {
    const decide = makeDecide('note');
    assert.equal(decide(toReturned({ isError: true })).reply, undefined);
    assert.equal(decide(toReturned()).reply?.kind, 'note');
  });

  it('pauses the call before it runs, and does not tell the lesson again with the result of the retry', () => {
    const decide = makeDecide('pause');
    assert.equal(decide(STARTED).reply?.kind, 'refusal');
    assert.equal(decide(STARTED).reply, undefined);
    assert.equal(decide(toReturned()).reply, undefined);
  });

  it('gets no note with a result, if it reads notes before the call', () => {
    const decide = makeDecide('note', { modes: ['note'], withResult: 'all' });
    assert.equal(decide(toReturned()).reply, undefined);
    assert.equal(decide(STARTED).reply?.to, 'call-started');
  });

  it('is asked about the session as it was before the call', () => {
    const decide = makeDecide('note', AFTER, {
      ...{ tools: ['edit'], programs: undefined, session: { unless: [{ read: '{path}' }] } },
    });
    decide({ ...ORIGIN, kind: 'session-started', start: 'startup' });
    const edit = { tool: 'edit', rawTool: 'replace', input: { path: '/repo/a.ts', json: '{}' } } as const;
    assert.equal(decide({ ...toReturned(), ...edit }).reply?.kind, 'note');
  });
});
