/** Whether the agent's settings switch our plugin on. One given on the command line leaves no trace to find. */
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import { PLUGIN_NAME } from '../../install/render-claude-plugin.ts';
import { type Asked, readAgentSettings } from './read-agent-settings.ts';

export function hasPlugin(facts: AgentFacts, asked: Asked): boolean {
  return readAgentSettings(facts, asked).some(({ settings }) => {
    const plugins: unknown = settings.enabledPlugins;
    if (typeof plugins !== 'object' || plugins === null) return false;
    return Object.entries(plugins).some(([name, on]) => on === true && name.startsWith(`${PLUGIN_NAME}@`));
  });
}
