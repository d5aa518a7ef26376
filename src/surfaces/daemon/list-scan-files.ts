/** The session files of the agents: in their own places, or where a person says. */
import { join } from 'node:path';
import { HISTORIES } from '../../agents/histories.ts';
import type { AgentHistory } from '../../base/agent-history.ts';
import { findFormat } from '../../capture/find-format.ts';
import { type FoundTranscript, findTranscripts } from '../../capture/find-transcripts.ts';
import { readHead } from '../../capture/read-head.ts';
import { findSessionStat } from '../../capture/read-session-stat.ts';

export interface ScanFile {
  readonly agent: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface ScanPlaces {
  readonly agent?: string | undefined;
  /** A folder or a file that a person named: then nothing is read from the agents' own places. */
  readonly path?: string | undefined;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function listScanFiles(where: ScanPlaces): readonly ScanFile[] {
  const histories = HISTORIES.filter(({ agent }) => where.agent === undefined || agent === where.agent);
  return histories
    .flatMap((history) => listFiles(history, where).map((found) => ({ agent: history.agent, ...found })))
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
}

function listFiles(history: AgentHistory, where: ScanPlaces): readonly FoundTranscript[] {
  return listNamedFiles(history, where).map((file) => {
    const format = findFormat(history, file.path);
    return format === undefined ? file : { ...file, ...findSessionStat(file.path, format) };
  });
}

function listNamedFiles(history: AgentHistory, { agent, path, home, env }: ScanPlaces): readonly FoundTranscript[] {
  const isClosed = (folder: string): boolean => history.closed?.test(folder.replaceAll('\\', '/')) ?? false;
  if (path === undefined) {
    const isSession = (file: string): boolean => {
      const format = findFormat(history, file);
      return format !== undefined && format.isElsewhere !== true;
    };
    const folder = env[history.home.env] || join(home, history.home.folder);
    return history.places.flatMap((place) => findTranscripts(join(folder, place), isSession, isClosed));
  }
  const found = findTranscripts(path, (file) => findFormat(history, file) !== undefined, isClosed);
  // Agents name their files alike: where nobody says whose they are, the files do.
  return agent === undefined
    ? found.filter((file) => findFormat(history, file.path)?.isOurs(readHead(file.path)))
    : found;
}
