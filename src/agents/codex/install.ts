/** The installation of our hooks in Codex: its hooks files and the events we need. */
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

/** Codex does not run hooks with `async`, so it waits for all of them. */
const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
];

export const codexInstall: AgentInstall = {
  facts,
  program: { name: 'codex', seenVersion: '0.166.0' },
  hooks: {
    userFile: 'hooks.json',
    projectFile: 'hooks.json',
    sharedFiles: [],
    managedFiles: {},
    switches: [],
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
  },
  consent:
    'Codex runs new hooks only after you have allowed them, and skips them without a word until then. Start codex, type /hooks, and trust the hooks of Oncebitten.',
  limits: [
    'hooks do not get the exit code of a command; Oncebitten reads it from the session file',
    'no hook runs after a patch that does not apply or a call that you refuse; Oncebitten reads these from the session file',
    'a hook could correct a call only by also allowing it to run, so a lesson that would correct a call pauses it instead',
    'Codex silently skips hooks that you have not trusted with /hooks',
  ],
};
