/** Backups of every engine, restored into every engine: each for real. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { readTablesAt, type Tables } from '../../src/keep/backup/backup-rows.ts';
import { checkBackup, openBackup } from '../../src/keep/backup/read-backup.ts';
import { writeBackup } from '../../src/keep/backup/write-backup.ts';
import { MIGRATIONS } from '../../src/keep/migrations/migrations.ts';
import { openPostgresEngine } from '../../src/keep/store/engines/postgres.ts';
import { openSqliteEngine } from '../../src/keep/store/engines/sqlite.ts';
import { openStore, restoreStore, type StorePlace } from '../../src/keep/store/open-store.ts';
import { insertRows } from '../../src/keep/store/statements.ts';
import { startPostgres, type TestPostgres } from '../postgres/start-postgres.ts';
import { makeBackupLines, makeHeader, readLines, writeLines } from './store/backup-file.ts';
import { makeRows } from './store/make-rows.ts';
import { makeChange, makeLesson, makeProject } from './store/make-samples.ts';
import { type Rows, readRows } from './store/read-rows.ts';

const ENGINES = ['sqlite', 'postgres'] as const;
type EngineName = (typeof ENGINES)[number];
const LAST = Object.keys(MIGRATIONS).at(-1) ?? '';
/** Texts that have broken other programs: lines, quotes, escapes, other planes, digits. */
const ODD = [
  '👩‍👩‍👧 naïve ☃ 日本語',
  'a\u2028b\u2029c\r\n\td',
  '"\\u0000\' \\',
  '\u{10ffff}\ufffe\ufeff',
  '1e999',
  '',
  '﷽'.repeat(50),
];

