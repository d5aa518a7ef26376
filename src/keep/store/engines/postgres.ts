/**
 * The store of a team: opens a PostgreSQL database that several machines write to. A project can set environment
 * variables, so PGHOST, PGPORT and PGDATABASE must not decide where the data goes.
 */

import { userInfo } from 'node:os';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Store } from '../../../base/contracts/store.ts';
import { toReason, UserError } from '../../../base/errors.ts';
import type { Database, DatabaseSchema } from '../database-schema.ts';
import { FORGETTABLE } from '../maintenance/forget.ts';
import { makeStore } from '../make-store.ts';
import { upsertPostgresRows } from '../statements.ts';
import { type Engine, LOCK_KINDS } from './engine.ts';
import { migrateUp } from './migrate-store.ts';

export async function openPostgresStore(url: string): Promise<Store> {
  const engine = await openPostgresEngine(url);
  await migrateUp(engine);
  return makeStore(engine);
}

const NEXT = 'Check that the server runs, and that the user, password and database in store.url are right.';
const CONNECT_TIMEOUT_MS = 10_000;
/** What pg would return as text: results of `count` and `sum`. */
const NUMBERS = [20, 1700];

/** The first half of our advisory locks' keys, so that other users of the server do not wait for them. */
const LOCK_SPACE = 0x0b17;
/** Names share this many locks of each kind, because the server has room for only a few thousand. */
const LOCKS_PER_KIND = 512;

/** Connects to a PostgreSQL server without touching its tables. */
export async function openPostgresEngine(url: string): Promise<Engine> {
  const name = `store ${withoutSecrets(url)}`;
  const db = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool: async () => openPool(url) }) });
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    await db.destroy().catch(() => {});
    throw new UserError({ subject: name, reason: `cannot be opened: ${toConnectReason(cause)}`, next: NEXT, cause });
  }
  return { db, name, advise: () => NEXT, lock, toList, toTable, upsert: upsertPostgresRows, scrub: () => scrub(db) };
}

const toList: Engine['toList'] = (texts) =>
  sql`(select value from json_array_elements_text(${JSON.stringify(texts)}::json))`;

const toTable: Engine['toTable'] = (lists) => sql`json_array_elements(${JSON.stringify(lists)}::json)`;

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: completeUrl(url),
    // Otherwise PGSSLMODE would decide; `sslmode` in the address still does.
    ssl: false,
    max: 4,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'oncebitten',
    // Counts, sums and offsets stay far below 2^53.
    types: { getTypeParser: (oid, format) => (NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A broken idle connection must not end the process; the next query opens a new one or reports the reason.
  pool.on('error', () => {});
  return pool;
}

/** The address with host, port and database filled in, because pg would take missing ones from the environment. */
export function completeUrl(url: string): string {
  const given = url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');
  if (!URL.canParse(given)) return url;
  const address = new URL(given);
  const { searchParams: options } = address;
  if (address.hostname === '' && !options.has('host')) options.set('host', 'localhost');
  if (address.port === '' && !options.has('port')) options.set('port', '5432');
  if (address.pathname.length < 2) address.pathname = `/${address.username || encodeURIComponent(userInfo().username)}`;
  return address.href;
}

/** Not FULL, which locks the tables while it copies them. */
async function scrub(db: Database): Promise<void> {
  for (const table of FORGETTABLE) await sql`vacuum ${sql.table(table)}`.execute(db);
}

const lock: Engine['lock'] = async (trx, kind, names) => {
  const first = LOCK_KINDS.indexOf(kind) * LOCKS_PER_KIND;
  const keys = [...new Set(names.map((name) => first + toBucket(name)))].sort((a, b) => a - b);
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, key) from unnest(${keys}::int[]) as key`.execute(trx);
};

function toBucket(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return (hash >>> 0) % LOCKS_PER_KIND;
}

/** A host with several addresses fails with an error whose message is empty. */
function toConnectReason(cause: unknown): string {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return toReason(first);
}

function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'at store.url';
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
}
