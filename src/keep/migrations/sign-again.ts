/**
 * Signs the stored failures of an older version of signatures again. A call that still has its message is signed like
 * a new one; a call whose text is gone gets the signature of its old template, which is a text, too. Cures, findings,
 * lessons and deliveries of cures follow the calls that they were made from. Signatures of the current version are left
 * alone, so a second run changes nothing.
 */

import { type Kysely, type Migration, sql } from 'kysely';
import { toCureId } from '../../base/model/cure.ts';
import type { Signature } from '../../base/model/signature.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { compareTexts, dropAbsent } from '../../base/records.ts';
import { toCategory } from '../../base/text/failure-category.ts';
import { SIGNATURE_VERSION, signCallLine, toFailedCall, toLineSignature } from '../../base/text/signature.ts';

export const signaturesAgain: Migration = {
  async up(db: Kysely<unknown>) {
    const old = await readOld(db);
    if (old.size === 0) return;
    const moves = await moveCalls(db, old);
    await moveRows(db, 'cures', moves);
    await moveRows(db, 'findings', moves);
    await moveLessons(db, moves);
    await moveDeliveries(db, moves);
    await db
      .deleteFrom('signatures' as never)
      .where(sql<boolean>`version < ${SIGNATURE_VERSION}`)
      .execute();
    await countAgain(db);
  },
  // Ids are opaque to every version: an older program leaves these rows alone and signs new failures in its own way.
  async down() {},
};

interface OldSignature {
  readonly id: string;
  readonly template: string;
  readonly program: string;
  readonly tool: string;
}

