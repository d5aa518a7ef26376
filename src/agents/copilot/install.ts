/** The installation of our hooks in Copilot CLI: a file of our own in its folder of hooks files. */
import type { AgentInstall, AgentPlugin, HookSkips } from '../../base/contracts/agent-install.ts';
import { isRecord } from '../../base/records.ts';
import { isEnabled, toManifest, toMarketplace } from '../plugin-manifests.ts';
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

/** Copilot CLI would read the marketplace of Claude Code in the same folder, if it had none of its own. */
const plugin: AgentPlugin = {
  renderManifests: (content) => ({
    '.github/plugin/marketplace.json': toMarketplace(content),
    [`${content.folder}/plugin.json`]: toManifest(content),
  }),
  recordFile: 'settings.json',
  isOn: isEnabled,
  toCommands: ({ name, dir, pluginDir }) => ({
    once: [['copilot', '--plugin-dir', pluginDir]],
    forGood: [
      ['copilot', 'plugin', 'marketplace', 'add', dir],
      ['copilot', 'plugin', 'install', `${name}@${name}`],
    ],
    undo: [['copilot', 'plugin', 'uninstall', `${name}@${name}`]],
  }),
};

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
    skips: { file: 'settings.json', list: listOff },
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
    windows: { shell: 'powershell', key: 'powershell' },
  },
  plugin,
  limits: [
    'hooks give calls no id; Oncebitten reads the calls from the log of the session, which Copilot CLI writes a little later',
    'no hook runs after a call that you refuse or that runs out of time; Oncebitten reads it from the log',
    'a hook cannot show you a message; the reason of a refused call says how to mute the lesson',
    'Copilot CLI runs the hooks of a project only in a folder that you trust',
    'single hooks can be disabled with /hooks; settings.json lists them by a hash that only Copilot CLI knows, so doctor cannot tell whether ours is among them',
    'Copilot CLI also runs the hooks in the Claude settings of a project; a lesson is heard once all the same',
  ],
};

/** The settings have a switch of their own, besides the one in a hooks file. */
function listOff(...[handlers, settings]: Parameters<HookSkips['list']>): ReturnType<HookSkips['list']> {
  if (!settings.some((one) => isRecord(one) && one.disableAllHooks === true)) return [];
  const events = handlers.map(({ event }) => event);
  return [{ events, reason: 'are off: settings.json has "disableAllHooks"', next: 'remove it from settings.json' }];
}