describe('a backup', { timeout: 900_000 }, () => {
  let folder: string;
  let server: TestPostgres;
  let tables: Tables;
  let files = 0;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oncebitten-backup-'));
    server = await startPostgres();
    tables = (await readTablesAt(LAST)) ?? new Map();
  });
  afterEach(() => server.takeBack());
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const makeFile = () => join(folder, `${files++}.jsonl.gz`);
  const makePlace = async (engine: EngineName): Promise<StorePlace> => {
    if (engine === 'postgres') return { url: await server.makeStore(), file: '' };
    const place = { url: '', file: join(folder, `${files++}`, 'oncebitten.db') };
    await (await openStore(place)).close();
    return place;
  };
  const openEngine = ({ url, file }: StorePlace) => (url === '' ? openSqliteEngine(file) : openPostgresEngine(url));
  const dump = async (place: StorePlace): Promise<Rows> => {
    const engine = await openEngine(place);
    try {
      return await readRows(engine);
    } finally {
      await engine.db.destroy();
    }
  };
  const fill = async (place: StorePlace, count: number, texts?: readonly string[]): Promise<void> => {
    const engine = await openEngine(place);
    for (const part of makeRows(tables, count, texts))
      await insertRows(engine.db, part, [...(tables.get(part.table)?.keys() ?? [])]);
    await engine.db.destroy();
  };
  const backUp = async (place: StorePlace, file = makeFile()): Promise<string> => {
    const store = await openStore(place);
    await writeBackup(store, { file, at: '2026-01-01T00:00:00.000Z', oncebitten: '0.0.0', onRows: () => {} });
    await store.close();
    return file;
  };
  const restore = async (place: StorePlace, file: string): Promise<void> => {
    const { header, tables: known, parts } = await openBackup(file);
    const columns = new Map([...known].map(([table, some]) => [table, [...some.keys()]]));
    await restoreStore(place, { name: file, migration: header.migration, columns, parts }, { onRows: () => {} });
  };

  for (const from of ENGINES)
    for (const to of ENGINES)
      it(`of ${from} restores every row in ${to}, whatever was there`, async () => {
        const [source, target] = [await makePlace(from), await makePlace(to)];
        await fill(source, 450, ODD);
        await fill(target, 3);
        const file = await backUp(source);
        const rows = await dump(source);
        await restore(target, file);
        assert.deepEqual(await dump(target), rows);
        assert.equal(rows.tool_outcomes?.length, 450);
        const store = await openStore(target);
        await store.saveProjects([makeProject({ id: 'prj_new' })]);
        await store.close();
        // The same rows give the same lines, whoever wrote them.
        const again = await backUp(source);
        assert.deepEqual(readLines(again).slice(1), readLines(file).slice(1));
      });

  it('keeps any text that a store can keep, through both engines', async () => {
    const [first, second, third] = [await makePlace('sqlite'), await makePlace('postgres'), await makePlace('sqlite')];
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((one) => one.toWellFormed().replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 40 }), async (texts) => {
        const source = writeLines(makeFile(), makeBackupLines(makeHeader(), makeRows(tables, 4, texts)));
        await restore(first, source);
        await restore(second, await backUp(first));
        await restore(third, await backUp(second));
        assert.deepEqual(await dump(third), await dump(first));
        assert.equal(
          (await dump(third)).lessons?.[0]?.summary,
          makeRows(tables, 4, texts).find(({ table }) => table === 'lessons')?.rows[0]?.summary,
        );
      }),
      { numRuns: 8 },
    );
  });

  it('has half characters replaced, as the store has', async () => {
    const place = await makePlace('sqlite');
    const store = await openStore(place);
    await store.saveProjects([makeProject({ name: 'a\ud800b\0c' })]);
    await store.close();
    const target = await makePlace('postgres');
    await restore(target, await backUp(place));
    assert.equal((await dump(target)).projects?.[0]?.name, 'a\ufffdbc');
  });

  for (const engine of ENGINES)
    for (const version of Object.keys(MIGRATIONS))
      it(`of version ${version} is migrated to this version in ${engine}`, async () => {
        const place = await makePlace(engine);
        await fill(place, 2);
        const then = (await readTablesAt(version)) ?? new Map();
        const parts = makeRows(then, 3);
        await restore(place, writeLines(makeFile(), makeBackupLines(makeHeader({ migration: version }), parts)));
        const rows = await dump(place);
        assert.deepEqual(Object.keys(rows).sort(), [...tables.keys()].sort());
        // Joins of before the links are links of their own.
        const made = (table: string): boolean => then.has(table === 'project_links' ? 'project_aliases' : table);
        for (const [table, some] of Object.entries(rows)) assert.equal(some.length, made(table) ? 3 : 0, table);
        assert.equal(rows.projects?.[1]?.roots, '["/home/ann/shop"]');
        const store = await openStore(place);
        assert.equal((await store.listProjects()).length, 3);
        await store.close();
      });

  it('is readable by its owner only and leaves no draft', async () => {
    const place = await makePlace('sqlite');
    const dir = mkdtempSync(join(folder, 'alone-'));
    const file = await backUp(place, join(dir, 'one.gz'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dir), ['one.gz']);
  });

  it('that cannot be finished leaves the previous one and no draft', async () => {
    const place = await makePlace('sqlite');
    await fill(place, 3);
    const dir = mkdtempSync(join(folder, 'unfinished-'));
    const file = await backUp(place, join(dir, 'one.gz'));
    const bytes = readFileSync(file);
    const store = await openStore(place);
    const fail = () => {
      throw new Error('no more');
    };
    await assert.rejects(writeBackup(store, { file, at: 'x', oncebitten: 'x', onRows: fail }), /no more/);
    await store.close();
    assert.deepEqual(readdirSync(dir), ['one.gz']);
    assert.deepEqual(readFileSync(file), bytes);
  });

  for (const engine of ENGINES)
    it(`whose rows do not fit together changes nothing in ${engine}`, async () => {
      const place = await makePlace(engine);
      await fill(place, 3);
      const rows = await dump(place);
      const parts = makeRows(tables, 3);
      for (const wrong of [
        // The same row twice, and a call whose signature is missing: faults that no single row shows.
        parts.map((part) => (part.table === 'deliveries' ? { ...part, rows: [...part.rows, ...part.rows] } : part)),
        parts.filter(({ table }) => table !== 'signatures'),
      ]) {
        const file = writeLines(makeFile(), makeBackupLines(makeHeader(), wrong));
        await checkBackup(file, () => {});
        await assert.rejects(restore(place, file), (error) => {
          assert.ok(error instanceof UserError);
          assert.match(`${error.reason} ${error.next}`, /cannot be restored: .*The store was not changed/);
          return true;
        });
        assert.deepEqual(await dump(place), rows);
        if (engine === 'sqlite') assert.deepEqual(readdirSync(dirname(place.file)), ['oncebitten.db']);
      }
    });

  it('is not restored over a file that another process has open', async () => {
    const place = await makePlace('sqlite');
    await fill(place, 1);
    const file = await backUp(place);
    const other = await openStore(place);
    await other.countAll();
    await assert.rejects(restore(place, file), /is in use by another process/);
    assert.equal((await other.listProjects()).length, 1);
    await other.saveProjects([makeProject({ id: 'prj_later' })]);
    await other.close();
    assert.equal((await dump(place)).projects?.length, 2);
    await restore(place, file);
    assert.equal((await dump(place)).projects?.length, 1);
  });

  describe('is refused with its line', () => {
    const refuse = async (lines: readonly unknown[], reason: RegExp): Promise<void> => {
      const file = writeLines(makeFile(), lines);
      await assert.rejects(
        checkBackup(file, () => {}),
        (error) => {
          assert.ok(error instanceof UserError, String(error));
          assert.ok(error.subject.startsWith(file));
          assert.match(`${error.subject}: ${error.reason}`, reason);
          assert.match(error.next, /othing was changed/);
          return true;
        },
      );
    };
    const header = makeHeader();
    const [project] = [{ id: 'p', name: 'n', basis: 'path', roots: '[]', created_at: 't' }];
    const end = (n: number) => ({ end: true, rows: { projects: n } });
    const part = (row: unknown) => ({ table: 'projects', rows: [row] });

    it('if it is not a backup', async () => {
      await refuse(['hello'], /line 1: is not JSON/);
      await refuse([{ type: 'lessons' }], /line 1: is not a backup/);
      await refuse([null], /line 1: is not a backup/);
      await refuse([{ ...header, version: 'one' }], /line 1: has an unknown version/);
      await refuse([{ ...header, at: 7 }], /line 1: has no "at"/);
      await refuse([], /is empty/);
    });

    it('if a newer version wrote it', async () => {
      await refuse([{ ...header, version: 2 }], /written by a newer/);
      await refuse([{ ...header, migration: '9999-later' }], /newer Oncebitten .*9999-later/);
    });

    it('if a line is invalid', async () => {
      await refuse([header, part(project), '{"table":', end(1)], /line 3: is not JSON/);
      await refuse([header, { table: 'passwords', rows: [] }], /line 2: names an unknown table \("passwords"\)/);
      await refuse([header, { table: 'oncebitten_migrations', rows: [] }], /line 2: names an unknown table/);
      await refuse([header, { table: 'projects' }], /line 2: has no rows/);
      await refuse([header, part([1])], /line 2: table projects: a row is not an object/);
      await refuse([header, part({ ...project, colour: 'red' })], /has an unknown column "colour"/);
      await refuse([header, part({ ...project, name: null })], /its column "name" is missing/);
      await refuse([header, part({ ...project, name: 7 })], /its column "name" is not text/);
      await refuse([header, part({ ...project, name: 'a\0b' })], /contains a character that no store can keep/);
      await refuse(
        [header, `{"table":"projects","rows":[${JSON.stringify({ ...project, name: '\ud800' })}]}`],
        /no store can keep/,
      );
    });

    it('if rows or its end are missing, or something follows', async () => {
      await refuse([header, part(project), end(2)], /line 3: table projects has 1 rows here, but should have 2/);
      await refuse([header, part(project), { end: true }], /line 3: table projects has 1 rows/);
      await refuse([header, part(project)], /was cut short: its end is missing/);
      await refuse([header, part(project), end(1), part(project)], /line 4: comes after the end of the backup/);
    });

    it('wherever it was cut, and whichever byte was changed', async () => {
      const file = writeLines(makeFile(), makeBackupLines(header, makeRows(tables, 20, ODD)));
      const whole = readFileSync(file);
      // The last byte of what is compressed has bits that mean nothing.
      const lines = gunzipSync(whole);
      const says = (bytes: Buffer): Buffer | undefined => {
        try {
          return gunzipSync(bytes);
        } catch {
          return undefined;
        }
      };
      const isRefused = async (bytes: Buffer): Promise<void> => {
        writeFileSync(file, bytes);
        await assert.rejects(
          checkBackup(file, () => {}),
          UserError,
        );
      };
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), (at) => isRefused(whole.subarray(0, at))),
        { numRuns: 60 },
      );
      await fc.assert(
        // Not gzip's own header, whose time and system do not matter.
        fc.asyncProperty(
          fc.integer({ min: 10, max: whole.length - 1 }),
          fc.integer({ min: 1, max: 255 }),
          async (at, by) => {
            const bytes = Buffer.from(whole);
            bytes[at] = (bytes[at] ?? 0) ^ by;
            if (!says(bytes)?.equals(lines)) await isRefused(bytes);
          },
        ),
        { numRuns: 150 },
      );
    });

    it('if somebody changed its content, with a checksum and without one', async () => {
      const place = await makePlace('sqlite');
      const store = await openStore(place);
      await store.saveLesson(makeLesson({ remediation: 'use --name-only' }), makeChange('made'));
      await store.close();
      const lines = readLines(await backUp(place));
      const changed = (from: string | RegExp, to: string) => lines.map((line) => line.replace(from, to));
      const bare = (some: readonly string[]) => some.map((line) => line.replace(/,"sha256":"\w+"/, ''));
      const checksum = /changed after it was written, because its checksum/;
      await refuse(changed('use --name-only', 'use --all'), checksum);
      await refuse(changed('"status":"active"', '"status":"zzz"'), checksum);
      await refuse(changed(/"sha256":"\w+"/, '"sha256":7'), checksum);
      await checkBackup(writeLines(makeFile(), bare(lines)), () => {});
      await refuse(
        bare(changed('"status":"active"', '"status":"zzz"')),
        /table lessons: its column "status" is not draft/,
      );
      const documents = changed(/"document":"(?:[^"\\]|\\.)*"/, '"document":"garbage{"');
      await refuse(bare(documents), /table lessons: its column "document" is not the JSON of a lesson/);
      const empty = changed(/"document":"(?:[^"\\]|\\.)*"/, '"document":"{}"');
      await refuse(bare(empty), /table lessons: its column "document" has no lesson: its id is wrong/);
    });

    it('if it is another kind of file, or missing', async () => {
      const file = makeFile();
      const isRefused = (reason: RegExp) =>
        assert.rejects(
          checkBackup(file, () => {}),
          reason,
        );
      await isRefused(/does not exist/);
      writeFileSync(file, 'plain text');
      await isRefused(/is not a backup, or is damaged/);
      writeFileSync(file, gzipSync(Buffer.from([0xff, 0xfe, 0x00])));
      await isRefused(/is damaged/);
      await assert.rejects(
        checkBackup(folder, () => {}),
        /is a folder/,
      );
    });
  });
});
