/** A client of the official SDK, connected to our server over stdio or over HTTP, in the temporary home of a shell. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type HttpAddress, readHttpFile, toMcpUrl } from '../../src/surfaces/http/http-file.ts';
import type { Shell } from '../cli/open-shell.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { CLI } from '../run-cli.ts';

export interface Answer {
  readonly isError: boolean;
  /** The answer as an object; empty if the SDK itself refused the call. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface TestClient {
  readonly client: Client;
  /** The folder in which the client works. */
  readonly project: string;
  call(tool: string, input: object): Promise<Answer>;
  close(): Promise<void>;
}

export function openStdio(shell: Shell, name?: string): Promise<TestClient> {
  const project = toProject(shell);
  const args = [CLI, 'mcp', '--home', shell.dataDir];
  const env = { ...COMPILE_CACHE, ...shell.env };
  return connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: project }), project, name);
}

export async function openHttp(shell: Shell): Promise<TestClient> {
  const { port, token } = await startListener(shell);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return connect(new StreamableHTTPClientTransport(new URL(toMcpUrl(port)), { requestInit }), toProject(shell));
}

/** Starts the daemon, and waits until it listens. */
export async function startListener(shell: Shell): Promise<HttpAddress> {
  await shell.json('daemon', 'start');
  for (;;) {
    const address = readHttpFile(toDataHome(shell.dataDir));
    if (address !== undefined) return address;
    await sleep(20);
  }
}

function toProject({ home }: Shell): string {
  const project = join(home, 'shop');
  mkdirSync(project, { recursive: true });
  return project;
}

async function connect(transport: unknown, project: string, name = 'oncebitten-test'): Promise<TestClient> {
  const client = new Client({ name, version: '1' });
  await client.connect(transport as Transport);
  return {
    client,
    project,
    async call(name, input) {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...input } });
      const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
      return { isError: isError === true, value: { ...(structuredContent as object) }, text };
    },
    close: () => client.close(),
  };
}
