/** The address and token of the daemon's HTTP listener, in a file that only the user can read. Both are new at each start. */

import { readFileSync, rmSync } from 'node:fs';
import { parseRecord } from '../../base/records.ts';
import { type DataHome, toHttpFile } from '../../loop/home/data-home.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';

export interface HttpAddress {
  readonly port: number;
  readonly token: string;
}

export function writeHttpFile(home: DataHome, { port, token }: HttpAddress): void {
  const mcp = toMcpUrl(port);
  writeOwnFile(toHttpFile(home), `${JSON.stringify({ port, token, mcp }, null, 2)}\n`);
}

/** Undefined if there is no listener, or none that the file describes. */
export function readHttpFile(home: DataHome): HttpAddress | undefined {
  try {
    const { port, token } = parseRecord(readFileSync(toHttpFile(home), 'utf8')) ?? {};
    return typeof port === 'number' && typeof token === 'string' ? { port, token } : undefined;
  } catch {
    return undefined;
  }
}

export function removeHttpFile(home: DataHome): void {
  rmSync(toHttpFile(home), { force: true });
}

export function toMcpUrl(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}
