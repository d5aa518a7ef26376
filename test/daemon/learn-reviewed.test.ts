import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toContentHash } from '../../src/distill/lessons/hash-lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { editLesson } from '../../src/promote/edit-lesson.ts';
import { rejectLesson, toArchived } from '../../src/promote/lesson-states.ts';
import { mergeLessons } from '../../src/promote/merge-lessons.ts';
import { isRefused, type Transition } from '../../src/promote/transition.ts';
import { at, makeCall } from '../contracts/store/make-samples.ts';
import { learnFinding } from './learn-one-finding.ts';

const toSameId = (id: string) => id;
const ACT = { by: 'user:ann', at: at(100) };

/** `tool --bad` failed, `tool --good` worked: the n-th time, in a session of its own. */
function makePair(tool: string, n: number): { finding: Finding; calls: readonly LiveCall[] } {
  const signature = { id: `sig1_${tool}`, version: 1, template: 'unknown flag: --bad', program: tool };
  const own = { sessionId: `${tool}-${n}`, occurredAt: at(n) };
  const [failing, fixing] = [`${tool} --bad`, `${tool} --good`];
  const failed = { command: failing, inputSummary: failing, outcome: 'failure', signature } as const;
  const calls: readonly LiveCall[] = [
    { ...makeCall({ ...own, callId: `${tool}-${n}-1` }), ...failed },
    { ...makeCall({ ...own, callId: `${tool}-${n}-2` }), command: fixing, inputSummary: fixing, outcome: 'success' },
  ];
  const { agent, projectId } = makeCall();
  const finding: Finding = {
    ...{ detector: 'distill/x@1', kind: 'corrected-command', agent, projectId, sessionId: own.sessionId },
    ...{ failingCallId: `${tool}-${n}-1`, fixingCallId: `${tool}-${n}-2`, intentKey: tool, steps: 1, signature },
    ...{ summary: `no \`--bad\` in ${tool}`, mistake: 'm', remediation: fixing, tags: ['topic:cli-flag'] },
    signals: ['error-fix-success'],
    triggers: { tools: ['shell'], programs: [{ name: tool, args: { any: ['--bad'] } }] },
    evidence: { agent, sessionId: own.sessionId, at: own.occurredAt, excerpt: `${tool} ${n}` },
  };
  return { finding, calls };
}

describe('what a person decided about a lesson', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-learn-reviewed-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const see = async (tool: string, n: number): Promise<readonly Lesson[]> => {
    const { finding, calls } = makePair(tool, n);
    await store.saveCalls(calls, 'observed');
    await learnFinding(store, finding, calls);
    return (await store.listLessons()).filter(({ signatureId }) => signatureId === `sig1_${tool}`);
  };
  const change = async (lesson: Lesson, made: Transition): Promise<void> => {
    const after = isRefused(made) ? assert.fail(made.refused) : made.lesson;
    await store.updateLessons([lesson.id], () => [{ lesson: after, change: { ...ACT, reason: 'decided' } }]);
  };
  const learnOne = async (tool: string): Promise<Lesson> => (await see(tool, 1))[0] ?? assert.fail('nothing learned');

  it('stands: what was rejected comes back neither as it was nor as a new lesson', async () => {
    const lesson = await learnOne('rej');
    await change(lesson, rejectLesson(lesson, { ...ACT, reason: 'wrong' }));
    for (let n = 2; n < 6; n++) {
      const all = await see('rej', n);
      assert.deepEqual(
        all.map(({ id, status, archival }) => [id, status, archival?.cause]),
        [[lesson.id, 'archived', 'rejected']],
      );
    }
    assert.equal((await store.findLesson(lesson.id))?.occurrences, 5, 'it is still counted');
  });

  it('stands: words that were edited stay, and the finding of before knows the lesson still', async () => {
    const lesson = await learnOne('edt');
    const patch = {
      summary: 'mine',
      tags: ['mine'],
      scope: { kind: 'user' },
      triggers: { tools: ['shell'], programs: [{ name: 'edt', args: { any: ['--bad', '--worse'] } }] },
    } as const;
    await change(lesson, editLesson(lesson, patch, ACT, toContentHash));
    const [only, ...others] = await see('edt', 2);
    assert.deepEqual([only?.id, others.length], [lesson.id, 0]);
    assert.deepEqual([only?.summary, only?.tags, only?.occurrences], ['mine', ['mine'], 2]);
    assert.deepEqual(only?.triggers, patch.triggers);
  });

  it('stands: what was merged is evidence of what took its place', async () => {
    const [into, from] = [await learnOne('mra'), await learnOne('mrb')];
    const merged = mergeLessons(into, [from], ACT, toSameId);
    assert.ok(!isRefused(merged));
    await change(into, { lesson: merged.into });
    await change(from, { lesson: merged.from[0] ?? assert.fail() });
    const [gone] = await see('mrb', 2);
    assert.deepEqual([gone?.status, gone?.occurrences], ['archived', 1]);
    assert.equal((await store.findLesson(into.id))?.occurrences, 3);
  });

  it('is asked for again: what only time had archived comes back when the mistake does', async () => {
    const lesson = await learnOne('old');
    await change(lesson, { lesson: toArchived(lesson, { cause: 'unused', reason: 'old' }, ACT.at) });
    const [back, ...others] = await see('old', 2);
    assert.deepEqual([back?.id, back?.archival, others.length], [lesson.id, undefined, 0]);
    assert.notEqual(back?.status, 'archived');
  });

  it('keeps its limits when the mistake is seen again', async () => {
    const lesson = await learnOne('lim');
    await change(lesson, editLesson(lesson, { validUntil: at(500) }, ACT, toContentHash));
    const [seen] = await see('lim', 2);
    assert.deepEqual([seen?.validity.until, seen?.occurrences], [at(500), 2]);
  });
});
