/** The same call, reported by hooks, batches, transcripts and notifications in any order, through the real store. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { toFacts } from '../../src/capture/journal/facts.ts';
import { readSettings } from '../../src/keep/settings/read-settings.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { toRuns } from '../to-runs.ts';
import { SCENARIOS, type Telling } from './call-scenarios.ts';
import { readAll } from './open-lines.ts';

const dir = mkdtempSync(join(tmpdir(), 'oncebitten-one-row-'));
const PROJECT = identifyProject('/home/dev/project').id;
let store: Store;
let loop: Loop;
let runs = 0;

before(async () => {
  store = await openSqliteStore(join(dir, 'store.db'));
  const settings = readSettings(join(dir, 'config.json'), {});
  loop = makeLoop({ store, settings, manifestFile: join(dir, 'm'), switchesFile: join(dir, 's') });
});

after(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

function toEvents(telling: Telling, sessionId: string): readonly AgentEvent[] {
  if ('hook' in telling) {
    const wire = { session_id: sessionId, cwd: '/home/dev/project', prompt_id: 'p', ...telling.hook };
    const event = claudeCode.readHook('', wire, telling.at);
    return event === undefined ? [] : [event];
  }
  const path = telling.path ?? `/x/${sessionId}.jsonl`;
  const rows = telling.rows.map((row) => JSON.stringify({ sessionId, cwd: '/home/dev/project', ...row }));
  return readAll(openTranscript, path, rows);
}

/** The stored row after these reports, without what differs from run to run. */
async function keep(tellings: readonly Telling[], asFacts: readonly Telling[] = []): Promise<readonly object[]> {
  const sessionId = `run-${runs++}`;
  for (const telling of tellings) await loop.takeEvents(toEvents(telling, sessionId), []);
  // As from the journal of a daemon that died: without any text.
  for (const telling of asFacts.filter((one) => 'hook' in one))
    await loop.takeFacts(toEvents(telling, sessionId).flatMap((event) => toFacts(event, PROJECT)));
  const calls = await store.listCalls({ sessionId });
  return calls.map(({ id: _, sessionId: __, ...call }) => call);
}

describe('a call reported in any order', () => {
  for (const { name, tellings, expected, startsFirst } of SCENARIOS) {
    it(`is one and the same row: ${name}`, async () => {
      const [row, ...more] = await keep(tellings);
      assert.deepEqual(more, []);
      assert.ok(row !== undefined);
      for (const [field, value] of Object.entries(expected))
        assert.deepEqual((row as Record<string, unknown>)[field], value, field);
      const orders = fc.shuffledSubarray(tellings as Telling[], { minLength: tellings.length });
      const some = fc.subarray(tellings as Telling[]);
      await fc.assert(
        fc.asyncProperty(orders, some, some, async (order, again, asFacts) => {
          // A repetition comes after the first round of reports.
          const first = startsFirst ? tellings.slice(0, 1) : [];
          assert.deepEqual(await keep([...first, ...order, ...again], asFacts), [row]);
        }),
        { numRuns: toRuns(30) },
      );
    });
  }

  it('is never overwritten by hearsay, and hearsay is corrected by observed facts', async () => {
    for (const { name, tellings, expected } of SCENARIOS) {
      const batches = tellings.filter(
        (telling) => 'hook' in telling && telling.hook.hook_event_name === 'PostToolBatch',
      );
      const others = tellings.filter((telling) => !batches.includes(telling));
      const [late] = (await keep([...others, ...batches])) as { outcome: string; outcomeType: string }[];
      const [early] = (await keep([...batches, ...others])) as { outcome: string; outcomeType: string }[];
      assert.deepEqual(early, late, name);
      assert.equal(late?.outcome, expected.outcome, name);
      assert.doesNotMatch(late?.outcomeType ?? '', /^told-/, name);
    }
  });
});
