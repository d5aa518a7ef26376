/**
 * The folder that a session began in, from the first row of its transcript that names one. In a row the name stands as
 * a key; inside somebody's text its quotes would be escaped.
 */
import { extname } from 'node:path';
import { readHead } from './read-head.ts';

const HEAD_BYTES = 64 * 1024;
const FOLDER = /"(?:cwd|directory)"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** Undefined when there is no such file, or it does not tell. */
export function findFirstFolder(path: string, sessionId: string): string | undefined {
  return [...listWholeSessions(path, sessionId), path].map(readFirstFolder).find((folder) => folder !== undefined);
}

function readFirstFolder(path: string): string | undefined {
  const folder = FOLDER.exec(readHead(path, HEAD_BYTES))?.[1];
  return folder === undefined ? undefined : parseText(folder);
}

/** A sub-agent's file lies in a folder with the name of its session, which is told beside that folder. */
function listWholeSessions(path: string, sessionId: string): readonly string[] {
  const at = sessionId === '' ? -1 : path.replaceAll('\\', '/').lastIndexOf(`/${sessionId}/`);
  return at < 0 ? [] : [`${path.slice(0, at + 1 + sessionId.length)}${extname(path)}`];
}

function parseText(json: string): string | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
