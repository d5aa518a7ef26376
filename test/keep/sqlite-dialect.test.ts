import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import { makeNodeSqliteDialect } from '../../src/keep/store/engines/sqlite-dialect.ts';

describe('rows of SQLite', () => {
  let dir = '';
  let db: Kysely<unknown>;
  let other: DatabaseSync;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-dialect-'));
    const file = join(dir, 'a.db');
    other = new DatabaseSync(file);
    other.exec("pragma journal_mode = wal; create table t (a, b); insert into t values (1, 'x'), (2, null)");
    db = new Kysely({ dialect: makeNodeSqliteDialect(new DatabaseSync(file)) });
  });
  afterEach(async () => {
    await db.destroy();
    other.close();
    rmSync(dir, { recursive: true });
  });

  const read = async () =>
    (await sql`select * from t order by a`.execute(db)).rows.map((row) => ({ ...(row as object) }));

  it('have the names of their columns', async () => {
    assert.deepEqual(await read(), [
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ]);
    assert.deepEqual((await sql`select count(*) as n from t where a > 9`.execute(db)).rows.length, 1);
    assert.deepEqual((await sql`select * from t where a > 9`.execute(db)).rows, []);
  });

  it('have the new ones when a table changed, here or in another process', async () => {
    assert.equal((await read()).length, 2);
    other.exec('alter table t add column c default 7');
    assert.deepEqual((await read())[0], { a: 1, b: 'x', c: 7 });
    await sql`alter table t rename column b to renamed`.execute(db);
    assert.deepEqual((await read())[0], { a: 1, renamed: 'x', c: 7 });
  });
});
