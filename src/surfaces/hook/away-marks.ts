/**
 * Sessions that began where we look away: in a private folder, or in a paused project. They stay out wherever they walk
 * to. One small file each, without any text: its name is a hash of the session's id; in it stands `private`, or the id
 * of the project that was paused. The cold hook has no other memory, and the daemon none after a restart. What happened
 * in a session is marked in the same way (`note-past.ts`).
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../base/hash.ts';

export const PRIVATE = 'private';

export interface SessionName {
  readonly agent: string;
  readonly sessionId: string;
}

export function readMarks(dir: string, session: SessionName): readonly string[] {
  try {
    return readFileSync(toFile(dir, session), 'utf8')
      .split('\n')
      .filter((mark) => mark !== '');
  } catch {
    return [];
  }
}

/** A mark that cannot be written is not the agent's trouble: the transcript still tells where the session began. */
export function addMark(dir: string, session: SessionName, mark: string): void {
  try {
    if (readMarks(dir, session).includes(mark)) return;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    appendFileSync(toFile(dir, session), `${mark}\n`, { mode: 0o600 });
  } catch {}
}

export function removeMarks(dir: string, session: SessionName): void {
  rmSync(toFile(dir, session), { force: true });
}

function toFile(dir: string, { agent, sessionId }: SessionName): string {
  return join(dir, hashText(`${agent}\n${sessionId}`));
}
