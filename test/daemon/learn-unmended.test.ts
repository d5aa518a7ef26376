/** What nothing mended, from a user's own detector to the store: the second time counts, and a cure is known from another session. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import type { Detector } from '../../src/distill/detector.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { absentPath } from '../distill/own-detectors.ts';
import { makeWindow, type Step } from '../distill/session-script.ts';
import { learnFinding } from './learn-one-finding.ts';

describe('what nothing mended', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-unmended-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** One session, told to the end; what it taught. */
  const live = async (
    detector: Detector,
    sessionId: string,
    ...steps: readonly Step[]
  ): Promise<readonly boolean[]> => {
    const { calls } = makeWindow(steps);
    const told = calls.map((call) => toStored({ ...call, sessionId, callId: `${sessionId}-${call.callId}` }));
    await store.saveCalls(told, 'observed');
    const findings = detector.detect({ calls: told, from: 0, spoken: [], spokenFrom: 0 });
    const learned: boolean[] = [];
    for (const finding of findings) learned.push(await learnFinding(store, finding, told));
    return learned;
  };

  it('teaches a path that is not there when it was looked for in a second session', async () => {
    const look = (command: string): Step => ({
      ...{ command, cwd: '/repo', outcome: 'failure', exitCode: 1 },
      output: 'Exit code 1\ncat: docs/plans: No such file or directory',
    });
    assert.deepEqual(await live(absentPath, 'first', look('cat docs/plans')), [false]);
    assert.deepEqual(await store.listLessons(), [], 'looking once is no mistake');
    assert.deepEqual(await live(absentPath, 'second', look('cat -n docs/plans')), [true]);
    const [lesson] = await store.listLessons();
    assert.deepEqual([lesson?.status, lesson?.needsReview, lesson?.type], ['active', false, 'warning']);
  });

  it('teaches no path that any tool has read or written', async () => {
    const look: Step = {
      ...{ command: 'cat docs/notes.md', cwd: '/repo', outcome: 'failure', exitCode: 1 },
      output: 'Exit code 1\ncat: docs/notes.md: No such file or directory',
    };
    const write: Step = { tool: 'write', rawTool: 'Write', targetPath: '/repo/docs/notes.md', outcome: 'success' };
    await live(absentPath, 'early', look);
    await live(absentPath, 'between', write);
    assert.deepEqual(await live(absentPath, 'late', look), [false]);
  });
});

function toStored(call: LiveCall): LiveCall {
  const program = call.command?.split(' ', 1)[0] ?? call.tool;
  const signature = call.outcome === 'failure' ? toSignature(program, call.output ?? '')?.signature : undefined;
  const summary = call.command === undefined ? {} : { inputSummary: call.command };
  return { ...call, program, ...summary, ...(signature === undefined ? {} : { signature }) };
}
