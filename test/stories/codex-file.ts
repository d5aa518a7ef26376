/** A rollout of Codex as it writes one: what it says of the repository, then shell calls with their results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileCall, SessionPlace } from './session-file.ts';

export interface CodexPlace extends SessionPlace {
  readonly git?: { readonly repository_url?: string; readonly commit_hash?: string; readonly branch?: string };
}

export function writeRollout(path: string, place: CodexPlace, calls: readonly FileCall[]): void {
  const { session, cwd, atMs = Date.now(), git } = place;
  let n = 0;
  const row = (type: string, payload: object): string =>
    `${JSON.stringify({ timestamp: new Date(atMs + n++ * 1_000).toISOString(), type, payload })}\n`;
  const meta = {
    id: session,
    cwd,
    originator: 'codex-tui',
    cli_version: '0.118.0',
    source: 'cli',
    ...(git && { git }),
  };
  const rows = calls.flatMap(({ id, command = `echo ${id}`, error, output = id }) => [
    row('response_item', {
      ...{ type: 'function_call', name: 'exec_command', call_id: id },
      arguments: JSON.stringify({ cmd: command }),
    }),
    row('response_item', {
      ...{ type: 'function_call_output', call_id: id },
      output: `Exit code: ${error === undefined ? 0 : 1}\nWall time: 0.1 seconds\nOutput:\n${error ?? output}`,
    }),
  ]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, [row('session_meta', meta), ...rows].join(''));
}
