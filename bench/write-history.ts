/**
 * Writes a large history into a home folder: the sessions of the corpus again and again, each copy with ids and times of
 * its own, because sessions with the same id would be one session. The first copy is the newest.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PLACES: Readonly<Record<string, string>> = { 'claude-code': '.claude/projects', codex: '.codex/sessions' };
const DAY_MS = 24 * 60 * 60_000;
/** Days between two copies of a session. */
const APART = 30;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = Buffer.from('"timestamp":"');
const DATE_CHARS = 'yyyy-mm-dd'.length;

interface WrittenHistory {
  readonly files: number;
  readonly bytes: number;
}

export function writeHistory(corpus: string, home: string, files: number): WrittenHistory {
  const sources = Object.entries(PLACES).flatMap(([agent, place]) =>
    listSessions(join(corpus, agent)).map((name) => ({ name: join(corpus, agent, name), to: join(home, place, name) })),
  );
  const newestMs = Math.max(...sources.map(({ name }) => findLastMs(readFileSync(name)) ?? 0));
  const lateDays = Math.floor((Date.now() - newestMs) / DAY_MS);
  let [written, bytes] = [0, 0];
  for (let copy = 0; written < files; copy++) {
    for (const { name, to } of sources.slice(0, files - written)) {
      const session = readFileSync(name);
      shiftTimes(session, lateDays - copy * APART);
      const path = join(dirname(to), renameIds(session, basename(to), copy));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, session);
      const endSeconds = (findLastMs(session) ?? Date.now() - copy * APART * DAY_MS) / 1000;
      utimesSync(path, endSeconds, endSeconds);
      written++;
      bytes += session.length;
    }
  }
  return { files: written, bytes };
}

function listSessions(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
}

/** Gives the session that the file is named after another id, of the same length. Returns the new name. */
function renameIds(session: Buffer, name: string, copy: number): string {
  return name.replaceAll(UUID, (id) => {
    const other = `${createHash('sha1').update(`${copy} ${id}`).digest('hex').slice(0, 8)}${id.slice(8)}`;
    for (let at = session.indexOf(id); at >= 0; at = session.indexOf(id, at + id.length)) session.write(other, at);
    return other;
  });
}

function shiftTimes(session: Buffer, days: number): void {
  const shifted = new Map<string, string>();
  for (let at = session.indexOf(TIME); at >= 0; at = session.indexOf(TIME, at + TIME.length)) {
    const from = at + TIME.length;
    const date = session.toString('latin1', from, from + DATE_CHARS);
    const atMs = Date.parse(date);
    if (Number.isNaN(atMs)) continue;
    const other = shifted.get(date) ?? new Date(atMs + days * DAY_MS).toISOString().slice(0, DATE_CHARS);
    shifted.set(date, other);
    session.write(other, from, 'latin1');
  }
}

function findLastMs(session: Buffer): number | undefined {
  const at = session.lastIndexOf(TIME);
  const from = at + TIME.length;
  const ms = at < 0 ? Number.NaN : Date.parse(session.toString('latin1', from, session.indexOf('"', from)));
  return Number.isNaN(ms) ? undefined : ms;
}
