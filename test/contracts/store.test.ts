/** The store seam: one suite, every engine, each for real. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../src/base/errors.ts';
import { openPostgresEngine } from '../../src/keep/store/engines/postgres.ts';
import { openSqliteEngine } from '../../src/keep/store/engines/sqlite.ts';
import { openStore, type StorePlace } from '../../src/keep/store/open-store.ts';
import { startPostgres, type TestPostgres } from '../postgres/start-postgres.ts';
import { describeAliases } from './store/describe-aliases.ts';
import { describeCalls } from './store/describe-calls.ts';
import { describeCures } from './store/describe-cures.ts';
import { describeFailures } from './store/describe-failures.ts';
import { describeFeedback } from './store/describe-feedback.ts';
import { describeFindings } from './store/describe-findings.ts';
import { describeForget } from './store/describe-forget.ts';
import { describeHistory } from './store/describe-history.ts';
import { describeLearnPacks } from './store/describe-learn-packs.ts';
import { describeLessonUpdates } from './store/describe-lesson-updates.ts';
import { describeDeliveries, describeLessons } from './store/describe-lessons.ts';
import { describeMigrations } from './store/describe-migrations.ts';
import { describeOutcomes } from './store/describe-outcomes.ts';
import { describeProjects } from './store/describe-projects.ts';
import { describePromotions } from './store/describe-promotions.ts';
import { describeRecurrence } from './store/describe-recurrence.ts';
import { describeRemembered } from './store/describe-remembered.ts';
import { describeReports } from './store/describe-reports.ts';
import { describeRetention } from './store/describe-retention.ts';
import { describeSignAgain } from './store/describe-sign-again.ts';
import { describeSignatures } from './store/describe-signatures.ts';
import { describeSnapshot } from './store/describe-snapshot.ts';
import { describeStats } from './store/describe-stats.ts';
import { describeTogether } from './store/describe-together.ts';
import { describeVersions } from './store/describe-versions.ts';
import { type OpenTestStore, openTestStore, type TestDatabases } from './store/test-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'oncebitten-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const makeFile = () => join(folder, `${files++}`, 'oncebitten.db');

const sqlite: TestDatabases = {
  make: async () => ({ url: '', file: makeFile() }),
  copy: async (place) => {
    const file = makeFile();
    mkdirSync(dirname(file), { mode: 0o700 });
    copyFileSync(place.file, file);
    return { url: '', file };
  },
  openEngine: ({ file }) => openSqliteEngine(file),
};
/** A store without rows: to copy it is faster than to make its tables. */
let template: Promise<StorePlace> | undefined;
const makeTemplate = async (): Promise<StorePlace> => {
  const place = await sqlite.make();
  await (await openStore(place)).close();
  return place;
};

describeStore('sqlite', sqlite, async () => {
  template ??= makeTemplate();
  return openTestStore(await sqlite.copy(await template), sqlite.openEngine);
});

describe('postgres server', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  afterEach(() => server.takeBack());
  after(() => server?.stop());

  const postgres: TestDatabases = {
    make: async () => ({ url: await server.makeDatabase(), file: '' }),
    copy: async ({ url }) => ({ url: await server.copyDatabase(url), file: '' }),
    openEngine: ({ url }) => openPostgresEngine(url),
  };
  describeStore('postgres', postgres, async () =>
    openTestStore({ url: await server.makeStore(), file: '' }, postgres.openEngine),
  );

  it('serves several processes that open it at once', async () => {
    await openTogether({ url: await server.makeDatabase(), file: '' });
  });
});

function describeStore(name: string, databases: TestDatabases, open: OpenTestStore): void {
  describe(`store on ${name}`, () => {
    describeProjects(open);
    describeCalls(open);
    describeSignatures(open);
    describeSignAgain(open);
    describeLessons(open);
    describeLessonUpdates(open);
    describePromotions(open);
    describeFindings(open);
    describeReports(open);
    describeCures(open);
    describeRemembered(open);
    describeLearnPacks(open);
    describeDeliveries(open);
    describeOutcomes(open);
    describeFeedback(open);
    describeStats(open);
    describeTogether(open);
    describeFailures(open);
    describeHistory(open);
    describeRecurrence(open);
    describeAliases(open);
    describeForget(open);
    describeRetention(open);
    describeMigrations(open);
    describeVersions(databases);
    describeSnapshot(open);
  });
}

describe('sqlite file', () => {
  it('is readable by its owner only, and so is the folder created for it', async () => {
    const file = makeFile();
    const store = await openStore({ url: '', file });
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
    const modes = readdirSync(dirname(file)).map((name) => statSync(join(dirname(file), name)).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o600, 0o600]);
    await store.close();
  });

  it('serves several processes that open it at once', async () => {
    await openTogether({ url: '', file: makeFile() });
  });

  it('that is not a database is refused with the file, the reason and the next step', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'not a database, but long enough to look like one\n'.repeat(100));
    await assert.rejects(openStore({ url: '', file }), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.subject, `store ${file}`);
      assert.match(error.reason, /not a database/);
      assert.match(error.next, /SQLite database/);
      return true;
    });
  });
});

describe('store.url', () => {
  it('of an unknown kind is refused without showing a possible password', async () => {
    await assert.rejects(openStore({ url: 'mysql://ann:hunter2@db/x', file: '' }), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(`${error.subject}: ${error.reason}`, /store\.url: .*mysql:/);
      assert.match(error.next, /postgres:\/\//);
      return !JSON.stringify(error).includes('hunter2') && !error.message.includes('hunter2');
    });
  });

  it('of an unreachable server is refused with the server, the reason and the next step', async () => {
    await assert.rejects(openStore({ url: 'postgres://ann:hunter2@localhost:1/x', file: '' }), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.subject, 'store postgres://ann@localhost:1/x');
      assert.match(error.reason, /ECONNREFUSED/);
      return /server runs/.test(error.next);
    });
  });
});

/** Real processes, each of which opens the empty store, saves a call of its own and one that all of them save. */
async function openTogether(place: { url: string; file: string }): Promise<void> {
  const opener = fileURLToPath(new URL('./store/open-and-save.ts', import.meta.url));
  const children = Array.from({ length: 4 }, (_, n) =>
    spawn(process.execPath, [opener, JSON.stringify(place), `own-${n}`], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  const store = await openStore(place);
  const calls = await store.listCalls({});
  assert.deepEqual(calls.map((call) => call.callId).sort(), ['own-0', 'own-1', 'own-2', 'own-3', 'shared']);
  await store.close();
}
