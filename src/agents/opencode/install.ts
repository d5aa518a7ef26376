/** The installation of our plugin in OpenCode: a file in the folder from which OpenCode loads plugins. */
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

const EVENTS = [
  'tool-before',
  'tool-after',
  'tool-failed',
  'chat-message',
  'session-created',
  'session-compacted',
  'session-idle',
];

export const opencodeInstall: AgentInstall = {
  facts,
  program: { name: 'opencode', seenVersion: '1.18.33' },
  hooks: {
    program: { render, renderTrial },
    userFile: 'plugins/oncebitten.js',
    projectFolder: '.opencode',
    projectFile: 'plugins/oncebitten.js',
    sharedFiles: [],
    managedFiles: {},
    switches: [],
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
  },
  limits: [
    'nothing can be said before a call, so a note comes with the result; only a pause, a rewrite or a block comes before',
    'no hook runs after a call that fails in the tool itself; the plugin learns of it from the event bus, and its note is added to the error in every request',
    'OpenCode installs a package of its own from the npm registry when it first finds a plugin; without network its start takes longer once',
    'the note at the start of a session is lost when the session goes on in another process',
  ],
};

/** Where Oncebitten is gone, OpenCode gets a plugin that does nothing. */
function render(hookFile: string): string {
  const [home, rest] = hookFile.startsWith('$HOME/')
    ? ['homedir() + ', hookFile.slice('$HOME'.length)]
    : ['', hookFile];
  return `import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';

const file = ${home}${JSON.stringify(rest.replace(/hook$/, 'program.mjs'))};

export const Oncebitten = async (input) => {
  try {
    return (await import(pathToFileURL(file).href)).open('${facts.id}', input);
  } catch {
    return {};
  }
};
`;
}

function renderTrial(command: string, cwd: string): string {
  const ids = { tool: 'bash', sessionID: 'oncebitten-probe', callID: 'oncebitten-probe', args: { command } };
  return `import { stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

const alive = setInterval(() => {}, 1000);
const { Oncebitten } = await import(pathToFileURL(process.argv.at(-1)).href);
const hooks = await Oncebitten({ directory: ${JSON.stringify(cwd)} });
const output = { title: '', output: '', metadata: { exit: 0 } };
await hooks['tool.execute.after']?.(${JSON.stringify(ids)}, output);
stdout.write(output.output.trim());
clearInterval(alive);
`;
}
