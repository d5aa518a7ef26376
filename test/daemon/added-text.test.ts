/** Everything that we add to a conversation is counted, and what had no room beside it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { REPORT_PROTOCOL, REPORT_PROTOCOL_VERSION } from '../../src/distill/propose/self-reports/report-protocol.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { type Decision, toDecisionFacts } from '../../src/loop/delivery/decision.ts';
import { keepFacts } from '../../src/loop/keep-facts.ts';
import { makeProjectFinder } from '../../src/loop/projects/find-project.ts';
import { makeDelivery } from '../contracts/store/make-samples.ts';

const origin = { agent: 'claude-code', sessionId: 's1', source: 'hook', at: '2026-01-01T00:00:00.000Z' } as const;
const call: AgentEvent = {
  ...{ ...origin, kind: 'call-started', contextId: '', callId: 'c1', tool: 'shell', rawTool: 'Bash' },
  input: { command: 'gh pr diff --stat', json: '{}' },
};

describe('a text that is added to a conversation', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-added-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const keep = async (event: AgentEvent, decision: Decision): Promise<void> => {
    for (const _ of ['once', 'told again'])
      await keepFacts(store, toDecisionFacts(event, decision), makeProjectFinder());
  };

  it('counts whole, with what stands around the lessons; what only the user sees does not count', async () => {
    const delivery = makeDelivery({ bytes: 10 });
    const note = { kind: 'note', to: 'call-started', context: 'lesson and trailer' } as const;
    await keep(call, { reply: note, deliveries: [delivery] });
    const refusal = { kind: 'refusal', to: 'call-started', reason: 'why', notice: 'a long notice for you' } as const;
    await keep({ ...call, callId: 'c2' }, { reply: refusal, deliveries: [] });
    assert.deepEqual(await store.countAdded({}), [
      { kind: 'note', texts: 1, bytes: 18 },
      { kind: 'refusal', texts: 1, bytes: 3 },
    ]);
  });

  it('counts at the start of a session and of a sub-agent, the protocol apart with its version', async () => {
    const context = `CRITICAL\n${REPORT_PROTOCOL}`;
    await keep(
      { ...origin, kind: 'session-started', start: 'startup', sessionId: 's2', contextId: '' },
      { reply: { kind: 'note', to: 'session-started', context }, deliveries: [], asked: REPORT_PROTOCOL_VERSION },
    );
    await keep(
      { ...origin, kind: 'subagent-started', subagentType: 'x', sessionId: 's2', contextId: 'sub' },
      { reply: { kind: 'note', to: 'subagent-started', context: REPORT_PROTOCOL }, deliveries: [], asked: 1 },
    );
    assert.deepEqual(await store.countAdded({ sessionId: 's2' }), [
      { kind: 'protocol', texts: 2, bytes: 2 * Buffer.byteLength(REPORT_PROTOCOL) },
      { kind: 'session-start', texts: 1, bytes: 9 },
    ]);
  });

  it('says how many matching lessons had no room at the call', async () => {
    const delivery = makeDelivery({ id: 'dlv_full', sessionId: 's3' });
    const skipped = [
      { lessonId: 'les_2', reason: 'budget' },
      { lessonId: 'les_3', reason: 'budget' },
      { lessonId: 'les_4', reason: 'muted' },
    ] as const;
    await keep({ ...call, sessionId: 's3' }, { deliveries: [delivery], skipped });
    const [kept] = await store.listDeliveries({ sessionId: 's3' });
    assert.equal(kept?.noRoom, 2);
  });
});

describe('the protocol that asks for reports', () => {
  it('has a new version whenever its text changes', () => {
    const hash = createHash('sha256').update(REPORT_PROTOCOL).digest('hex').slice(0, 16);
    assert.deepEqual({ [REPORT_PROTOCOL_VERSION]: hash }, { 2: 'aadfad12ec3395d9' });
  });
});
