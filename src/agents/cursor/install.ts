/** The installation of our hooks in Cursor: its hooks files and the events we need. */
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

/** Cursor waits for all of them. The events of single tools would report the same calls again. */
const EVENTS = [
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'sessionStart',
  'sessionEnd',
  'beforeSubmitPrompt',
  'stop',
  'preCompact',
];

export const cursorInstall: AgentInstall = {
  facts,
  program: { name: 'cursor-agent', seenVersion: '@cursor/sdk 1.0.32' },
  hooks: {
    flat: { version: 1 },
    userFile: 'hooks.json',
    projectFile: 'hooks.json',
    sharedFiles: [],
    managedFiles: {
      linux: '/etc/cursor/hooks.json',
      darwin: '/Library/Application Support/Cursor/hooks.json',
      win32: 'C:\\ProgramData\\Cursor\\hooks.json',
    },
    switches: [],
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
    redirects: true,
    windows: { shell: 'pipe' },
  },
  limits: [
    'these facts are from the code of the hook engine; no session of Cursor itself was recorded',
    'hooks get 0 or 1 as the exit code of a command, whatever the program returned',
    'Cursor keeps no results of calls, so calls without our hooks cannot be read later',
    'Cursor also runs the hooks in the Claude settings of the user and the project; a lesson is heard and a call counted once all the same',
  ],
};
