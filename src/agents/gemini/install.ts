/** The installation of our hooks in Gemini CLI: its settings files and the events we need. */
import type { AgentInstall, AgentPlugin, HookSkips } from '../../base/contracts/agent-install.ts';
import { isRecord } from '../../base/records.ts';
import { facts } from './facts.ts';

/**
 * Gemini CLI waits for every hook. `PreCompress` is left out, because it runs before almost every question to the model,
 * and the hooks around the model, because they would cost a process for each piece of its answer.
 */
const EVENTS = ['BeforeTool', 'AfterTool', 'SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent'];

/** An extension. `link` reads the folder itself, so that a new version of Oncebitten needs no second installation. */
const plugin: AgentPlugin = {
  renderManifests: ({ name, version, description, folder }) => ({
    [`${folder}/gemini-extension.json`]: { name, version, description },
  }),
  recordFile: 'extensions/extension-enablement.json',
  isOn: ({ settings }, name) => hasRule(settings[name]),
  toCommands: ({ name, pluginDir }) => ({
    once: [],
    forGood: [['gemini', 'extensions', 'link', pluginDir]],
    undo: [['gemini', 'extensions', 'uninstall', name]],
  }),
};

/** Whether a rule switches the extension on in a folder. Those that switch it off begin with `!`. */
function hasRule(extension: unknown): boolean {
  const { overrides } = (extension ?? {}) as { readonly overrides?: unknown };
  return Array.isArray(overrides) && overrides.some((rule) => typeof rule === 'string' && !rule.startsWith('!'));
}

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
    skips: { file: 'settings.json', list: listDisabled },
    events: EVENTS.map((name) => ({ name, async: false })),
    // Milliseconds.
    timeout: 2000,
    leavesChildren: true,
    windows: { shell: 'powershell' },
  },
  plugin,
  consent:
    'Gemini CLI runs hooks only in folders that you trust. It asks when you start it in a new folder; without a terminal, give --skip-trust.',
  limits: [
    'the model reads no note before a call, so a note about a call comes with its result; with --allow-pause a proven lesson can act before the call',
    'Gemini CLI drops a note with a result that is an error (a file that is not there, an edit that does not match), so known fixes reach the model for commands only',
    'hooks get no id of a call; Oncebitten records a call from the chat file, when the next one begins',
    'hooks do not say which sub-agent makes a call, so only one of a sub-agent and the main conversation hears a lesson',
    'hooks do not report a compression of the conversation, so lessons are not repeated after it',
    'no hook runs after a call that you refuse, and none for wrong arguments or an unknown tool; Oncebitten reads these from the chat file',
  ],
};

/** A user disables single hooks with `/hooks disable`. A hook without a name is listed by its command. */
function listDisabled(...[handlers, settings]: Parameters<HookSkips['list']>): ReturnType<HookSkips['list']> {
  const disabled = settings.flatMap(listDisabledNames);
  const events = handlers
    .filter(({ handler: { name, command } }) => disabled.includes(name || command))
    .map(({ event }) => event);
  const next =
    'start gemini and type /hooks enable-all, or remove them from "hooksConfig.disabled" in its settings.json';
  return events.length === 0 ? [] : [{ events, reason: 'are disabled in "hooksConfig.disabled"', next }];
}

function listDisabledNames(settings: unknown): readonly unknown[] {
  const config = isRecord(settings) ? settings.hooksConfig : undefined;
  const disabled = isRecord(config) ? config.disabled : undefined;
  return Array.isArray(disabled) ? disabled : [];
}
