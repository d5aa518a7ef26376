/**
 * Doctor checks of the MCP server: which agents have it, whether the program that they start answers, and whether the
 * daemon answers over HTTP.
 */

import { homedir } from 'node:os';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { INSTALLS } from '../../../agents/installs.ts';
import { MCP_CLIENTS } from '../../../agents/mcp-clients.ts';
import type { AgentMcp } from '../../../base/contracts/agent-mcp.ts';
import { toReason } from '../../../base/errors.ts';
import { DEFAULT_SETTINGS } from '../../../base/model/settings.ts';
import { makeSettingsFinder } from '../../../keep/settings/read-settings.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { readHttpFile, toMcpUrl } from '../../http/http-file.ts';
import { isAgentPresent } from '../../install/agent-place.ts';
import { readInstalledMcp } from '../../install/install-mcp.ts';
import { SERVER_ARGUMENTS } from '../../install/mcp-entry.ts';
import type { CommandInput } from '../command.ts';
import { findServerFile, getInstallation } from '../install/mcp-server.ts';
import { toCount } from '../text.ts';
import { bad, type Check, checkThat, type Finding, ok } from './check.ts';

const PATIENCE_MS = 10_000;

export async function checkMcp(input: CommandInput): Promise<readonly Check[]> {
  const present = MCP_CLIENTS.filter(({ facts }) =>
    INSTALLS.some((agent) => agent.facts.id === facts.id && isAgentPresent({ agent, env: input.env, home: homedir() })),
  );
  const entries = present.map((client) =>
    checkThat(`MCP server of ${client.facts.name}`, () => checkEntry(input, client)),
  );
  const isUsed = present.some(({ facts }) => findServerFile(facts.id, input) !== undefined);
  return [
    ...(await Promise.all(entries)),
    ...(isUsed ? [await checkThat('MCP over stdio', () => checkProgram(input))] : []),
    await checkThat('MCP over HTTP', () => checkHttp(input)),
  ];
}

function checkEntry(input: CommandInput, { facts }: AgentMcp): Finding {
  const installation = getInstallation(input, facts);
  const { settingsFile } = installation;
  const { isInstalled, isCurrent } = readInstalledMcp(installation);
  const install = `oncebitten install ${facts.id} --mcp`;
  const data = { settingsFile, installed: isInstalled };
  if (!isInstalled) return ok(`not installed; to add it: ${install}`, data);
  if (isCurrent) return ok(`in ${settingsFile}`, data);
  return bad(`outdated in ${settingsFile}`, `run: ${install}`, data);
}

/** As an agent would start it. */
function checkProgram({ home, env }: CommandInput): Promise<Finding> {
  const { PATH = '', HOME = homedir() } = env;
  const args = [...SERVER_ARGUMENTS];
  const transport = new StdioClientTransport({
    ...{ command: home.commandFile, args, env: { PATH, HOME } },
    stderr: 'ignore',
  });
  return ask(home.commandFile, transport, 'write the program again: oncebitten daemon start');
}

async function checkHttp({ home, env }: CommandInput): Promise<Finding> {
  const { http } = makeSettingsFinder(home.configFile, env)() ?? DEFAULT_SETTINGS;
  if (!http.enabled) return ok('switched off (setting http.enabled)');
  if ((await findDaemon(home)) === undefined) return ok('the daemon is not running, so nobody answers');
  const address = readHttpFile(home);
  if (address === undefined) return ok('the daemon does not listen yet');
  const url = toMcpUrl(address.port);
  const requestInit = { headers: { Authorization: `Bearer ${address.token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  return ask(url, transport, 'start the daemon again: oncebitten daemon stop, then oncebitten daemon start');
}

/** `next`: what to do if it does not answer. */
async function ask(name: string, transport: unknown, next: string): Promise<Finding> {
  const client = new Client({ name: 'oncebitten-doctor', version: '1' });
  try {
    await client.connect(transport as Transport, { timeout: PATIENCE_MS });
    const { tools } = await client.listTools(undefined, { timeout: PATIENCE_MS });
    return ok(`${name} answers with ${toCount(tools.length, 'tool')}`, { tools: tools.length });
  } catch (error) {
    return bad(`${name} does not answer (${toReason(error)})`, next);
  } finally {
    await client.close();
  }
}
