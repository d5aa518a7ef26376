/** A session file of Claude Code as it writes one: calls with their results, line by line. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface FileCall {
  readonly id: string;
  readonly command?: string;
  /** The call failed with this. */
  readonly error?: string;
  readonly output?: string;
}

export interface SessionPlace {
  readonly session: string;
  readonly cwd: string;
  /** When the first call was; the others follow by the second. */
  readonly atMs?: number;
}

export function renderCalls({ session, cwd, atMs = Date.now() }: SessionPlace, calls: readonly FileCall[]): string {
  const row = (type: string, uuid: string, n: number, content: unknown): string => {
    const timestamp = new Date(atMs + n * 1_000).toISOString();
    return `${JSON.stringify({ type, uuid, sessionId: session, cwd, timestamp, version: '2.1.0', message: { role: type, content } })}\n`;
  };
  return calls
    .map(({ id, command = `echo ${id}`, error, output = id }, n) => {
      const use = { type: 'tool_use', id, name: 'Bash', input: { command } };
      const result = { type: 'tool_result', tool_use_id: id, content: error ?? output, is_error: error !== undefined };
      return row('assistant', `${id}-a`, n, [use]) + row('user', `${id}-u`, n, [result]);
    })
    .join('');
}

/** Ids in a row: `makeCalls('a', 3)` is a-0, a-1, a-2. */
export function makeCalls(name: string, count: number, more: Partial<FileCall> = {}): readonly FileCall[] {
  return Array.from({ length: count }, (_, n) => ({ id: `${name}-${n}`, ...more }));
}

export function writeSession(path: string, place: SessionPlace, calls: readonly FileCall[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, renderCalls(place, calls));
}

export function appendCalls(path: string, place: SessionPlace, calls: readonly FileCall[]): void {
  appendFileSync(path, renderCalls(place, calls));
}

/** Many sessions with something to learn: the fourth call has a wrong option, the fifth does without it. */
export function writeSessions(
  dir: string,
  size: { readonly files: number; readonly calls: number; readonly outputBytes: number },
): readonly string[] {
  const output = 'a line of output that says nothing\n'.repeat(Math.ceil(size.outputBytes / 35));
  return Array.from({ length: size.files }, (_, file) => {
    const session = `session-${file}`;
    const calls = Array.from({ length: size.calls }, (__, n): FileCall => {
      const id = `${session}-call-${n}`;
      if (n === 3) return { id, command: `gh pr diff ${file} --stat`, error: 'Exit code 1\nunknown flag: --stat' };
      if (n === 4) return { id, command: `gh pr diff ${file} --name-only`, output };
      return { id, output };
    });
    const path = join(dir, `${session}.jsonl`);
    writeSession(path, { session, cwd: '/home/dev/shop', atMs: Date.UTC(2026, 0, 2) + file * 3_600_000 }, calls);
    // Oldest first is the order in which they are read.
    utimesSync(path, 1_767_000_000 + file, 1_767_000_000 + file);
    return path;
  });
}
