import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { type ReplayStep, readSessions } from '../../src/loop/replay/read-sessions.ts';
import { replaySessions } from '../../src/loop/replay/replay-sessions.ts';
import { makePeekGuard, PeekError, toReplayOrder } from '../../src/loop/replay/time-order.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { type FileCall, renderCalls, writeSession } from '../stories/session-file.ts';

const root = mkdtempSync(join(tmpdir(), 'oncebitten-peek-'));
after(() => rmSync(root, { recursive: true, force: true }));

const START = Date.UTC(2026, 0, 2);
const wrong = (id: string): FileCall => ({
  ...{ id, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
});
const right = (id: string): FileCall => ({ id, command: 'gh pr diff 7 --name-only', output: 'a.ts' });
const other = (id: string): FileCall => ({ id, command: 'ls', output: 'a.ts' });

/** Sessions by the second at which they begin; their calls follow by the second. */
async function read(sessions: Readonly<Record<number, readonly FileCall[]>>): Promise<readonly ReplayStep[]> {
  const dir = mkdtempSync(join(root, 'sessions-'));
  for (const [second, calls] of Object.entries(sessions)) {
    const session = `at-${second}`;
    const place = { session, cwd: '/home/dev/shop', atMs: START + Number(second) * 1_000 };
    writeSession(join(dir, `${session}.jsonl`), place, calls);
  }
  const files = listScanFiles({ agent: 'claude-code', path: dir, home: dir, env: {} });
  return readSessions(files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: assert.fail });
}

const replay = (steps: readonly ReplayStep[]) => replaySessions(steps, DEFAULT_SETTINGS);
const idOf = ({ call }: ReplayStep): string => call?.callId ?? '';
const stepOf = (steps: readonly ReplayStep[], id: string): ReplayStep => {
  const found = steps.find((step) => idOf(step) === id);
  assert.ok(found !== undefined);
  return found;
};

/** The same instant, as it is written east of here. */
const inTokyo = (at: string): string => new Date(Date.parse(at) + 9 * 3_600_000).toISOString().replace('Z', '+09:00');
const moved = (step: ReplayStep): ReplayStep => ({
  ...step,
  ...{ beganAt: inTokyo(step.beganAt), endedAt: inTokyo(step.endedAt) },
});

describe('a replay of sessions whose times have zones', () => {
  const isAt = (session: string) => (step: ReplayStep) => step.event.sessionId === session;

  it('goes by instants, not by how they are written', async () => {
    // Learned at second 100; the mistake before that is met in a file that is written east of here, and after it too.
    const steps = await read({ 0: [wrong('a')], 100: [wrong('b'), right('c')], 200: [wrong('d')] });
    const east = steps.map((step) => (isAt('at-100')(step) ? moved(step) : step));
    const order = (some: readonly ReplayStep[]) => toReplayOrder(some).map(({ kind, step }) => `${kind} ${idOf(step)}`);
    assert.deepEqual(order(east), order(steps));
    const west = steps.map((step) => (isAt('at-100')(step) ? step : moved(step)));
    assert.deepEqual(order(west), order(steps));
  });

  it('is caught when it knows the future, however that is written', async () => {
    const steps = await read({ 0: [wrong('a')], 100: [wrong('b'), right('c')] });
    const ended = steps.map((step) => (idOf(step) === 'a' ? moved(step) : step));
    const guard = makePeekGuard(ended);
    const [finding] = stepOf(ended, 'c').digest.findings;
    guard.take('les_1', finding?.finding ?? assert.fail(), stepOf(ended, 'c'));
    assert.throws(() => guard.check('les_1', stepOf(ended, 'a')), PeekError);
  });

  it('reads all times alike', async () => {
    const dir = mkdtempSync(join(root, 'zones-'));
    const place = { session: 'east', cwd: '/home/dev/shop', atMs: START };
    const rows = renderCalls(place, [wrong('a'), right('b')]).replaceAll(/(?<="timestamp":")[^"]+/g, inTokyo);
    writeFileSync(join(dir, 'east.jsonl'), rows);
    const files = listScanFiles({ agent: 'claude-code', path: dir, home: dir, env: {} });
    const steps = await readSessions(files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: assert.fail });
    const times = steps.flatMap(({ beganAt, call }) => (call === undefined ? [] : [beganAt, call.occurredAt]));
    assert.deepEqual(
      [...new Set(times)],
      [0, 1].map((n) => new Date(START + n * 1_000).toISOString()),
    );
  });
});

