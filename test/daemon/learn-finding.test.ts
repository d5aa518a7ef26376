import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { makeCall, makeDelivery } from '../contracts/store/make-samples.ts';
import { learnFinding } from './learn-one-finding.ts';

const SIGNATURE = { id: 'sig1_x', version: 1, template: 'unknown flag: --stat', program: 'gh' };

function makeCalls(name: string, failing: string, fixing: string): readonly LiveCall[] {
  const failed = { command: failing, inputSummary: failing, outcome: 'failure', signature: SIGNATURE } as const;
  return [
    { ...makeCall({ callId: `${name}-1`, tool: 'shell' }), ...failed },
    { ...makeCall({ callId: `${name}-2`, tool: 'shell' }), command: fixing, inputSummary: fixing, outcome: 'success' },
  ];
}

function makeFinding(name: string, fields: Partial<Finding> = {}): Finding {
  const { agent, sessionId, projectId, occurredAt } = makeCall();
  return {
    ...{ detector: 'distill/corrected-command@1', kind: 'corrected-command', agent, sessionId, projectId },
    ...{
      failingCallId: `${name}-1`,
      fixingCallId: `${name}-2`,
      intentKey: 'gh pr diff',
      steps: 1,
      signature: SIGNATURE,
    },
    ...{
      summary: 'no `--stat`',
      mistake: 'm',
      remediation: 'r',
      tags: ['topic:cli-flag'],
      signals: ['error-fix-success'],
    },
    triggers: { tools: ['shell'], programs: [{ name: 'gh', args: { any: ['--stat'] } }] },
    evidence: { agent, sessionId, at: occurredAt, excerpt: name, file: '/t/s1.jsonl', lines: [2, 5] },
    ...fields,
  };
}

const DAY_MS = 24 * 60 * 60_000;

