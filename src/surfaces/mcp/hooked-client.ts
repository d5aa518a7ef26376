/**
 * Whether hooks record the calls of the client that reports one: then a report would count the call twice. The client is
 * known by the name that it gave, or by its session, which hooks have recorded under the name of an agent.
 */

import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { REPORTING_AGENTS } from '../../agents/agents.ts';
import { INSTALLS } from '../../agents/installs.ts';
import { MCP_CLIENTS } from '../../agents/mcp-clients.ts';
import { readHome } from '../cli/open-home.ts';
import { tryDaemon } from '../daemon/ask-daemon.ts';
import { findSettingsFile } from '../install/agent-place.ts';
import { AS_PLUGIN, listHooked } from '../install/installed-hooks.ts';
import { type McpContext, toCommandInput } from './tool.ts';

const FLUSH_MS = 6_000;

/** The name of the agent whose hooks record the calls. */
export async function findRecorder(context: McpContext, sessionId: string): Promise<string | undefined> {
  return findHookedClient(context) ?? (await findSessionAgent(context, sessionId));
}

function findHookedClient(context: McpContext): string | undefined {
  const { clientName } = context;
  if (clientName === undefined) return undefined;
  const client = MCP_CLIENTS.find((one) => one.clientName.test(clientName));
  const agent = INSTALLS.find(({ facts }) => facts.id === client?.facts.id);
  if (agent === undefined) return undefined;
  const { env, cwd } = toCommandInput(context, {});
  const projects = [undefined, ...listFoldersAbove(cwd)];
  const places = [AS_PLUGIN, ...projects.map((project) => findSettingsFile({ agent, env, home: homedir(), project }))];
  const hooked = listHooked(toCommandInput(context, {})).filter((one) => one.agent === agent.facts.id);
  return hooked.some(({ place }) => places.includes(place)) ? agent.facts.name : undefined;
}

/** The folder itself comes first. */
function listFoldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listFoldersAbove(above)];
}

async function findSessionAgent(context: McpContext, sessionId: string): Promise<string | undefined> {
  const reporters = REPORTING_AGENTS.map(({ id }) => id);
  const look = async (): Promise<readonly string[]> => {
    const sessions = await readHome(context, ({ store }) => store.listSessions({ sessionId, limit: 10 }));
    return sessions.map(({ agent }) => agent);
  };
  let agents = await look();
  // The first report of a session: what its hooks have recorded may not be stored yet.
  if (agents.length === 0 && (await tryDaemon(context.home, 'flush', FLUSH_MS)).answer !== undefined)
    agents = await look();
  const found = agents.find((agent) => !reporters.includes(agent));
  return INSTALLS.find(({ facts }) => facts.id === found)?.facts.name ?? found;
}
