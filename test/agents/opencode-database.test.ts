import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { opencodeHistory } from '../../src/agents/opencode/history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { isUnchanged, readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';
import { readSessionStat } from '../../src/capture/transcripts/session-stat.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { addSession, CASES, openSchema, readExported, writeDatabase } from '../fixtures/opencode/write-sessions.ts';

let home = '';
let count = 0;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'oncebitten-opencode-db-'));
});
after(() => rmSync(home, { recursive: true, force: true }));

const newPath = () => join(home, String(count++), 'opencode.db');

async function scan(path: string, previous?: ScanState) {
  const told: AgentEvent[] = [];
  const read = await readTranscriptFile({ path, history: opencodeHistory, previous }, (events) => {
    told.push(...events);
  });
  return { ...read, told, sessions: [...new Set(told.map((event) => event.sessionId.slice(4, 8)))] };
}

function isLikeBefore(path: string, state: ScanState): boolean {
  const format = findFormat(opencodeHistory, path);
  assert.ok(format !== undefined);
  return isUnchanged(state, readSessionStat(path, format), opencodeHistory.version);
}

describe("OpenCode's database", () => {
  it('is read once, and then only the sessions that changed since, as a whole', async () => {
    const path = newPath();
    writeDatabase(path, CASES.map(readExported));
    const first = await scan(path);
    assert.deepEqual(first.sessions, ['succ', 'fail', 'refu', 'inte', 'suba', 'chil', 'comp', 'fork']);
    assert.equal(first.fromStart, true);
    const database = openSchema(path);
    const refusal = readExported('refusal');
    addSession(database, refusal, first.state.offset + 60_000);
    database.close();
    assert.ok(!isLikeBefore(path, first.state));
    const second = await scan(path, first.state);
    // The one that was touched last before is within the overlap.
    assert.deepEqual(second.sessions, ['refu', 'fork']);
    assert.deepEqual(
      second.told.filter((event) => event.sessionId === refusal.info.id),
      first.told.filter((event) => event.sessionId === refusal.info.id),
    );
    assert.equal(second.fromStart, false);
    assert.ok(second.bytesRead < first.bytesRead);
    const third = await scan(path, second.state);
    assert.deepEqual(third.sessions, ['refu']);
    assert.ok(isLikeBefore(path, third.state));
  });

  it('is read while its agent writes, and its change is noticed even if only the log beside it changes', async () => {
    const path = newPath();
    const writer = openSchema(path);
    try {
      addSession(writer, readExported('success'));
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      addSession(writer, readExported('failure'));
      const before = readFileSync(path);
      const first = await scan(path);
      assert.deepEqual(first.sessions, ['succ', 'fail']);
      writer.exec('BEGIN IMMEDIATE');
      addSession(writer, readExported('refusal'));
      assert.deepEqual((await scan(path)).sessions, ['succ', 'fail'], 'not what is not committed');
      writer.exec('COMMIT');
      assert.deepEqual(readFileSync(path), before, 'the database itself is as it was');
      assert.ok(!isLikeBefore(path, first.state));
      assert.ok((await scan(path, first.state)).sessions.includes('refu'));
    } finally {
      writer.close();
    }
  });

  it('lets its agent write while it is read', async () => {
    const path = newPath();
    const writer = openSchema(path);
    try {
      for (const name of CASES) addSession(writer, readExported(name));
      let reads = 0;
      await readTranscriptFile({ path, history: opencodeHistory }, () => {
        addSession(writer, readExported('success'), Date.now() + reads++);
      });
      assert.ok(reads > 1);
    } finally {
      writer.close();
    }
  });

  it('has no additional files beside it afterwards', async () => {
    const path = newPath();
    writeDatabase(path, [readExported('success')]);
    assert.deepEqual(readdirSync(dirname(path)), ['opencode.db']);
    await scan(path);
    assert.deepEqual(readdirSync(dirname(path)), ['opencode.db']);
  });

  it('that is locked is not read, and read the next time', async () => {
    const path = newPath();
    const writer = openSchema(path);
    addSession(writer, readExported('success'));
    writer.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    try {
      writer.exec('DELETE FROM session_message');
      await assert.rejects(scan(path), /locked/);
    } finally {
      writer.exec('COMMIT');
      writer.close();
    }
    assert.deepEqual((await scan(path)).sessions, ['succ']);
  });

  it('holds a call back while it may still end, and reports it as never ended when its session is silent', async () => {
    const path = newPath();
    const database = openSchema(path);
    const [running, later] = [readExported('interruption'), readExported('compaction')];
    const nowMs = Date.now();
    addSession(database, running, nowMs - 20 * 60_000);
    addSession(database, later, nowMs - 10 * 60_000);
    const first = await scan(path);
    const countUnended = (told: readonly AgentEvent[]) =>
      told.filter((event) => event.kind === 'call-ended' && event.result.unended === true).length;
    assert.equal(countUnended(first.told), 0);
    assert.equal(first.state.offset, nowMs - 20 * 60_000, 'it is read again until it has ended');
    assert.deepEqual((await scan(path, first.state)).sessions, ['inte', 'comp']);
    addSession(database, running, nowMs - 40 * 60_000);
    database.close();
    const second = await scan(path);
    assert.equal(countUnended(second.told), 2);
    assert.equal(second.state.offset, nowMs - 10 * 60_000);
  });

  it('is not hidden by a clock that once was wrong', async () => {
    const path = newPath();
    const database = openSchema(path);
    addSession(database, readExported('success'), Date.now() + 10 ** 11);
    database.close();
    assert.ok((await scan(path)).state.offset <= Date.now());
  });

  it('with another schema is reported, not guessed at', async () => {
    const path = newPath();
    const database = openSchema(path);
    addSession(database, readExported('success'));
    database.exec("INSERT INTO session_message VALUES ('1', 'ses_new', '{}')");
    assert.deepEqual([...(await scan(path)).skipped], [['session of a newer format', 1]]);
    database.exec('DROP TABLE session_message; ALTER TABLE message RENAME COLUMN data TO payload');
    assert.deepEqual([...(await scan(path)).skipped], [['the database has no column message.data', 1]]);
    database.exec('DROP TABLE part');
    database.exec('ALTER TABLE message RENAME COLUMN payload TO data');
    const { skipped, told } = await scan(path);
    assert.deepEqual([...skipped], [['the database has no table part', 1]]);
    assert.deepEqual(told, []);
    database.close();
  });

  it('with text instead of JSON is read apart from that text', async () => {
    const path = newPath();
    const whole = readExported('failure');
    writeDatabase(path, [whole]);
    const { told } = await scan(path);
    const database = openSchema(path);
    database.exec("UPDATE part SET data = 'no JSON' WHERE data LIKE '%npm test%'");
    database.exec('UPDATE message SET data = \'{"role":\' WHERE id = (SELECT max(id) FROM message)');
    database.close();
    const broken = await scan(path);
    assert.deepEqual([...broken.skipped], [['not a JSON object', 2]]);
    // A call needs no message, but what is said does.
    assert.equal(broken.told.length, told.length - 2);
  });

  it('may have any name if OPENCODE_DB or a person names it', async () => {
    const root = join(home, String(count++));
    const data = join(root, '.local/share/opencode');
    const [own, beside, elsewhere] = [join(data, 'opencode.db'), join(data, 'work.sqlite'), join(root, 'my sessions')];
    for (const path of [own, beside, elsewhere]) writeDatabase(path, [readExported('failure')]);
    const list = (OPENCODE_DB?: string) =>
      listScanFiles({ home: root, env: { OPENCODE_DB } }).map(({ path }) => path.slice(root.length + 1));
    const [ownName, besideName] = ['.local/share/opencode/opencode.db', '.local/share/opencode/work.sqlite'];
    assert.deepEqual(list(), [ownName]);
    assert.deepEqual(list('work.sqlite').sort(), [ownName, besideName]);
    assert.deepEqual(list(elsewhere).sort(), [ownName, 'my sessions']);
    for (const none of [':memory:', 'gone.db', '', own]) assert.deepEqual(list(none), [ownName], none);
    assert.deepEqual((await scan(elsewhere)).sessions, ['fail']);
    const named = listScanFiles({ path: elsewhere, home: root, env: {} });
    assert.deepEqual(
      named.map(({ agent, path }) => [agent, path]),
      [['opencode', elsewhere]],
    );
  });

  it('of any name is known to have changed if only the log beside it has', () => {
    const path = join(home, String(count++), 'sessions');
    const writer = openSchema(path);
    try {
      addSession(writer, readExported('success'));
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const list = () => listScanFiles({ home, env: { OPENCODE_DB: path } });
      const [before] = list();
      addSession(writer, readExported('failure'));
      assert.ok((list()[0]?.size ?? 0) > (before?.size ?? Number.POSITIVE_INFINITY));
    } finally {
      writer.close();
    }
  });

  it('that is truncated, or not a database, is unreadable and nothing worse', async () => {
    const path = newPath();
    writeDatabase(path, CASES.map(readExported));
    const bytes = readFileSync(path);
    for (const end of [100, 4096, 5000, bytes.length / 2, bytes.length - 4096]) {
      writeFileSync(path, bytes.subarray(0, end));
      await scan(path).catch((error: unknown) => assert.ok(error instanceof Error));
    }
    writeFileSync(path, 'no database '.repeat(1000));
    await assert.rejects(scan(path), /not a database/);
    await assert.rejects(scan(join(home, 'nowhere', 'opencode.db')), { code: 'ENOENT' });
  });
});
