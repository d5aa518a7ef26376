/**
 * Lists the session files of the agents: in the agents' own folders, in folders from the settings, or at a path that
 * the user gives. Files at that path that are named like session files but match no agent's format are reported, never
 * guessed.
 */

import { join, resolve } from 'node:path';
import { toAgentHome } from '../../agents/agents.ts';
import { HISTORIES } from '../../agents/histories.ts';
import type { AgentHistory } from '../../base/contracts/agent-history.ts';
import {
  type FoundTranscript,
  findFileFormat,
  findFormat,
  findTranscripts,
  readHead,
} from '../../capture/transcripts/session-files.ts';
import { findSessionStat } from '../../capture/transcripts/session-stat.ts';

export interface ScanFile {
  readonly agent: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode?: number;
}

export interface ScanPlaces {
  /** One or several agents; default: all. */
  readonly agent?: string | readonly string[] | undefined;
  /** A folder or file that the user named; then the agents' own folders are not read. */
  readonly path?: string | undefined;
  /** Only files changed since this time. */
  readonly sinceMs?: number | undefined;
  /** Agent -> folders with more of its sessions, as in the settings. */
  readonly scanPaths?: Readonly<Record<string, readonly string[]>>;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function listScanFiles(where: ScanPlaces): readonly ScanFile[] {
  const { sinceMs = Number.NEGATIVE_INFINITY } = where;
  const agents = where.agent === undefined ? undefined : [where.agent].flat();
  return HISTORIES.filter(({ facts }) => agents === undefined || agents.includes(facts.id))
    .flatMap((history) => listFiles(history, where, agents?.length === 1))
    .filter((file) => file.mtimeMs >= sinceMs)
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
}

/** So much of the newest sessions is read before anything older: enough for a first report, in a second or two. */
export const NEWEST_BYTES = 50_000_000;

/**
 * The order of a scan that takes long: blocks of files, the newest block first. Inside a block the oldest file comes
 * first, because earlier sessions explain later ones.
 */
export function toNewestFirst(files: readonly ScanFile[]): readonly ScanFile[] {
  const ordered: ScanFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files.toSorted(byNews)) {
    if (bytes + file.size > NEWEST_BYTES) {
      ordered.push([]);
      bytes = 0;
    }
    ordered.at(-1)?.push(file);
    bytes += file.size;
  }
  return ordered.flatMap((block) => block.reverse());
}

export function byNews(a: ScanFile, b: ScanFile): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1);
}

function listFiles(history: AgentHistory, where: ScanPlaces, isOnly: boolean): readonly ScanFile[] {
  const found = where.path === undefined ? listOwn(history, where) : listNamed(history, where.path, isOnly);
  // Remove duplicates, because one folder may contain another.
  const files = [...new Map(found.map((file) => [file.path, file])).values()];
  return files.map((file) => {
    const format = findFileFormat(history, file.path);
    return { agent: history.facts.id, ...file, ...(format && findSessionStat(file.path, format)) };
  });
}

function listOwn(history: AgentHistory, { home, env, scanPaths }: ScanPlaces): readonly FoundTranscript[] {
  const isSession = (file: string): boolean => {
    const format = findFormat(history, file);
    return format !== undefined && format.isElsewhere !== true;
  };
  const folder = toAgentHome(history.facts, { env, home });
  const own = history.places.map((place) => join(folder, place));
  const more = (scanPaths?.[history.facts.id] ?? []).map((path) => path.replace(/^~(?=$|[/\\])/, () => home));
  const named = findNamedFile(history, { home, env });
  return [
    ...own.flatMap((place) => findTranscripts(place, isSession, makeIsClosed(history))),
    ...(named === undefined ? [] : listNamed(history, named, true)),
    ...more.flatMap((place) => listNamed(history, place, true)),
  ];
}

/** The file that an environment variable of the agent names, even if it does not exist. */
export function findNamedFile(
  { facts, file }: AgentHistory,
  { home, env }: Pick<ScanPlaces, 'home' | 'env'>,
): string | undefined {
  const named = file && env[file.env];
  if (file === undefined || !named || named === ':memory:') return undefined;
  return resolve(toAgentHome(facts, { env, home }), file.in, named);
}

/** Agents use similar file names, so without a named agent the content decides. */
function listNamed(history: AgentHistory, path: string, isTheirs: boolean): readonly FoundTranscript[] {
  const found = findTranscripts(path, (file) => findFormat(history, file) !== undefined, makeIsClosed(history));
  return isTheirs ? found : found.filter((file) => findFileFormat(history, file.path)?.isOurs(readHead(file.path)));
}

function makeIsClosed({ closed }: AgentHistory): (folder: string) => boolean {
  return (folder) => closed?.test(folder.replaceAll('\\', '/')) ?? false;
}

/**
 * Files at the user's path that are named like sessions but match no agent's format: a broken first line, a changed
 * format, an empty file. They are reported, never guessed; a single named agent reads what it can.
 */
export type UnknownFile = Omit<ScanFile, 'agent'>;

/** `known`: files that an agent recognized. */
export function listUnknownFiles(
  { path, agent, sinceMs = Number.NEGATIVE_INFINITY }: ScanPlaces,
  known: readonly ScanFile[],
): readonly UnknownFile[] {
  const agents = agent === undefined ? undefined : [agent].flat();
  if (path === undefined || agents?.length === 1) return [];
  const asked = HISTORIES.filter((one) => agents === undefined || agents.includes(one.facts.id));
  const isNamedSo = (file: string): boolean => asked.some((history) => findFormat(history, file) !== undefined);
  const isClosed = (folder: string): boolean =>
    asked.some(({ closed }) => closed?.test(folder.replaceAll('\\', '/')) ?? false);
  const claimed = new Set(known.map((file) => file.path));
  return findTranscripts(path, isNamedSo, isClosed).filter(
    (file) => !claimed.has(file.path) && file.mtimeMs >= sinceMs && isNamedSo(file.path),
  );
}
