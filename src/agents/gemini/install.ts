/** The installation of our hooks in Gemini CLI: its settings files and the events we need. */
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

/**
 * Gemini CLI waits for every hook. `PreCompress` is left out, because it runs before almost every question to the model,
 * and the hooks around the model, because they would cost a process for each piece of its answer.
 */
const EVENTS = ['BeforeTool', 'AfterTool', 'SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent'];

export const geminiInstall: AgentInstall = {
  facts,
  program: { name: 'gemini', seenVersion: '0.61.0' },
  hooks: {
    userFile: 'settings.json',
    projectFile: 'settings.json',
    sharedFiles: [],
    managedFiles: {
      linux: '/etc/gemini-cli/settings.json',
      darwin: '/Library/Application Support/GeminiCli/settings.json',
      win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
    },
    switches: [{ key: 'hooksConfig.enabled', off: false, managedOnly: false }],
    events: EVENTS.map((name) => ({ name, async: false })),
    // Milliseconds.
    timeout: 2000,
    leavesChildren: true,
  },
  consent:
    'Gemini CLI runs hooks only in folders that you trust. It asks when you start it in a new folder; without a terminal, give --skip-trust.',
  limits: [
    'the model reads no note before a call, so a note about a call comes with its result; with --allow-pause a proven lesson can act before the call',
    'Gemini CLI drops a note with a result that is an error (a file that is not there, an edit that does not match), so known fixes reach the model for commands only',
    'hooks get no id of a call; Oncebitten records a call from the chat file, when the next one begins',
    'hooks do not say which sub-agent makes a call, so a sub-agent hears no lesson that the main conversation has heard',
    'hooks do not report a compression of the conversation, so lessons are not repeated after it',
    'no hook runs after a call that you refuse, and none for wrong arguments or an unknown tool; Oncebitten reads these from the chat file',
  ],
};
