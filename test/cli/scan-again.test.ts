import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { ScanTotals } from '../../src/loop/scan/scan-sessions.ts';
import { writeSession } from '../stories/session-file.ts';
import { openShell, type Shell } from './open-shell.ts';

/** Which rows an upgrade must not multiply. */
const TABLES = ['sessions', 'tool_outcomes', 'episodes', 'findings', 'signatures', 'lessons', 'deliveries', 'projects'];
const WRONG = [
  ['gh pr diff 7 --stat', 'unknown flag: --stat', 'gh pr diff 7 --name-only'],
  ['kubectl log web-1', 'error: unknown command "log" for "kubectl"', 'kubectl logs web-1'],
] as const;

describe('oncebitten scan --again', { timeout: 900_000 }, () => {
  const shells: Shell[] = [];
  let shell: Shell;
  beforeEach(async () => {
    shell = openShell();
    shells.push(shell);
    for (let n = 0; n < 3; n++) {
      const session = `session-${n}`;
      const calls = WRONG.flatMap(([command, error, right], i) => [
        { id: `${session}-${i}-wrong`, command, error: `Exit code 1\n${error}` },
        { id: `${session}-${i}-right`, command: right },
      ]);
      const file = join(shell.home, '.claude/projects/-shop', `${session}.jsonl`);
      writeSession(file, { session, cwd: '/gone/shop', atMs: Date.UTC(2026, 0, 2 + n) }, calls);
    }
    await scan();
  });
  after(async () => {
    for (const one of shells) await one.close();
  });

  const scan = (...args: readonly string[]) => shell.json<ScanTotals>('scan', ...args);
  const withDatabase = <T>(use: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(join(shell.dataDir, 'oncebitten.db'));
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  const count = () =>
    withDatabase((db) => TABLES.map((table) => [table, db.prepare(`select count(*) as n from ${table}`).get()?.n]));
  const list = (): readonly Lesson[] =>
    withDatabase((db) => db.prepare('select document from lessons order by id').all()).map((row) =>
      JSON.parse(String(row.document)),
    );
  const remove = (id: string): void =>
    withDatabase((db) => {
      db.prepare('delete from lesson_history where lesson_id = ?').run(id);
      db.prepare('delete from lessons where id = ?').run(id);
    });
  const find = (program: string): Lesson => {
    const found = list().find(
      ({ triggers, status }) => triggers.programs?.[0]?.name === program && status !== 'archived',
    );
    assert.ok(found, `a lesson about ${program}`);
    return found;
  };

  it('reads every file, and counts nothing twice', async () => {
    const [before, lessons] = [count(), list()];
    assert.deepEqual([find('gh').occurrences, find('gh').sessions], [3, 3]);
    const totals = await scan('--again');
    assert.equal(totals.calls, 12);
    assert.deepEqual(totals.before, { lessons: totals.lessons, drafts: totals.drafts });
    await scan('--again');
    assert.deepEqual(count(), before);
    assert.deepEqual(list(), lessons);
    assert.equal((await scan()).calls, 0, 'and remembers how far it read');
  });

  it('learns what the rules of before let pass', async () => {
    const { id, slug: _, createdAt: __, updatedAt: ___, ...same } = find('gh');
    withDatabase((db) =>
      db.prepare("update findings set verdict = 'dropped', lesson_id = null where lesson_id = ?").run(id),
    );
    remove(id);
    await scan();
    assert.equal(list().length, 1, 'an ordinary scan reads nothing that is read');
    await scan('--again');
    const { occurrences, sessions, evidence, triggers } = find('gh');
    assert.deepEqual({ occurrences, sessions, triggers }, { occurrences: 3, sessions: 3, triggers: same.triggers });
    assert.equal(evidence.length, 3);
  });

  it('gives the evidence of an old form to the new one', async () => {
    const now = find('gh');
    const old = { ...now, triggers: { ...now.triggers, command: { match: ['gh pr diff'] } } };
    withDatabase((db) => db.prepare('update lessons set document = ? where id = ?').run(JSON.stringify(old), now.id));
    await scan('--again');
    const learned = find('gh');
    assert.notEqual(learned.id, now.id);
    assert.deepEqual([learned.occurrences, learned.sessions, learned.evidence.length], [3, 3, 3]);
    const before = list().find(({ id }) => id === now.id);
    assert.deepEqual([before?.status, before?.validity.supersededBy], ['archived', learned.id]);
    const counts = count();
    await scan('--again');
    assert.deepEqual([count(), find('gh')], [counts, learned]);
  });

  it('leaves what people decided', async () => {
    await shell.json('lessons', 'reject', find('gh').slug, '--reason', 'not here');
    await shell.json('lessons', 'edit', find('kubectl').slug, '--summary', 'my own words');
    const decided = list();
    await scan('--again');
    assert.deepEqual(list(), decided);
    remove(decided[0]?.id ?? '');
    await scan('--again');
    assert.deepEqual(list(), decided.slice(1), 'a lesson that was deleted does not come back');
    withDatabase((db) =>
      db.prepare('update findings set lesson_id = null where lesson_id = ?').run(decided[0]?.id ?? ''),
    );
    await scan('--again');
    assert.deepEqual(list(), decided.slice(1), 'nor where findings do not name it any more');
  });
});
