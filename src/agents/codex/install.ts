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
    'hooks are not told the exit code of a command: Oncebitten learns it from the rollout',
    'a patch that does not apply and a call that was refused run no hook at their end: Oncebitten learns of them from the rollout',
    'Codex changes a call for a hook only together with a permission to run it, so lessons never correct a call: they hold it back instead',
    'hooks that were not trusted with /hooks are skipped without a word',
  ],
};