describe('learning from a finding', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-learn-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const learn = async (name: string, commands: readonly [string, string], fields: Partial<Finding> = {}) => {
    const calls = makeCalls(name, ...commands);
    await store.saveCalls(calls, 'observed');
    const isLearned = await learnFinding(store, makeFinding(name, fields), calls);
    const kept = (await store.listFindings()).find(({ failingCallId }) => failingCallId === `${name}-1`);
    return { isLearned, kept };
  };

  it('keeps it with the lesson that it became', async () => {
    const { isLearned, kept } = await learn('new', ['gh pr diff 1 --stat', 'gh pr diff 1']);
    const [lesson] = await store.listLessons();
    assert.equal(isLearned, true);
    assert.deepEqual([kept?.verdict, kept?.lessonId, kept?.lines], ['new', lesson?.id, [2, 5]]);
    assert.match(kept?.reason ?? '', /fires on 1 past failure and 0 working calls/);
  });

  it('takes a mistake where the lesson was shown or withheld for no repetition: what came of it is measured', async () => {
    const [lesson] = await store.listLessons();
    const deliver = (sessionId: string, arm: 'shown' | 'holdout') =>
      store.saveDelivery(makeDelivery({ id: `dlv_${sessionId}`, lessonId: lesson?.id ?? '', sessionId, arm }));
    const repeat = async (name: string, sessionId: string) => {
      const at = new Date(Date.now() + DAY_MS).toISOString();
      const evidence = { agent: 'claude-code', sessionId, at, excerpt: name };
      await learn(name, ['gh pr diff 1 --stat', 'gh pr diff 1'], { sessionId, evidence });
      return (await store.findLesson(lesson?.id ?? ''))?.priority ?? 0;
    };
    for (const [n, arm] of (['shown', 'holdout', 'shown'] as const).entries()) {
      await deliver(`measured-${n}`, arm);
      assert.ok((await repeat(`measured-${n}`, `measured-${n}`)) < 9);
    }
    // Nor was it there to be heeded where it was kept silent, whether that is known as missed yet or not.
    for (const [n, reason] of (['quiet', 'muted', 'quiet'] as const).entries()) {
      const [sessionId, callId, lessonId] = [`hushed-${n}`, `hushed-${n}-1`, lesson?.id ?? ''];
      const place = {
        agent: 'claude-code',
        sessionId,
        contextId: '',
        callId,
        lessonId,
        at: '2026-01-01T00:00:00.000Z',
      };
      await store.saveSkipped([{ ...place, reason }]);
      if (n === 2) await store.saveMissed([{ ...place, projectId: 'prj_a', reason: 'off' }]);
      assert.ok((await repeat(`hushed-${n}`, sessionId)) < 9, reason);
    }
    await repeat('again-1', 'again-1');
    assert.equal(await repeat('again-2', 'again-2'), 9);
  });

  it('keeps the episode and the reason of what no lesson comes from', async () => {
    const why = 'nobody can tell beforehand';
    const { isLearned, kept } = await learn('episode', ['gh pr diff 3 --stat', 'gh pr diff 3'], { episodeOnly: why });
    assert.deepEqual([isLearned, kept?.verdict, kept?.reason], [false, 'dropped', why]);
    assert.deepEqual(await store.hasEpisodes([makeFinding('episode')]), [true]);
  });

  it('keeps it with the lesson that it is more evidence of', async () => {
    const { isLearned, kept } = await learn('again', ['gh pr diff 2 --stat', 'gh pr diff 2']);
    assert.deepEqual([isLearned, kept?.verdict, (await store.listLessons()).length], [true, 'merged', 1]);
  });

  it('makes a lesson a draft that would not be learned any more', async () => {
    const diff: Partial<Finding> = {
      triggers: { tools: ['shell'], programs: [{ name: 'hub', args: { any: ['-x'] } }] },
    };
    const at = (minute: number) => ({ ...makeFinding('').evidence, excerpt: `${minute}` });
    await learn('hub', ['hub diff -x', 'hub diff'], { ...diff, evidence: at(1) });
    const find = async () => (await store.listLessons()).find(({ triggers }) => triggers.programs?.[0]?.name === 'hub');
    assert.equal((await find())?.status, 'active');
    const usual = Array.from({ length: 48 }, (_, n) => ({
      ...makeCall({ callId: `usual-${n}`, tool: 'shell' }),
      ...{ inputSummary: `hub diff -x ${n}`, outcome: 'success' as const },
    }));
    await store.saveCalls(usual, 'observed');
    const { isLearned, kept } = await learn('hub-2', ['hub diff -x 2', 'hub diff'], { ...diff, evidence: at(2) });
    assert.deepEqual([isLearned, kept?.verdict], [true, 'dropped']);
    const lesson = await find();
    assert.deepEqual([lesson?.status, lesson?.tested], ['draft', { hits: 2, falseAlarms: 48 }]);
  });

  it('keeps one that was dropped, with the reason', async () => {
    const loud = { triggers: { tools: ['shell'] as const, programs: [{ name: 'gh' }] } };
    const { isLearned, kept } = await learn('loud', ['gh pr diff 3 --stat', 'gh pr diff 3'], loud);
    assert.deepEqual([isLearned, kept?.verdict, kept?.lessonId], [false, 'dropped', undefined]);
    assert.equal(kept?.reason, 'fires on its own fix');
    const deaf = await learn('deaf', ['ls --stat', 'ls']);
    assert.deepEqual([deaf.kept?.verdict, deaf.kept?.reason], ['dropped', 'does not fire on its own mistake']);
  });

  it('counts calls of other projects where the lesson is about the program itself', async () => {
    const elsewhere = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      ...makeCall({ callId: `elsewhere-${name}`, tool: 'shell', projectId: 'prj_else', outcome: 'success' }),
      inputSummary: `tar -C ${name} -xf x.tar`,
    }));
    await store.saveCalls(elsewhere, 'observed');
    const triggers = { tools: ['shell'], programs: [{ name: 'tar', args: { any: ['-C'] } }] } as const;
    const commands = ['tar -C out -xf x.tar', 'tar -xf x.tar'] as const;
    const program = await learn('of-program', commands, { triggers });
    const project = await learn('of-project', commands, { triggers, tags: ['topic:project-folder'] });
    assert.deepEqual([program.kept?.verdict, project.kept?.verdict], ['draft', 'new']);
  });

  it('tries a trigger that asks for words on calls alone: the past does not tell what was said', async () => {
    const triggers = { tools: ['shell'], programs: [{ name: 'gh', args: { any: ['--said'] } }] } as const;
    const narrow = { triggers: { ...triggers, actionKeywords: ['release'], unless: { keywords: ['later'] } } };
    const { kept } = await learn('words', ['gh pr diff 9 --said', 'gh pr diff 9'], narrow);
    assert.equal(kept?.verdict, 'new');
    const lesson = await store.findLesson(kept?.lessonId ?? '');
    assert.deepEqual([lesson?.status, lesson?.triggers], ['active', narrow.triggers]);
  });

  it('tries triggers of other tools on calls of those tools', async () => {
    const path = { tool: 'read', inputSummary: '/app/docs', targetPath: '/app/docs' } as const;
    const calls = [
      makeCall({ callId: 'read-1', ...path, outcome: 'failure', signature: SIGNATURE }),
      makeCall({ callId: 'read-2', ...path, targetPath: '/app/docs/a.md', outcome: 'success' }),
    ];
    await store.saveCalls(calls, 'observed');
    const triggers = { tools: ['read'] as const, paths: ['**/docs'] };
    await learnFinding(store, makeFinding('read', { triggers, tags: [] }), calls);
    const kept = (await store.listFindings()).find(({ failingCallId }) => failingCallId === 'read-1');
    assert.equal(kept?.verdict, 'new');
    assert.match(kept?.reason ?? '', /1 past failure and 0 working calls .*21 %/);
  });

  describe('minutes ago', () => {
    /** The words worked so often before that one correction makes a draft. */
    const doubt = async (name: string, flag: string) => {
      const usual = [1, 2, 3, 4].map((n) => {
        const command = `gh run list ${flag} ${n}`;
        return { ...makeCall({ callId: `${name}-usual-${n}`, tool: 'shell' }), command, inputSummary: command };
      });
      await store.saveCalls(
        usual.map((call) => ({ ...call, outcome: 'success' as const })),
        'observed',
      );
      const triggers = { tools: ['shell'] as const, programs: [{ name: 'gh', args: { any: [flag] } }] };
      return { triggers, commands: [`gh run list ${flag} x`, 'gh run list x'] as const };
    };
    const find = async (lessonId: string | undefined) => (await store.findLesson(lessonId ?? '')) ?? assert.fail();

    it('makes a draft that may speak in its session', async () => {
      const { triggers, commands } = await doubt('doubt', '--a');
      const { kept } = await learn('doubt', commands, { triggers });
      const lesson = await find(kept?.lessonId);
      const { agent, sessionId, occurredAt } = makeCall();
      const until = new Date(Date.parse(occurredAt) + DAY_MS).toISOString();
      assert.equal(lesson.status, 'draft');
      assert.deepEqual(lesson.provisional, [{ agent, sessionId, until }]);
    });

    it('adds the session that met a known draft again', async () => {
      const { agent, occurredAt } = makeCall();
      const { triggers, commands } = await doubt('doubt', '--a');
      const evidence = { agent, sessionId: 'second', at: occurredAt, excerpt: 'again' };
      const fields = { triggers, sessionId: 'second', evidence };
      const { kept } = await learn('second', commands, fields);
      const lesson = await find(kept?.lessonId);
      assert.deepEqual([kept?.verdict, lesson.status], ['merged', 'draft']);
      assert.deepEqual(
        lesson.provisional?.map(({ sessionId }) => sessionId),
        [makeCall().sessionId, 'second'],
      );
    });

    it('lets the session hear what its user refused', async () => {
      const triggers = { tools: ['shell'] as const, programs: [{ name: 'gh', args: { any: ['--web'] } }] };
      const fields = { triggers, kind: 'refused-by-user', signals: ['user-corrected'] } as const;
      const { kept } = await learn('refused', ['gh pr view --web', 'gh pr view'], fields);
      const lesson = await find(kept?.lessonId);
      assert.deepEqual([lesson.status, lesson.provisional?.length], ['draft', 1]);
    });

    it('does not speak of what has to run first: in this session it ran', async () => {
      const session = { unless: [{ ran: 'gh auth login' }] };
      const triggers = { tools: ['shell'] as const, programs: [{ name: 'gh', args: { any: ['--first'] } }], session };
      const { kept } = await learn('first', ['gh pr list --first', 'gh auth login'], { triggers });
      const lesson = await find(kept?.lessonId);
      assert.deepEqual([lesson.status, lesson.provisional], ['draft', undefined]);
    });
  });

  it('learns anew what was true in a session that was over and goes on', async () => {
    const fields = { scope: 'session', triggers: { tools: ['grep'] as const } } as const;
    const first = await learn('broken', ['x', 'grep x'], fields);
    const lesson = (await store.findLesson(first.kept?.lessonId ?? '')) ?? assert.fail();
    const at = new Date().toISOString();
    await store.saveLesson({ ...lesson, status: 'archived', updatedAt: at }, { by: 'test', reason: 'over', at });
    const second = await learn('broken-again', ['x', 'grep x'], fields);
    assert.equal(second.kept?.verdict, 'new');
    assert.notEqual(second.kept?.lessonId, lesson.id);
  });
});
