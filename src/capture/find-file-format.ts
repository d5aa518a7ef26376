/**
 * How a file that was named is to be read: by its path, else by its beginning. A database may be called anything where an
 * agent lets people choose.
 */
import type { AgentHistory, SessionFormat } from '../base/agent-history.ts';
import { findFormat } from './find-format.ts';
import { readHead } from './read-head.ts';

/** For single files. Whoever looks through a folder goes by `findFormat`: it opens nothing. */
export function findFileFormat(history: AgentHistory, path: string): SessionFormat | undefined {
  const known = findFormat(history, path);
  const databases = known === undefined ? history.formats.filter(({ kind }) => kind === 'database') : [];
  if (databases.length === 0) return known;
  const head = readHead(path);
  return databases.find((format) => format.isOurs(head));
}