describe('a replay in which something knows the future', () => {
  it('is caught when the learner looks one call ahead', async () => {
    // The fix comes at second 3; somebody else makes the mistake at second 1.
    const steps = await read({ 0: [wrong('a'), other('b'), other('c'), right('d')], 1: [wrong('e'), other('f')] });
    const honest = await replay(steps);
    assert.ok(honest.calls.every(({ deliveries }) => deliveries.length === 0));
    const fix = stepOf(steps, 'd').digest;
    assert.ok(fix.findings.length > 0);
    const leaking = steps.map((step) =>
      idOf(step) === 'a' ? { ...step, digest: { ...step.digest, findings: fix.findings } } : step,
    );
    await assert.rejects(replay(leaking), PeekError);
  });

  it('is caught when a later session is learned from first', async () => {
    const steps = await read({ 0: [other('a'), other('b'), wrong('c')], 100: [wrong('d'), right('e')] });
    assert.ok((await replay(steps)).calls.every(({ deliveries }) => deliveries.length === 0));
    const future = stepOf(steps, 'e').digest;
    const leaking = steps.map((step) =>
      idOf(step) === 'a' ? { ...step, digest: { ...step.digest, findings: future.findings } } : step,
    );
    await assert.rejects(replay(leaking), /peeked: .* learned from a call that ended at 2026-01-02T00:01:41/);
  });

  it('is caught when a known lesson grows by what is still to come', async () => {
    const steps = await read({
      0: [wrong('a'), right('b'), other('c')],
      50: [wrong('d')],
      100: [wrong('e'), right('f')],
    });
    assert.equal((await replay(steps)).calls.filter(({ deliveries }) => deliveries.length > 0).length, 2);
    const future = stepOf(steps, 'f').digest;
    const leaking = steps.map((step) =>
      idOf(step) === 'c' ? { ...step, digest: { ...step.digest, findings: future.findings } } : step,
    );
    await assert.rejects(replay(leaking), PeekError);
  });
});

describe('the guard of a replay', () => {
  const finding = { agent: 'claude-code', sessionId: 'at-0', failingCallId: 'a', fixingCallId: 'b' };

  it('lets pass what had ended before, also just before in the same file', async () => {
    const steps = await read({ 0: [wrong('a'), right('b'), wrong('c')], 5: [wrong('d')] });
    const guard = makePeekGuard(steps);
    guard.take('les_1', finding, stepOf(steps, 'b'));
    guard.check('les_1', stepOf(steps, 'c'));
    guard.check('les_1', stepOf(steps, 'd'));
    const same = steps.map((step) => ({ ...step, beganAt: steps[0]?.beganAt ?? '', endedAt: steps[0]?.beganAt ?? '' }));
    const strict = makePeekGuard(same);
    strict.take('les_1', finding, stepOf(same, 'b'));
    strict.check('les_1', stepOf(same, 'c'));
    assert.throws(() => strict.check('les_1', stepOf(same, 'b')), PeekError);
  });

  it('stops a lesson at the very calls it was learned from, and while its fix still runs', async () => {
    const steps = await read({ 0: [wrong('a'), right('b'), wrong('c')] });
    const guard = makePeekGuard(steps);
    guard.take('les_1', finding, stepOf(steps, 'b'));
    for (const id of ['a', 'b']) assert.throws(() => guard.check('les_1', stepOf(steps, id)), PeekError);
    const slow = steps.map((step) => (idOf(step) === 'b' ? { ...step, endedAt: '2026-01-03T00:00:00.000Z' } : step));
    const late = makePeekGuard(slow);
    late.take('les_1', finding, stepOf(slow, 'b'));
    assert.throws(() => late.check('les_1', stepOf(slow, 'c')), PeekError);
  });

  it('stops a lesson that nothing in the replay taught', async () => {
    const steps = await read({ 0: [wrong('a')] });
    assert.throws(() => makePeekGuard(steps).check('les_1', stepOf(steps, 'a')), /learned from no call at all/);
  });
});
