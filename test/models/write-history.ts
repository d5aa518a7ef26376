/** Past sessions with a mistake, its fix and calls that worked, in the folder of an agent. */
import { join } from 'node:path';
import { type FileCall, writeSession } from '../stories/session-file.ts';

/** No word of it points at the mistake, so no detector tells the lesson before the call. */
const REFUSED = 'Exit code 2\nfrob: the selection is empty';

export function makeHistory(name: string, more: readonly FileCall[] = []): readonly FileCall[] {
  const before = ['frob list', 'frob list -v', 'frob show 1', 'frob sync --every x', 'frob pull', 'frob status'];
  return [
    ...before.map((command, n) => ({ id: `${name}-ok-${n}`, command })),
    { id: `${name}-fail`, command: 'frob sync --all', error: REFUSED },
    { id: `${name}-fix`, command: 'frob sync --every' },
    ...more,
  ];
}

interface Past {
  readonly session: string;
  /** The folder of the project. */
  readonly cwd: string;
  readonly atMs?: number;
}

/** `home`: the user's home folder. Returns the path of the file. */
export function writePast(
  home: string,
  { session, cwd, atMs = Date.UTC(2026, 0, 2) }: Past,
  calls: readonly FileCall[],
) {
  const path = join(home, '.claude/projects', cwd.replace(/[^a-z0-9]/gi, '-'), `${session}.jsonl`);
  writeSession(path, { session, cwd, atMs }, calls);
  return path;
}
