/** `install --mcp` and `uninstall`: our MCP server in the settings of an agent. */

import { homedir } from 'node:os';
import { MCP_CLIENTS } from '../../../agents/mcp-clients.ts';
import type { AgentFacts } from '../../../base/contracts/agent-facts.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import {
  installMcp,
  isMcpUntouched,
  type McpInstallation,
  planMcp,
  readInstalledMcp,
  toMcpInstallation,
  type UninstalledMcp,
  uninstallMcp,
} from '../../install/install-mcp.ts';
import type { CommandInput } from '../command.ts';
import { renderDiff } from '../diff.ts';
import { usageError } from '../errors.ts';
import { joinLines } from '../text.ts';

interface Done {
  readonly json: object;
  readonly text: string;
}

export function checkServerOptions({ options }: CommandInput): void {
  if (options.mcp !== true) return;
  for (const other of ['plugin', 'project'])
    if (options[other] !== undefined)
      throw usageError(
        `--${other}`,
        'contradicts --mcp: the MCP server is added to the settings of the user',
        'give one of them',
      );
}

/** With `--dry-run`: what would change. */
export async function installServer(input: CommandInput, facts: AgentFacts): Promise<Done> {
  const installation = getInstallation(input, facts);
  const { settingsFile, client } = installation;
  const json = { agent: facts.id, scope: 'mcp', settingsFile };
  const { changed, before, after } = planMcp(installation);
  if (input.options.dryRun === true) {
    const diff = changed ? renderDiff(settingsFile, before, after) : '';
    const text = changed
      ? `This would add the MCP server of Oncebitten to ${settingsFile}. Your other settings stay:\n\n${diff}\n\nNothing was changed. To install, run the command without --dry-run.`
      : renderSame(facts, settingsFile);
    return { json: { ...json, dryRun: true, changed, diff }, text };
  }
  // The daemon first: it puts the program where the agent will look for it.
  await ensureDaemon(input.home);
  const result = installMcp(installation);
  if (!result.changed) return { json: { ...json, ...result }, text: renderSame(facts, settingsFile) };
  const text = joinLines([
    `Added the MCP server of Oncebitten to ${settingsFile}. ${facts.name} uses it from its next session on.`,
    result.backupFile !== undefined && `A copy of that file from before: ${result.backupFile}`,
    client.consent ?? false,
    `Check: oncebitten doctor. Undo: oncebitten uninstall ${facts.id} --mcp`,
  ]);
  return { json: { ...json, ...result }, text };
}

function renderSame({ name }: AgentFacts, settingsFile: string): string {
  return `${name} already has the MCP server of Oncebitten in ${settingsFile}. Check it: oncebitten doctor`;
}

const RESTORED: Readonly<Record<UninstalledMcp['restored'], string>> = {
  bytes: 'is byte for byte as it was before the MCP server was added',
  edited: 'keeps your changes; only the MCP server of Oncebitten was removed',
  deleted: 'was created by Oncebitten, and has been deleted',
  nothing: 'does not have the MCP server of Oncebitten',
};

export function uninstallServer(input: CommandInput, facts: AgentFacts): Done & { readonly changed: boolean } {
  const installation = getInstallation(input, facts);
  const { settingsFile } = installation;
  const result = uninstallMcp(installation);
  return {
    json: { agent: facts.id, scope: 'mcp', settingsFile, ...result },
    text: `${settingsFile} ${RESTORED[result.restored]}.`,
    changed: result.changed,
  };
}

/** Was the server the last that we added to the file? */
export function isServerLast(input: CommandInput, facts: AgentFacts): boolean {
  return isMcpUntouched(getInstallation(input, facts));
}

/** The settings file of the agent that has our server. Undefined if it does not, or cannot be read. */
export function findServerFile(agentId: string, input: Pick<CommandInput, 'home' | 'env'>): string | undefined {
  try {
    const installation = getInstallation(input, { id: agentId });
    return readInstalledMcp(installation).isInstalled ? installation.settingsFile : undefined;
  } catch {
    return undefined;
  }
}

export function getInstallation(
  { home, env }: Pick<CommandInput, 'home' | 'env'>,
  { id }: Pick<AgentFacts, 'id'>,
): McpInstallation {
  const client = MCP_CLIENTS.find(({ facts }) => facts.id === id);
  if (client !== undefined) return toMcpInstallation(client, home, { env, home: homedir() });
  const known = MCP_CLIENTS.map(({ facts }) => facts.id).join(', ');
  throw usageError(`agent ${id}`, 'has no settings for MCP servers that Oncebitten knows', `use one of: ${known}`);
}
