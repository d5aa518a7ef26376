/** A person finds what was shown, says whether it helped, and takes it back. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Feedback } from '../../src/base/model/feedback.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import type { ListedDelivery } from '../../src/surfaces/cli/stats/deliveries.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeLesson,
  makeProject,
  makeSession,
} from '../contracts/store/make-samples.ts';
import { findBytes } from './find-bytes.ts';
import { openShell, type Shell } from './open-shell.ts';

/** Longer than a terminal shows of it. */
const OTHER = 'codex-session-0123456789';
const GH = 'gh-pr-diff-stat-x7k2';
const SECRET = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;

interface Told {
  readonly isNew: boolean;
  readonly feedback: Feedback | null;
  readonly lesson: { readonly confidence: number; readonly needsReview: boolean };
}

describe('oncebitten lessons feedback', { timeout: 900_000 }, () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveProjects([makeProject({ id: 'prj_a', name: 'shop', root: join(shell.home, 'shop') })]);
    await store.saveSessions([makeSession()]);
    await store.saveSessions([makeSession({ sessionId: OTHER, projectId: 'prj_b', agent: 'codex' })]);
    await store.saveLesson(makeLesson({ confidence: 0.6 }), makeChange('new'));
    await store.saveLesson(makeLesson({ id: 'les_2', slug: 'never-shown-1a2b' }), makeChange('new'));
    await store.saveCalls([makeCall(), makeCall({ callId: 'c2' }), makeCall({ callId: 'c3' })], 'observed');
    const there = { agent: 'codex', sessionId: OTHER };
    await store.saveDelivery(
      makeDelivery({ id: 'dlv_01AAAAAAAAAAAAAAAAAAAAAAA1', outcome: 'clean', outcomeAt: at(1) }),
    );
    await store.saveDelivery(makeDelivery({ id: 'dlv_01AAAAAAAAAAAAAAAAAAAAAAB2', ...there, deliveredAt: at(10) }));
    await store.noteNoRoom({ ...there, callId: 'c1' }, 2);
    await store.saveDelivery(
      makeDelivery({ id: 'dlv_01BBBBBBBBBBBBBBBBBBBBBBB3', callId: 'c3', arm: 'holdout', deliveredAt: at(20) }),
    );
    await store.close();
  });
  after(() => shell.close());

  const say = (...args: string[]) => shell.json<Told>('lessons', 'feedback', ...args);
  const confidence = async () => (await shell.json<Lesson>('lessons', 'show', GH)).confidence;
  const list = async (...args: string[]) =>
    (await shell.list<ListedDelivery>('stats', 'deliveries', ...args)).map(({ id }) => id.slice(-2));

  it('is about deliveries that a person can find, newest first', async () => {
    assert.deepEqual(await list(), ['B3', 'B2', 'A1']);
    assert.deepEqual(await list('--limit', '1'), ['B3']);
    assert.deepEqual(await list('--session', 'codex'), ['B2']);
    assert.deepEqual(await list('--agent', 'codex'), ['B2']);
    assert.deepEqual(await list('--project', 'shop'), ['B3', 'A1']);
    assert.deepEqual(await list('--lesson', 'never-shown-1a2b'), []);
    const [first] = await shell.list<ListedDelivery>('stats', 'deliveries');
    assert.deepEqual([first?.lesson, first?.project, first?.arm, first?.feedback], [GH, 'shop', 'holdout', []]);
  });

  it('finds them on a screen of 80 columns, with what to type', async () => {
    const stdout = await shell.show(['stats', 'deliveries'], 80);
    assert.match(stdout, /dlv_01AA\w+ +2026-01-01 00:10 +note +open +-/);
    assert.match(stdout, /withheld/);
    assert.match(stdout, /Did it help\?\s+oncebitten lessons feedback .*dlv_01AA\w+B helpful/);
    const table = stdout.slice(0, stdout.indexOf('Did it help'));
    assert.ok(table.split('\n').every((line) => line.length <= 80));
  });

  it('lists each delivery in a pipe as one line, with the whole ids and the number of lessons without room', async () => {
    const deliveries = await shell.list<ListedDelivery>('stats', 'deliveries');
    const { stdout } = await shell.run(['stats', 'deliveries']);
    const [head = '', ...lines] = stdout.split('\n\n')[0]?.split('\n') ?? [];
    const cells = lines.map((line) => line.split(/ {2,}/));
    const toCell = (name: string) => cells.map((row) => row[head.split(/ {2,}/).indexOf(name)]);
    assert.deepEqual(
      toCell('ID'),
      deliveries.map(({ id }) => id),
    );
    assert.deepEqual(
      toCell('SESSION'),
      deliveries.map(({ sessionId }) => sessionId),
    );
    assert.deepEqual(toCell('LESSONS LEFT OUT'), ['-', '2', '-']);
  });

  it('says in a terminal how many other lessons had no room', async () => {
    const stdout = await shell.show(['stats', 'deliveries'], 80);
    assert.match(stdout, /codex-session [^\n]*\n {4}no room for 2 more lessons/);
    assert.equal(stdout.match(/no room/g)?.length, 1);
  });

  it('moves the confidence of the lesson that was shown, and says how to take it back', async () => {
    const { code, stdout } = await shell.run(['lessons', 'feedback', 'dlv_01AAAAAAAAAAAAAAAAAAAAAAA1', 'helpful']);
    assert.equal(code, 0);
    assert.match(stdout, /Confidence 0\.6 -> 0\.7\./);
    assert.match(stdout, /Undo: oncebitten lessons undo .*gh-pr-diff-stat-x7k2/);
    assert.equal(await confidence(), 0.7);
  });

  it('counts once, and a changed mind replaces it', async () => {
    const again = await say('dlv_01AAAAAAAAAAAAAAAAAAAAAAA', 'helpful').catch((error: unknown) => String(error));
    assert.equal((again as Told).isNew, false);
    assert.equal(await confidence(), 0.7);
    const changed = await say('dlv_01AAAAAAAAAAAAAAAAAAAAAAA1', 'not-helpful');
    assert.deepEqual(
      [changed.isNew, changed.lesson],
      [true, { ...changed.lesson, confidence: 0.45, needsReview: true }],
    );
    await say('dlv_01AAAAAAAAAAAAAAAAAAAAAAA1', 'helpful');
    assert.equal(await confidence(), 0.7);
    const [, , first] = await shell.list<ListedDelivery>('stats', 'deliveries');
    assert.deepEqual(
      first?.feedback.map(({ verdict }) => verdict),
      ['helpful'],
    );
  });

  it('without a delivery is about the last one that was shown; of a lesson that never was, about itself', async () => {
    const shown = await say(GH, 'helpful', '--by', 'agent');
    assert.equal(shown.feedback?.deliveryId, 'dlv_01AAAAAAAAAAAAAAAAAAAAAAB2');
    assert.deepEqual(
      [shown.feedback?.by, shown.feedback?.from, shown.lesson.confidence],
      ['agent:codex', 'agent', 0.75],
    );
    const never = await say('never-shown-1a2b', 'not-helpful');
    assert.deepEqual([never.feedback?.deliveryId, never.lesson.needsReview], [undefined, true]);
  });

  it("is taken back by undo, an agent's too, and then counts anew", async () => {
    const { stdout } = await shell.run(['lessons', 'undo', GH]);
    assert.match(stdout, /feedback: helpful, about delivery dlv_01AAAAAAAAAAAAAAAAAAAAAAB2/);
    assert.equal(await confidence(), 0.7);
    await say(GH, 'not-helpful', '--by', 'agent');
    assert.equal(await confidence(), 0.625);
  });

  it('that was taken back is neither counted nor shown, until it is redone', async () => {
    const voices = async () => {
      const { feedback } = await shell.json<StatsReport>('stats', '--lesson', GH);
      const shown = (await shell.list<ListedDelivery>('stats', 'deliveries')).flatMap((one) => one.feedback);
      const lesson = await shell.json<{ feedback?: readonly Feedback[] }>('lessons', 'show', GH);
      const count = (all: readonly { verdict: string }[] = []) =>
        all.filter((one) => one.verdict === 'not-helpful').length;
      return [feedback.agent['not-helpful'], count(shown), count(lesson.feedback)];
    };
    assert.deepEqual(await voices(), [1, 1, 1]);
    await shell.run(['lessons', 'undo', GH]);
    assert.deepEqual([await voices(), await confidence()], [[0, 0, 0], 0.7]);
    await shell.run(['lessons', 'undo', '--redo', GH]);
    assert.deepEqual([await voices(), await confidence()], [[1, 1, 1], 0.625]);
  });

  it('keeps a note without secrets, on the disk too', async () => {
    const { feedback } = await say(GH, 'helpful', '--note', `my token ${SECRET}\nis \u001b[31mred`);
    assert.match(feedback?.note ?? '', /^my token .+ is red$/);
    assert.doesNotMatch(feedback?.note ?? '', /ghp_/);
    assert.deepEqual(findBytes(shell.dataDir, SECRET), []);
    assert.match(
      (await shell.run(['lessons', 'show', GH])).stdout,
      /feedback +helpful \(user:.*\): my token .+ is red/,
    );
    const changed = await shell.run(['lessons', 'feedback', GH, 'helpful', '--note', 'simply good']);
    assert.match(changed.stdout, /^The note .* was changed; the verdict counts once/);
  });

  it('refuses what was withheld, what is unknown, and words that are no verdict', async () => {
    const fail = async (...args: string[]) => {
      const { code, stderr } = await shell.run(['lessons', 'feedback', ...args]);
      const isUsage = args.includes('great') || args.includes('nobody');
      assert.equal(code, isUsage ? 2 : 1, stderr);
      return stderr;
    };
    assert.match(await fail('dlv_01BBBBBBBBBBBBBBBBBBBBBBB3', 'helpful'), /was withheld.*nobody saw it/s);
    assert.match(await fail('dlv_9', 'helpful'), /dlv_9.*is not known.*oncebitten stats deliveries/s);
    assert.match(await fail('dlv_01A', 'helpful'), /matches several deliveries.*dlv_01A\w+A1/s);
    assert.match(await fail('nothing', 'helpful'), /lesson nothing.*is not known/s);
    assert.match(await fail(GH, 'great'), /verdict great.*helpful, not-helpful/s);
    assert.match(await fail(GH, 'helpful', '--by', 'nobody'), /--by nobody.*user, agent/s);
  });
});
