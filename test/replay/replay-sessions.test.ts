import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { type ReplayStep, readSessions } from '../../src/loop/replay/read-sessions.ts';
import { replaySessions } from '../../src/loop/replay/replay-sessions.ts';
import { toReplayOrder } from '../../src/loop/replay/time-order.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { makeBacktestReport } from '../../src/measure/make-backtest-report.ts';
import { type FileCall, writeSession } from '../stories/session-file.ts';
import { toRuns } from '../to-runs.ts';

const root = mkdtempSync(join(tmpdir(), 'oncebitten-replay-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 2);
let ids = 0;
const id = (): string => `call-${ids++}`;
const wrong = (): FileCall => ({
  id: id(),
  command: 'gh pr diff 7 --stat',
  error: 'Exit code 1\nunknown flag: --stat',
});
const right = (): FileCall => ({ id: id(), command: 'gh pr diff 7 --name-only', output: 'a.ts' });
const other = (): FileCall => ({ id: id(), command: 'ls', output: 'a.ts' });

interface Script {
  readonly atHour: number;
  readonly calls: readonly FileCall[];
}

async function read(sessions: readonly Script[], cwd = '/home/dev/shop'): Promise<readonly ReplayStep[]> {
  const dir = mkdtempSync(join(root, 'sessions-'));
  for (const [n, { atHour, calls }] of sessions.entries())
    writeSession(join(dir, `session-${n}.jsonl`), { session: `session-${n}`, cwd, atMs: START + atHour * HOUR }, calls);
  const files = listScanFiles({ agent: 'claude-code', path: dir, home: dir, env: {} });
  return readSessions(files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: assert.fail });
}

const replay = async (sessions: readonly Script[]) =>
  (await replaySessions(await read(sessions), DEFAULT_SETTINGS)).calls;
const shownAt = (calls: Awaited<ReturnType<typeof replay>>) =>
  calls.filter(({ deliveries }) => deliveries.length > 0).map(({ callId }) => callId);

describe('a replay', () => {
  it('warns of what an earlier session learned, once in a session', async () => {
    const [again, twice] = [wrong(), wrong()];
    const calls = await replay([
      { atHour: 0, calls: [wrong(), right()] },
      { atHour: 1, calls: [other(), again, twice] },
    ]);
    assert.deepEqual(shownAt(calls), [again.id]);
    const { command } = makeBacktestReport(calls).classes;
    assert.deepEqual([command.failures, command.repeats, command.warned, command.hits], [3, 2, 2, 1]);
  });

  it('says nothing at the failing call, nor at the fix, nor before them', async () => {
    assert.deepEqual(shownAt(await replay([{ atHour: 0, calls: [wrong(), wrong(), right()] }])), []);
    const early = { atHour: 0, calls: [wrong(), other()] };
    assert.deepEqual(shownAt(await replay([{ atHour: 1, calls: [wrong(), right()] }, early])), []);
  });

  it('counts from the next call on, in the same session too', async () => {
    const next = wrong();
    assert.deepEqual(shownAt(await replay([{ atHour: 0, calls: [wrong(), right(), next] }])), [next.id]);
  });

  it('goes by the time of calls, not by the order of files', async () => {
    const late = wrong();
    const sessions = [
      { atHour: 5, calls: [late] },
      { atHour: 0, calls: [wrong(), right()] },
    ];
    assert.deepEqual(shownAt(await replay(sessions)), [late.id]);
  });

  it('does not let one that is still running be learned from', async () => {
    const steps = await read([
      { atHour: 0, calls: [wrong(), right()] },
      { atHour: 1, calls: [wrong()] },
    ]);
    const slow = steps.map((step) =>
      step.call?.command?.includes('--name-only')
        ? { ...step, endedAt: new Date(START + 2 * HOUR).toISOString() }
        : step,
    );
    assert.deepEqual(shownAt((await replaySessions(slow, DEFAULT_SETTINGS)).calls), []);
    assert.equal(shownAt((await replaySessions(steps, DEFAULT_SETTINGS)).calls).length, 1);
  });

  it('says the same of a call whatever comes after it', async () => {
    const script = fc.array(fc.array(fc.constantFrom('wrong', 'right', 'other'), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 4,
    });
    const make = { wrong, right, other };
    await fc.assert(
      fc.asyncProperty(script, fc.nat(), async (sessions, cut) => {
        const steps = await read(
          sessions.map((words, n) => ({ atHour: n / 1800, calls: words.map((word) => make[word]()) })),
        );
        const whole = (await replaySessions(steps, DEFAULT_SETTINGS)).calls;
        const order = toReplayOrder(steps).filter(({ kind }) => kind === 'ask');
        const kept = new Set(order.slice(0, cut % (order.length + 1)).map(({ step }) => step));
        const part = (
          await replaySessions(
            steps.filter((step) => kept.has(step)),
            DEFAULT_SETTINGS,
          )
        ).calls;
        const toShown = (calls: typeof whole) => calls.map((one) => [one.callId, one.deliveries.length]);
        assert.deepEqual(toShown(part), toShown(whole.slice(0, part.length)));
      }),
      { numRuns: toRuns(15) },
    );
  });
});
