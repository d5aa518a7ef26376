/** The installation of our hooks in Copilot CLI: a file of our own in its folder of hooks files. */
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

/** Copilot CLI waits for all of them. */
const EVENTS = [
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'sessionStart',
  'sessionEnd',
  'userPromptSubmitted',
  'agentStop',
  'subagentStart',
  'subagentStop',
  'preCompact',
];

export const copilotInstall: AgentInstall = {
  facts,
  program: { name: 'copilot', seenVersion: '1.0.102' },
  hooks: {
    flat: { version: 1 },
    userFile: 'hooks/oncebitten.json',
    projectFolder: '.github',
    projectFile: 'hooks/oncebitten.json',
    sharedFiles: [],
    managedFiles: {},
    switches: [{ key: 'disableAllHooks', managedOnly: false }],
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
  },
  limits: [
    'hooks give calls no id; Oncebitten reads the calls from the log of the session, which Copilot CLI writes a little later',
    'no hook runs after a call that you refuse or that runs out of time; Oncebitten reads it from the log',
    'a hook cannot show you a message; the reason of a refused call says how to mute the lesson',
    'Copilot CLI runs the hooks of a project only in a folder that you trust',
    'Copilot CLI also runs the hooks in the Claude settings of a project; a lesson is heard once all the same',
  ],
};
