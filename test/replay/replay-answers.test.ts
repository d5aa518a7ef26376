import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ReplayStep } from '../../src/loop/replay/read-sessions.ts';
import { makePeekGuard, PeekError } from '../../src/loop/replay/time-order.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { GOOD_LESSON } from '../models/answer-script.ts';
import { makeHistory, writePast } from '../models/write-history.ts';

interface Report {
  readonly all: { readonly warned: number; readonly repeats: number };
  readonly deliveries: number;
  readonly withAnswers?: Report & { readonly answers: number; readonly active: number };
}

describe('a back-test with the answers of a model', { timeout: 300_000 }, () => {
  let shell: Shell;
  let dir: string;
  beforeEach(() => {
    shell = openShell();
    dir = join(shell.home, 'packs');
    for (const [n, session] of ['one', 'two'].entries())
      writePast(shell.home, { session, cwd: '/home/dev/shop', atMs: Date.UTC(2026, 0, 2 + n) }, makeHistory(session));
  });
  afterEach(() => shell.close());

  const exportPacks = async (by: string): Promise<readonly string[]> => {
    await shell.json('learn', '--export', dir, '--by', by);
    return readdirSync(dir)
      .filter((name) => name.endsWith('.pack.md'))
      .map((name) => name.replace('.pack.md', ''));
  };
  const answer = (pack: string): void =>
    writeFileSync(join(dir, `${pack}.answer.json`), JSON.stringify({ add: [GOOD_LESSON] }));
  /** The pack of this session. */
  const isAbout = (pack: string, session: string): boolean =>
    JSON.stringify(JSON.parse(readIndex(pack)).calls).includes(`"${session}"`);
  const readIndex = (pack: string): string => readFileSync(join(dir, `${pack}.index.json`), 'utf8');

  it('warns in a later session of what an answer taught at the end of an earlier one', async () => {
    for (const pack of await exportPacks('session')) if (isAbout(pack, 'one')) answer(pack);
    const { all, withAnswers } = await shell.json<Report>('backtest', '--answers', dir);
    assert.deepEqual([all.repeats, all.warned], [1, 0]);
    assert.deepEqual([withAnswers?.answers, withAnswers?.active, withAnswers?.all.warned], [1, 1, 1]);
    const shown = await shell.run(['backtest', '--answers', dir]);
    assert.match(shown.stdout, /^without +0 of 1 .*^with answers +1 of 1 /ms);
  });

  it('knows nothing of an answer before the end of its session', async () => {
    for (const pack of await exportPacks('session')) if (isAbout(pack, 'two')) answer(pack);
    const { withAnswers } = await shell.json<Report>('backtest', '--answers', dir);
    assert.deepEqual([withAnswers?.answers, withAnswers?.all.warned], [1, 0]);
  });

  it('refuses packs of a whole project, which know later sessions', async () => {
    const more = [{ id: 'more', command: 'frob merge --quick', error: 'Exit code 2\nfrob: the pieces differ' }];
    writePast(shell.home, { session: 'three', cwd: '/home/dev/mall' }, makeHistory('three', more));
    for (const pack of await exportPacks('project')) answer(pack);
    const { code, stderr } = await shell.run(['backtest', '--answers', dir]);
    assert.equal(code, 1);
    assert.match(stderr, /is about several sessions.*--by session/s);
  });
});

describe('the guard of a replay', () => {
  it('throws if a pack shows a call of another session', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const step = { beganAt: at, endedAt: at, event: { agent: 'a', sessionId: 's1' } } as unknown as ReplayStep;
    const guard = makePeekGuard([step]);
    guard.checkPack('p', [{ agent: 'a', sessionId: 's1' }], step);
    assert.throws(() => guard.checkPack('p', [{ agent: 'a', sessionId: 's2' }], step), PeekError);
  });

  it('throws if a proposal is shown before its session has ended', () => {
    const toStep = (sessionId: string, beganAt: string, endedAt: string): ReplayStep =>
      ({
        beganAt,
        endedAt,
        event: { agent: 'a', sessionId, callId: `${sessionId} ${beganAt}` },
      }) as unknown as ReplayStep;
    const [first, other, last] = [
      toStep('s1', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'),
      toStep('s2', '2026-01-01T00:00:05Z', '2026-01-01T00:00:06Z'),
      toStep('s1', '2026-01-01T00:00:08Z', '2026-01-01T00:00:09Z'),
    ];
    const guard = makePeekGuard([first, other, last]);
    const callId = 's1 2026-01-01T00:00:00Z';
    const finding = { agent: 'a', sessionId: 's1', failingCallId: callId, fixingCallId: callId };
    guard.take('observed', { ...finding, kind: 'repair' }, first);
    guard.take('proposed', { ...finding, kind: 'proposed' }, last);
    guard.check('observed', other);
    assert.throws(() => guard.check('proposed', other), PeekError);
  });
});
