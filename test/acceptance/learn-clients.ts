/**
 * The homes of the real clients as a user has them, for questions to their models: a login or provider of their own,
 * hooks, instructions and a server of tools. Each hook and server writes its name into a log when it runs.
 */
import { join } from 'node:path';
import type { RigTool, Turn } from './rig.ts';

export interface LearnClient {
  /** The id of the agent, and the name of its program. */
  readonly agent: string;
  readonly program: string;
  /** The name of the model, if the client would ask another one which to take. */
  readonly model?: string;
  toHome(parts: HomeParts): ClientHome;
  /** Arguments of an ordinary headless run, whose hooks do run. */
  readonly ordinary: readonly string[];
  /** A session in which the user has allowed every call. */
  work(prompt: string): readonly string[];
  /** Runs a command in the client's shell. */
  toCall(command: string): RigTool;
  /** Writes a file of the project with the client's own tool. */
  toWrite(file: string, content: string): RigTool;
  /** How the user calls our commands there, and the folder of their files in the home. */
  readonly command?: {
    readonly folder: string;
    toArgs(typed: string, more?: readonly string[]): readonly string[];
    /** More arguments, which load our plugin for one session. */
    readonly plugin?: readonly string[];
  };
  /** How the model loads a skill, whose file is in this folder. */
  toSkill(name: string, folder: string): RigTool;
  /** What the scripted model says to give this answer. */
  toTurn(answer: object): Turn;
  /** A call that would write this file. */
  toEvil(file: string): RigTool;
  /** The client starts the user's servers although the model is told of no tool. */
  readonly startsServers?: true;
  /** The model is given the user's own instructions, too. */
  readonly readsMemory?: true;
}

interface HomeParts {
  readonly url: string;
  readonly home: string;
  readonly log: string;
}

interface ClientHome {
  readonly env: Readonly<Record<string, string>>;
  /** Path in the home -> text. */
  readonly files: Readonly<Record<string, string>>;
}

const PLUGIN = join(import.meta.dirname, '../../plugin/claude-code');

