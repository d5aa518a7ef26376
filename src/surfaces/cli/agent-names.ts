/** How the command line names agents and the files that agents read: in help texts, options, examples and errors. */
import { AGENTS, REPORTING_AGENTS, SCANNED_AGENTS } from '../../agents/agents.ts';
import { INSTALLS } from '../../agents/installs.ts';
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';
import { toProjectFolder } from '../install/agent-place.ts';
import { usageError } from './errors.ts';

/** Whose calls can be in the store. */
const RECORDED = [...AGENTS, ...REPORTING_AGENTS];
const IDS = RECORDED.map(({ id }) => id).join(', ');
const INSTALLABLE = INSTALLS.map(({ facts }) => facts.id);
const SCANNED = SCANNED_AGENTS.map(({ id }) => id);

/** For `install` and `uninstall`. */
export const INSTALLABLE_IDS = INSTALLABLE.join(' or ');
/** The agents with a plugin. */
export const PLUGIN_IDS = INSTALLS.flatMap(({ facts, plugin }) => (plugin === undefined ? [] : [facts.id])).join(', ');
/** The settings files of a project that only its user has. */
export const PROJECT_FILES = INSTALLS.map((agent) => `${toProjectFolder(agent)}/${agent.hooks.projectFile}`).join(
  ' or ',
);
/** For examples, and where the user names no agent. */
export const EXAMPLE_ID = INSTALLABLE[0] ?? '';

/** Two agents, for an example. */
export const SCANNED_IDS = SCANNED.slice(0, 2).join(',');

export const AGENT_OPTION = { '--agent <id>': `Only this agent: ${IDS}` };
/** For commands that read session files. */
export const HISTORY_HELP = `Only these agents, separated by commas: ${SCANNED.join(', ')}`;
export const HISTORY_OPTION = { '--agent <id...>': HISTORY_HELP };
export const TOOL_OWNER_OPTION = {
  '--agent <id>': `Agent that makes the call (--tool uses its tool names): ${INSTALLABLE_IDS} (default: ${EXAMPLE_ID})`,
};

/** The file that most agents read, used if a project has none of the files below. */
export const DEFAULT_FILE = 'AGENTS.md';
/** Name for `--target` -> files that agents read at every session. The first of a list is made where there is none. */
export const INSTRUCTION_FILES: Readonly<Record<string, readonly string[]>> = {
  agents: [DEFAULT_FILE],
  ...Object.fromEntries(
    AGENTS.flatMap(({ instructions: one }) => (one === undefined ? [] : [[one.target, one.files]])),
  ),
};
export const TARGET_NAMES = [...Object.keys(INSTRUCTION_FILES), 'skill'].join(', ');
export const SKILLS_FOLDER = AGENTS.flatMap(({ skillsFolder }) => skillsFolder ?? [])[0] ?? '';

/** Throws unless rows of this agent can be in the store. `usable`: the agents that the command can do something for. */
export function checkAgentId(id: string, usable: WithFacts = RECORDED.map((facts) => ({ facts }))): void {
  if (RECORDED.some((facts) => facts.id === id)) return;
  throw usageError(`agent ${id}`, 'is not a known agent', `use one of: ${listIds(usable)}`);
}

type WithFacts = readonly { readonly facts: AgentFacts }[];

export function listIds(agents: WithFacts): string {
  return agents.map(({ facts }) => facts.id).join(', ');
}
