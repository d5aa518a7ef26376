import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { toCallView } from '../../src/base/triggers/call-view.ts';
import { toLiveCalls } from '../../src/capture/calls/to-calls.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { listFired, toAuditCalls } from '../../src/loop/checks/audit-lessons.ts';
import { makeAskSession, makeSessionMemory, notePast, type PastContext } from '../../src/loop/delivery/session-past.ts';
import { readPast } from '../../src/loop/learning/learn-finding.ts';
import { firesAt, holdsInPast, makePastCalls, toPast } from '../../src/loop/learning/past-calls.ts';
import { makeRefuter } from '../../src/loop/measuring/refute-lessons.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeCall, makeSignature } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

/** PowerShell runs `acme deploy --fast`. To bash the first word is `.toolsacme.exe`, a program of that name. */
const COMMAND = String.raw`.\tools\acme.exe deploy --fast`;
const TRIGGERS = {
  tools: ['shell'],
  programs: [{ name: 'acme', sub: ['deploy'], args: { any: ['--fast'] } }],
} as const;
const { projectId, sessionId, agent } = makeCall();
const LESSON = makeTestLesson({
  triggers: TRIGGERS,
  scope: { kind: 'project', id: projectId },
  signatureId: 'sig_acme',
  origin: { kind: 'episode', by: 'distill/corrected-command@1', trust: 'observed' },
});

const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };
let count = 0;
function call(rawTool: string, fields: Partial<LiveCall> = {}): LiveCall {
  const occurredAt = new Date(Date.UTC(2026, 5, 1, 0, count)).toISOString();
  const base = makeCall({ callId: `call-${count++}`, tool: 'shell', rawTool, occurredAt, outcome: 'success' });
  return { ...base, command: COMMAND, inputSummary: COMMAND, ...fields };
}

function toEvent(rawTool: string): EventOf<'call-ended'> {
  const input = { command: COMMAND, json: JSON.stringify({ command: COMMAND }) };
  const result = { isError: false, exitCode: 0, text: '' };
  const place = { agent, sessionId, contextId: '', at: '2026-06-01T00:00:00.000Z', source: 'hook' } as const;
  return { ...place, kind: 'call-ended', callId: 'c', tool: 'shell', rawTool, input, result };
}

const openLessons = (...lessons: readonly (typeof LESSON)[]) =>
  openManifest(
    compileManifest({
      lessons,
      settings: DEFAULT_SETTINGS,
      generatedAt: '2026-01-01T00:00:00.000Z',
    }),
  ) ?? assert.fail('not a manifest');

describe('a PowerShell call is parsed as PowerShell, and the same call of Bash as bash', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-powershell-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('also if the store knows a later failure, which keeps earlier successes from refuting the lesson', async () => {
    const signature = makeSignature('acme');
    const lesson = { ...LESSON, id: 'les_again', slug: 'acme-again', contentHash: 'again', signatureId: signature.id };
    await store.saveLesson(lesson, CHANGE);
    const earlier = [call('PowerShell'), call('PowerShell')];
    await store.saveCalls([call('PowerShell', { outcome: 'failure', signature })], 'observed');
    for (const one of earlier) await makeRefuter(store).take([one]);
    assert.equal((await store.findLesson(lesson.id))?.status, 'active');
  });

  for (const [rawTool, isFound] of [
    ['PowerShell', true],
    ['Bash', false],
  ] as const) {
    describe(`of the tool ${rawTool}`, () => {
      it('by a hook', () => {
        const { result: _, ...started } = toEvent(rawTool);
        const view = toCallView({ ...started, kind: 'call-started' }, projectId);
        assert.equal(matchLessons(openLessons(LESSON), view).length, Number(isFound));
      });

      it('by the program and the intent under which the call is stored', () => {
        const [live] = toLiveCalls([toEvent(rawTool)], () => ({
          id: projectId,
          name: 'shop',
          basis: 'path',
          root: '/shop',
        })).observed;
        assert.equal(live?.program === 'acme', isFound);
        assert.equal(live?.intentKey?.includes('acme') === true && !live.intentKey.includes('toolsacme'), isFound);
      });

      it('by the back-test, from the store and from memory', async () => {
        const own = call(rawTool);
        await store.saveCalls([own], 'observed');
        const finding = { projectId, triggers: TRIGGERS, failingCallId: own.callId, fixingCallId: '', tags: [] };
        for (const window of [[], [own]]) {
          const past = await readPast(makePastCalls(store), finding as unknown as Finding, window);
          const found = past.find(({ callId }) => callId === own.callId) ?? assert.fail('not among the past calls');
          assert.equal(holdsInPast(TRIGGERS, found), isFound);
        }
      });

      it('by the refuter', async () => {
        const lesson = { ...LESSON, id: `les_${rawTool}`, slug: `acme-${rawTool}`, contentHash: rawTool };
        await store.saveLesson(lesson, CHANGE);
        for (const one of [call(rawTool), call(rawTool)]) await makeRefuter(store).take([one]);
        assert.equal((await store.findLesson(lesson.id))?.status, isFound ? 'draft' : 'active');
      });

      it('by the audit, and when a delivery is judged', () => {
        const stored = { ...call(rawTool), id: 'out_1' };
        assert.equal(listFired(LESSON, toAuditCalls([stored], true), (id) => id).length, Number(isFound));
        assert.equal(firesAt(LESSON, stored), isFound);
      });

      it('as something that ran earlier in the session', () => {
        const asked = { condition: { ran: 'acme deploy' }, meant: { ran: 'acme deploy' } } as const;
        const [earlier, later] = [{ ...call(rawTool), id: 'out_1' }, call(rawTool)];
        assert.equal(toPast([earlier], later)(asked), isFound);
        const asking = makeTestLesson({ triggers: { tools: ['edit'], session: { unless: [asked.condition] } } });
        for (const [name, context] of Object.entries<PastContext>({
          disk: { pastDir: join(dir, rawTool) },
          memory: { pastDir: join(dir, 'none'), memory: makeSessionMemory() },
        })) {
          const { kind: _, ...place } = toEvent(rawTool);
          notePast({ ...place, kind: 'session-started', start: 'startup' }, openLessons(asking), context);
          notePast(toEvent(rawTool), openLessons(asking), context);
          assert.equal(makeAskSession({ agent, sessionId }, context)(asked), isFound, name);
        }
      });
    });
  }
});
