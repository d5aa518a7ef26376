/** The file that names the host whose daemon has the store, and the ways in which it is read and written. */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

export interface Owner {
  readonly host: string;
  readonly daemonId: string;
  /** Changes with every sign of life. */
  readonly stamp: string;
}

/** Who is named; a file that names nobody is somebody's, too. Throws when it is there and cannot be read. */
export function findOwner(file: string): Owner | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return { ...parseOwner(text), stamp: `${text} ${statSync(file).mtimeMs}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Exclusively, and never without its content. False when somebody was faster. */
export function createOwnerFile(file: string, text: string): boolean {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    link(draft, file, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A sign of life that needs no room on the disk. */
export function touchOwnerFile(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

function link(draft: string, file: string, text: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Some file systems have no links.
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  }
}

function parseOwner(text: string): Omit<Owner, 'stamp'> {
  try {
    const { host, daemonId } = JSON.parse(text) as Record<string, unknown>;
    return { host: String(host), daemonId: String(daemonId) };
  } catch {
    return { host: '', daemonId: '' };
  }
}
