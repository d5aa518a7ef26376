/** A restore that is killed at any moment leaves the old store or the new one, and nothing that is in the way. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupRow } from '../../src/base/storage/backup.ts';
import { readTablesAt, type Tables } from '../../src/keep/backup/backup-rows.ts';
import { MIGRATIONS } from '../../src/keep/migrations/migrations.ts';
import { openPostgresEngine } from '../../src/keep/store/engines/postgres.ts';
import { openSqliteEngine } from '../../src/keep/store/engines/sqlite.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { makeBackupLines, makeHeader, writeLines } from '../contracts/store/backup-file.ts';
import { makeRows } from '../contracts/store/make-rows.ts';
import { readRows } from '../contracts/store/read-rows.ts';
import { startPostgres, type TestPostgres } from '../postgres/start-postgres.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const KILLS = Number(process.env.ONCEBITTEN_TEST_KILLS ?? 8);
const ROWS = 200;
type Word = 'cat' | 'dog';
interface Wish {
  readonly next: Word;
  readonly withinMs: number;
  readonly moment: Moment;
}
/**
 * `building`: the new file is being filled. `whole`: it is, and about to take the place of the old one. `moved`: it has, and
 * the rest is still to be done. The others are times only, up to the end and beyond.
 */
type Moment = 'building' | 'whole' | 'moved' | 'any' | 'late';
const MOMENTS: Readonly<Record<'sqlite' | 'postgres', readonly Moment[]>> = {
  sqlite: ['building', 'whole', 'moved', 'any'],
  postgres: ['any', 'late'],
};

describe('a restore that is killed', { timeout: 900_000 }, () => {
  let root: string;
  let server: TestPostgres;
  let files: { readonly cat: string; readonly dog: string };
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-restored-'));
    server = await startPostgres();
    const last = Object.keys(MIGRATIONS).at(-1) ?? '';
    const tables = (await readTablesAt(last)) ?? new Map();
    // One of an older version as well: its tables are made anew on the way.
    const older = (await readTablesAt('0024-findings')) ?? new Map();
    files = { cat: write('cat', tables, last), dog: write('dog', older, '0024-findings') };
  });
  after(async () => {
    await server?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const write = (word: string, tables: Tables, migration: string): string => {
    // As much of everything as takes a while, of a few projects.
    const parts = makeRows(tables, ROWS, [word])
      .filter(({ table }) => table !== 'project_aliases')
      .map((part) => (part.table === 'projects' ? { ...part, rows: part.rows.slice(0, 3) } : part));
    return writeLines(join(root, `${word}.gz`), makeBackupLines(makeHeader({ migration }), parts));
  };
  const start = (home: string, url: string, file: string) => {
    const env = {
      ...COMPILE_CACHE,
      HOME: root,
      PATH: process.env.PATH ?? '',
      ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0',
    };
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.jsonc'), JSON.stringify({ store: { url } }), { mode: 0o600 });
    const child = spawn(process.execPath, [CLI, 'restore', file, '--yes', '--json', '--home', home], {
      env,
      stdio: 'ignore',
    });
    return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
  };
  /** The one word that all rows of a store have. */
  const findWord = async (home: string, url: string): Promise<string> => {
    const place = { url, file: join(home, 'oncebitten.db') };
    // Opens as anybody would.
    await (await openStore(place)).close();
    const engine = await (url === '' ? openSqliteEngine(place.file) : openPostgresEngine(url));
    const rows = await readRows(engine);
    await engine.db.destroy();
    const words = new Set((rows.tool_outcomes ?? []).map((row: BackupRow) => row.outcome));
    const sizes = new Set(
      ['sessions', 'tool_outcomes', 'lessons', 'scan_state', 'forgotten'].map((name) => rows[name]?.length),
    );
    assert.deepEqual([...sizes], [ROWS]);
    assert.equal(words.size, 1);
    return String([...words][0]);
  };

  /** Kills one on its way; resolves to what the store is then. */
  const killOne = async (home: string, url: string, wish: Wish): Promise<string> => {
    const { child, ended } = start(home, url, files[wish.next]);
    const moment = wish.moment === 'any' || wish.moment === 'late' ? waitSome(wish) : waitForDraft(home, wish.moment);
    await Promise.race([moment, ended]);
    child.kill('SIGKILL');
    await ended;
    return findWord(home, url);
  };
  const waitSome = ({ withinMs, moment }: Wish): Promise<void> => {
    const [from, to] = moment === 'late' ? [0.8, 1.2] : [0.15, 1];
    return sleep(withinMs * (from + (to - from) * Math.random()));
  };
  /** The new file is whole when its log is gone, and in its place when its own name is. */
  const waitForDraft = async (home: string, moment: Moment): Promise<void> => {
    // What an earlier one left behind.
    const left = readdirSync(home);
    let wasBuilding = false;
    for (;;) {
      const names = readdirSync(home).filter((name) => name.includes('.restore-') && !left.includes(name));
      wasBuilding ||= names.some((name) => name.endsWith('-wal'));
      const isWhole = wasBuilding && !names.some((name) => name.endsWith('-wal'));
      if (moment === 'building' && wasBuilding) return sleep(Math.random() * 5);
      if (moment === 'whole' && isWhole) return sleep(Math.random() * 20);
      if (moment === 'moved' && isWhole && names.length === 0) return sleep(Math.random() * 5);
      await sleep(1);
    }
  };
  const other = (word: string): Word => (word === 'cat' ? 'dog' : 'cat');

  for (const engine of ['sqlite', 'postgres'] as const)
    it(`leaves one of two whole stores on ${engine}`, async (t) => {
      const home = join(root, engine);
      const url = engine === 'sqlite' ? '' : await server.makeDatabase();
      assert.equal(await start(home, url, files.cat).ended, 0);
      const beganMs = performance.now();
      assert.equal(await start(home, url, files.dog).ended, 0);
      const withinMs = performance.now() - beganMs;
      let current = await findWord(home, url);
      assert.equal(current, 'dog');
      const seen: string[] = [];
      const moments = MOMENTS[engine];
      for (let n = 0; n < KILLS; n++) {
        const next = other(current);
        const moment = moments[n % moments.length] ?? 'any';
        const found = await killOne(home, url, { next, withinMs, moment });
        assert.ok([current, next].includes(found), found);
        seen.push(found === next ? 'new' : 'old');
        current = found;
        if (moment === 'moved') assert.equal(seen.at(-1), 'new');
      }
      t.diagnostic(`${engine}, ${Math.round(withinMs)} ms whole: ${seen.join(' ')}`);
      if (engine === 'sqlite' && KILLS >= moments.length) assert.deepEqual([...new Set(seen)].sort(), ['new', 'old']);
      // Whoever comes next is not in its way, and cleans up.
      assert.equal(await start(home, url, files[other(current)]).ended, 0);
      assert.equal(await findWord(home, url), other(current));
      assert.deepEqual(
        readdirSync(home).filter((name) => /restore-|-wal$|-shm$/.test(name)),
        [],
      );
      assert.equal(existsSync(join(home, 'manifest.json')), true);
    });
});