export const MEMORY = 'USER-MEMORY: answer in verse';
const OFFLINE = { HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' };

const toCommand = (log: string, name: string): string => `echo ${name} >>'${log}'`;
/** A server that says so and then hangs: nobody may wait for it. */
const toServer = (log: string): readonly string[] => ['sh', '-c', `${toCommand(log, 'SERVER')}; exec cat >/dev/null`];
const toShell =
  (name: string) =>
  (file: string): RigTool => ({ name, input: { command: `touch ${file}`, description: 'x' } });
const toText = (answer: object): Turn => ({ text: `Here it is:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` });

function toHooks(log: string, events: readonly string[]): object {
  const row = (event: string) => [{ hooks: [{ type: 'command', command: toCommand(log, `HOOK-${event}`) }] }];
  return Object.fromEntries(events.map((event) => [event, row(event)]));
}

const CLAUDE: LearnClient = {
  agent: 'claude-code',
  program: 'claude',
  toHome: ({ url, home, log }) => {
    const [command = '', ...args] = toServer(log);
    return {
      env: {
        ...{ CLAUDE_CONFIG_DIR: `${home}/.claude`, ANTHROPIC_API_KEY: 'sk-ant-dummy-000000000000000000000000' },
        ...{ DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' },
        CLAUDE_CODE_TMPDIR: `${home}/tmp`,
      },
      files: {
        // A provider of one's own is often named here.
        '.claude/settings.json': JSON.stringify({
          env: { ANTHROPIC_BASE_URL: url },
          hooks: toHooks(log, ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']),
        }),
        '.claude/.claude.json': JSON.stringify({ mcpServers: { probe: { type: 'stdio', command, args } } }),
        '.claude/CLAUDE.md': MEMORY,
      },
    };
  },
  ordinary: ['-p', '--strict-mcp-config', 'STORY-ORDINARY'],
  work: (prompt) => ['-p', '--strict-mcp-config', '--dangerously-skip-permissions', prompt],
  toCall: (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
  toWrite: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  // Nothing else is allowed: the command itself allows what it needs.
  command: {
    folder: '.claude',
    toArgs: (typed, more = []) => ['-p', '--strict-mcp-config', ...more, typed],
    plugin: ['--plugin-dir', PLUGIN],
  },
  toSkill: (skill) => ({ name: 'Skill', input: { skill } }),
  toTurn: (input) => ({ tools: [{ name: 'StructuredOutput', input }] }),
  toEvil: toShell('Bash'),
};

const CODEX_FREE = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

function toPatch(file: string, content: string): RigTool {
  const input = `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch\n`;
  return { name: 'apply_patch', custom: true, input };
}

const CODEX: LearnClient = {
  agent: 'codex',
  program: 'codex',
  toHome: ({ url, home, log }) => ({
    env: { CODEX_HOME: `${home}/.codex`, RIG_API_KEY: 'dummy', ...OFFLINE },
    files: {
      '.codex/config.toml': `model = "gpt-5.5"
model_provider = "rig"
chatgpt_base_url = "http://127.0.0.1:9/"
[model_providers.rig]
name = "rig"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "RIG_API_KEY"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.probe]
command = "sh"
args = ${JSON.stringify(toServer(log).slice(1))}
startup_timeout_sec = 2
`,
      '.codex/hooks.json': JSON.stringify({
        hooks: toHooks(log, ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']),
      }),
      '.codex/AGENTS.md': MEMORY,
    },
  }),
  ordinary: ['exec', '--skip-git-repo-check', '-s', 'read-only', 'STORY-ORDINARY'],
  work: (prompt) => ['exec', ...CODEX_FREE, prompt],
  toCall: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  toWrite: toPatch,
  command: { folder: '.codex', toArgs: (typed) => ['exec', ...CODEX_FREE, typed] },
  // It has no tool for skills: the model reads the file whose path it is given.
  toSkill: (_, folder) => ({ name: 'exec_command', input: { cmd: `cat ${folder}/SKILL.md` } }),
  toTurn: (answer) => ({ text: JSON.stringify(answer) }),
  toEvil: (file) => toPatch(file, 'x'),
  readsMemory: true,
};

const GEMINI_FREE = ['--skip-trust', '--yolo', '-m', 'gemini-2.5-flash'];

const GEMINI: LearnClient = {
  agent: 'gemini',
  program: 'gemini',
  model: 'gemini-2.5-flash',
  toHome: ({ url, log }) => {
    const [command = '', ...args] = toServer(log);
    return {
      env: { GEMINI_API_KEY: 'dummy-key', GOOGLE_GEMINI_BASE_URL: url },
      files: {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          hooks: toHooks(log, ['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd']),
          mcpServers: { probe: { command, args, timeout: 1000 } },
        }),
        '.gemini/GEMINI.md': MEMORY,
      },
    };
  },
  ordinary: ['--skip-trust', '-m', 'gemini-2.5-flash', '-p', 'STORY-ORDINARY'],
  work: (prompt) => [...GEMINI_FREE, '-p', prompt],
  toCall: (command) => ({ name: 'run_shell_command', input: { command, description: 'x' } }),
  toWrite: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  command: { folder: '.gemini', toArgs: (typed) => [...GEMINI_FREE, '-p', typed] },
  toSkill: (name) => ({ name: 'activate_skill', input: { name } }),
  toTurn: toText,
  toEvil: toShell('run_shell_command'),
  readsMemory: true,
};

const OPENCODE: LearnClient = {
  agent: 'opencode',
  program: 'opencode',
  toHome: ({ url, log }) => ({
    env: {
      ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        ...{ autoupdate: false, share: 'disabled', model: 'rig/fake-model', small_model: 'rig/fake-model' },
        provider: {
          rig: {
            ...{ npm: '@ai-sdk/openai-compatible', name: 'rig' },
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: { 'fake-model': { name: 'fake', tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
        mcp: { probe: { type: 'local', command: toServer(log), enabled: true, timeout: 1000 } },
      }),
      '.config/opencode/plugins/probe.js': `import { appendFileSync } from 'node:fs';
export const Probe = async () => { appendFileSync('${log}', 'HOOK-plugin\\n'); return {}; };
`,
      '.config/opencode/AGENTS.md': MEMORY,
    },
  }),
  ordinary: ['run', 'STORY-ORDINARY'],
  work: (prompt) => ['run', prompt],
  toCall: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  toWrite: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  command: {
    folder: '.config/opencode',
    toArgs(typed) {
      const [name = '', ...words] = typed.slice(1).split(' ');
      return ['run', '--command', name, ...words];
    },
  },
  toSkill: (name) => ({ name: 'skill', input: { name } }),
  toTurn: toText,
  toEvil: toShell('bash'),
  readsMemory: true,
  startsServers: true,
};

const COPILOT: LearnClient = {
  agent: 'copilot',
  program: 'copilot',
  toHome: ({ url, home, log }) => {
    const [command = '', ...args] = toServer(log);
    const row = (event: string) => [{ type: 'command', bash: toCommand(log, `HOOK-${event}`), timeoutSec: 5 }];
    const events = ['sessionStart', 'userPromptSubmitted', 'agentStop', 'sessionEnd'];
    return {
      env: {
        ...{ COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_TYPE: 'openai' },
        ...{ COPILOT_PROVIDER_WIRE_API: 'completions', COPILOT_MODEL: 'gpt-5.1', COPILOT_AUTO_UPDATE: 'false' },
        COPILOT_HOME: `${home}/.copilot`,
      },
      files: {
        '.copilot/hooks/probe.json': JSON.stringify({
          version: 1,
          hooks: Object.fromEntries(events.map((event) => [event, row(event)])),
        }),
        '.copilot/mcp-config.json': JSON.stringify({
          mcpServers: { probe: { type: 'local', command, args, tools: ['*'], timeout: 1000 } },
        }),
        '.copilot/copilot-instructions.md': MEMORY,
      },
    };
  },
  ordinary: ['-p', 'STORY-ORDINARY', '--allow-all', '--no-auto-update', '--disable-builtin-mcps'],
  work: (prompt) => ['-p', prompt, '--allow-all', '--no-auto-update', '--disable-builtin-mcps'],
  toCall: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  toWrite: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  toSkill: (skill) => ({ name: 'skill', input: { skill } }),
  toTurn: toText,
  toEvil: toShell('bash'),
  startsServers: true,
};

export const LEARN_CLIENTS: Readonly<Record<string, LearnClient>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  copilot: COPILOT,
};