async function readOld(db: Kysely<unknown>): Promise<ReadonlyMap<string, OldSignature>> {
  const { rows } = await sql<OldSignature>`
    select id, template, program, tool from signatures where version < ${SIGNATURE_VERSION}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

interface OldCall {
  readonly id: string;
  readonly agent: string;
  readonly session_id: string;
  readonly call_id: string;
  readonly tool_name: ToolName;
  readonly raw_tool_name: string;
  readonly masked: number;
  readonly message: string | null;
  readonly input_summary: string | null;
  readonly signature_id: string;
}

/** Where the failures of old signatures went. */
interface Moves {
  /** Of each call that cures or findings name. */
  readonly byCall: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
  /** Old id -> the new id of most of its calls, else of its template. */
  readonly byId: ReadonlyMap<string, string>;
}

const CALLS_PER_STEP = 1_000;

async function moveCalls(db: Kysely<unknown>, old: ReadonlyMap<string, OldSignature>): Promise<Moves> {
  const named = await listNamedCalls(db);
  const byCall = new Map<string, { from: string; to: string }>();
  const counts = new Map<string, Map<string, number>>();
  const known = new Set<string>();
  const save = async (signature: Signature, tool: string): Promise<string> => {
    if (!known.has(signature.id)) await insertSignature(db, signature, tool);
    known.add(signature.id);
    return signature.id;
  };
  for (let after = ''; ; ) {
    const calls = await readCalls(db, after);
    const moved = new Map<string, string[]>();
    for (const call of calls) {
      const from = call.signature_id;
      const signature = signAgain(call, old.get(from));
      if (signature === undefined) continue;
      const to = await save(signature, call.tool_name);
      const ids = moved.get(to);
      if (ids === undefined) moved.set(to, [call.id]);
      else ids.push(call.id);
      if (named.has(toKey(call.agent, call.session_id, call.call_id)))
        byCall.set(toKey(call.agent, call.session_id, call.call_id), { from, to });
      const count = counts.get(from) ?? new Map<string, number>();
      counts.set(from, count.set(to, (count.get(to) ?? 0) + 1));
    }
    for (const [to, ids] of moved)
      await sql`update tool_outcomes set signature_id = ${to} where id in (${sql.join(ids)})`.execute(db);
    const last = calls.at(-1);
    if (last === undefined || calls.length < CALLS_PER_STEP) break;
    after = last.id;
  }
  const byId = new Map([...old.values()].map((one) => [one.id, findMost(counts.get(one.id)) ?? toTemplateId(one)]));
  return { byCall, byId };
}

async function readCalls(db: Kysely<unknown>, after: string): Promise<readonly OldCall[]> {
  const { rows } = await sql<OldCall>`
    select t.id, t.agent, t.session_id, t.call_id, t.tool_name, t.raw_tool_name, t.masked, t.message,
      t.input_summary, t.signature_id
    from tool_outcomes as t join signatures as s on s.id = t.signature_id
    where s.version < ${SIGNATURE_VERSION} and t.id > ${after}
    order by t.id limit ${CALLS_PER_STEP}`.execute(db);
  return rows;
}

function signAgain(call: OldCall, old: OldSignature | undefined): Signature | undefined {
  if (old === undefined) return undefined;
  if (call.message === null) return signTemplate(old);
  const { tool_name: tool, raw_tool_name: rawTool, input_summary } = call;
  const command = tool === 'shell' ? (input_summary ?? undefined) : undefined;
  if (tool === 'shell' && command === undefined) return toLineSignature(old.program, call.message);
  const failed = { tool, rawTool, masked: call.masked === 1, signature: old, ...dropAbsent({ command }) };
  return signCallLine(toFailedCall(failed), call.message);
}

function signTemplate({ program, template }: OldSignature): Signature {
  return toLineSignature(program, template);
}

function toTemplateId(old: OldSignature): string {
  return signTemplate(old).id;
}

async function insertSignature(db: Kysely<unknown>, signature: Signature, tool: string): Promise<void> {
  const { id, version, template, program } = signature;
  await sql`
    insert into signatures (id, version, template, program, tool, category, count, sessions, projects)
    values (${id}, ${version}, ${template}, ${program}, ${tool}, ${toCategory(signature)}, 0, 0, 0)
    on conflict (id) do nothing`.execute(db);
}

function findMost(counts: ReadonlyMap<string, number> | undefined): string | undefined {
  return [...(counts ?? [])].sort(([a, x], [b, y]) => y - x || compareTexts(a, b))[0]?.[0];
}

interface Naming {
  readonly agent: string;
  readonly session_id: string;
  readonly failing_call_id: string;
  readonly signature_id: string;
}

function toKey(agent: string, sessionId: string, callId: string): string {
  return `${agent}\0${sessionId}\0${callId}`;
}

async function readNaming(db: Kysely<unknown>, table: 'cures' | 'findings'): Promise<readonly Naming[]> {
  const { rows } = await sql<Naming>`
    select distinct n.agent, n.session_id, n.failing_call_id, n.signature_id
    from ${sql.table(table)} as n join signatures as s on s.id = n.signature_id
    where s.version < ${SIGNATURE_VERSION}`.execute(db);
  return rows;
}

async function listNamedCalls(db: Kysely<unknown>): Promise<ReadonlySet<string>> {
  const rows = [...(await readNaming(db, 'cures')), ...(await readNaming(db, 'findings'))];
  return new Set(rows.map((row) => toKey(row.agent, row.session_id, row.failing_call_id)));
}

async function moveRows(db: Kysely<unknown>, table: 'cures' | 'findings', { byCall, byId }: Moves): Promise<void> {
  for (const { agent, session_id, failing_call_id, signature_id: from } of await readNaming(db, table)) {
    const call = byCall.get(toKey(agent, session_id, failing_call_id));
    // A finding may be about another line than its call's cause.
    const to = call?.from === from ? call.to : byId.get(from);
    if (to === undefined) continue;
    await sql`
      update ${sql.table(table)} set signature_id = ${to}
      where agent = ${agent} and session_id = ${session_id} and failing_call_id = ${failing_call_id}
        and signature_id = ${from}`.execute(db);
  }
}

interface OldLesson {
  readonly id: string;
  readonly signature_id: string;
  readonly document: string;
}

async function moveLessons(db: Kysely<unknown>, { byId }: Moves): Promise<void> {
  const { rows } = await sql<OldLesson>`
    select l.id, l.signature_id, l.document from lessons as l join signatures as s on s.id = l.signature_id
    where s.version < ${SIGNATURE_VERSION}`.execute(db);
  for (const { id, signature_id: from, document } of rows) {
    const to = (await findTaught(db, id)) ?? byId.get(from);
    if (to === undefined) continue;
    const moved = JSON.stringify({ ...JSON.parse(document), signatureId: to });
    await sql`update lessons set signature_id = ${to}, document = ${moved} where id = ${id}`.execute(db);
    await sql`
      update lesson_history set before = replace(before, ${from}, ${to}), after = replace(after, ${from}, ${to})
      where lesson_id = ${id}`.execute(db);
  }
}

/** The signature of most findings that a lesson was made from. */
async function findTaught(db: Kysely<unknown>, lessonId: string): Promise<string | undefined> {
  const { rows } = await sql<{ signature_id: string }>`
    select f.signature_id from findings as f join signatures as s on s.id = f.signature_id
    where f.lesson_id = ${lessonId} and s.version = ${SIGNATURE_VERSION}
    group by f.signature_id order by count(*) desc, f.signature_id limit 1`.execute(db);
  return rows[0]?.signature_id;
}

/** Deliveries of cures, and what people said of them, name the failure. */
async function moveDeliveries(db: Kysely<unknown>, { byId }: Moves): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct lesson_id as id from deliveries where lesson_id like ${`${toCureId('')}%`}`.execute(db);
  for (const { id } of rows) {
    const to = byId.get(id.slice(toCureId('').length));
    if (to === undefined) continue;
    await sql`update deliveries set lesson_id = ${toCureId(to)} where lesson_id = ${id}`.execute(db);
    await sql`
      update feedback set lesson_id = ${toCureId(to)} where lesson_id = ${id} and delivery_id is not null`.execute(db);
  }
}

async function countAgain(db: Kysely<unknown>): Promise<void> {
  await sql`
    update signatures set (count, sessions, projects, first, last) = (
      select count(*), count(distinct agent || ' ' || session_id), count(distinct project_id),
        min(occurred_at), max(occurred_at)
      from tool_outcomes where signature_id = signatures.id and outcome = 'failure'
    ) where version = ${SIGNATURE_VERSION}`.execute(db);
}
