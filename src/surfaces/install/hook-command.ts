/**
 * Makes the hook file path, shell command and settings handler that an agent runs for one event, and recognizes our
 * commands. The command cannot fail (without a hook file it exits with 0), and it is the same in every version, because
 * some agents ask for trust again when a command changes.
 */

import { homedir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { INSTALLS } from '../../agents/installs.ts';
import type { AgentInstall, HookEvent, WindowsHooks } from '../../base/contracts/agent-install.ts';
import { quotePowerShell } from '../hook/render-windows-shims.ts';

/** The hook file of the default data directory. The shell fills in the home folder, so the command suits every user. */
export const DEFAULT_HOOK_FILE = '$HOME/.oncebitten/bin/hook';

const ESCAPED_CHARACTERS = /["$`\\]/g;
const WORDS = '[a-z][a-z0-9-]* [A-Za-z][A-Za-z0-9_-]*';
// Whole and exact: a looser pattern would one day take out a hook that somebody else wrote.
const SHELL_COMMAND = String.raw`\[ -x "(\$HOME/\.oncebitten/bin/hook|/(?:[^"$\`\\]|\\["$\`\\])*?(?<=/)bin/hook)" \] && (?:\{ )?"\1" ${WORDS}(?: <&3 & trap "kill \$!" TERM; wait \$!; \} 3<&0)? \|\| :`;
// These have no test for the file, which shows whose they are, so the agent must be one of ours.
const OUR_WORDS = `(?:${INSTALLS.map(({ facts }) => facts.id).join('|')}) [A-Za-z][A-Za-z0-9_-]*`;
const OUR_COMMANDS = [
  SHELL_COMMAND,
  String.raw`\{ ${SHELL_COMMAND}; \}`,
  String.raw`try \{ & (["'].+\\bin\\hook)\.ps1(["']) (${OUR_WORDS}) \} catch \{ try \{ & \1\.cmd\2 \3 \} catch \{ \} \}; exit 0`,
  String.raw`\(cd /d .+\\bin && call hook\.cmd ${OUR_WORDS}\) 2>nul & exit 0`,
  String.raw`"[^"]+\\bin\\hook\.cmd" ${OUR_WORDS}`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** `hookFile` is `DEFAULT_HOOK_FILE` or an absolute path that ends in `/bin/hook`. */
export function toHookCommand(
  hookFile: string,
  agentId: string,
  eventName: string,
  platform = process.platform,
): string {
  const hooks = INSTALLS.find(({ facts }) => facts.id === agentId)?.hooks;
  const words = `${agentId} ${eventName}`;
  const command =
    platform === 'win32' && hooks?.windows !== undefined
      ? toWindowsCommand(hookFile, words, hooks.windows.shell)
      : toShellCommand(hookFile, words, hooks ?? {});
  // We must recognize the command later, to remove it.
  if (!isOurCommand(command)) throw new Error(`not a hook command of ours: ${command}`);
  return command;
}

type ShellNeeds = Partial<Pick<AgentInstall['hooks'], 'leavesChildren' | 'redirects'>>;

function toShellCommand(hookFile: string, words: string, { leavesChildren, redirects }: ShellNeeds): string {
  const quoted = `"${hookFile === DEFAULT_HOOK_FILE ? hookFile : hookFile.replace(ESCAPED_CHARACTERS, '\\$&')}"`;
  const run = `${quoted} ${words}`;
  // In the background, a shell can be ended while its hook runs, and ends the hook. Without `3<&0` the hook could not read.
  const ended = leavesChildren ? `{ ${run} <&3 & trap "kill $!" TERM; wait $!; } 3<&0` : run;
  const command = `[ -x ${quoted} ] && ${ended} || :`;
  return redirects ? `{ ${command}; }` : command;
}

/** Untried: nobody has run these on Windows. */
function toWindowsCommand(hookFile: string, words: string, shell: WindowsHooks['shell']): string {
  const isDefault = hookFile === DEFAULT_HOOK_FILE;
  const file = isDefault ? '.oncebitten\\bin\\hook' : hookFile.replaceAll('/', '\\');
  if (shell === 'cmd') {
    // Without quotes, because one agent escapes them in a way that cmd does not know. `cd` takes spaces without them.
    const folder = isDefault ? `%USERPROFILE%\\${file}` : file.replaceAll(/[&^()<>|]/g, '^$&');
    return `(cd /d ${folder.replace(/\\hook$/, '')} && call hook.cmd ${words}) 2>nul & exit 0`;
  }
  if (shell === 'pipe') {
    const path = isDefault ? win32.join(homedir(), file) : file;
    return `"${path.replaceAll(/[$`]/g, '`$&')}.cmd" ${words}`;
  }
  const toFile = (extension: string): string =>
    isDefault ? `"$HOME\\${file}${extension}"` : quotePowerShell(`${file}${extension}`);
  // Where PowerShell may run no scripts, the `.cmd` runs.
  return `try { & ${toFile('.ps1')} ${words} } catch { try { & ${toFile('.cmd')} ${words} } catch { } }; exit 0`;
}

/** The words with which an agent runs such a command. */
export function toShellWords(command: string, { windows }: AgentInstall['hooks']): string[] {
  if (process.platform !== 'win32' || windows === undefined) return ['sh', '-c', command];
  if (windows.shell === 'cmd') return ['cmd.exe', '/d', '/c', command];
  const call = windows.shell === 'pipe' ? `$input | & ${command}` : command;
  return ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', call];
}

/** Ours, from whatever data directory, agent and event. */
export function isOurCommand(command: unknown): command is string {
  return typeof command === 'string' && OUR_COMMANDS.some((pattern) => pattern.test(command));
}

/** Whether a text that cannot be parsed may contain a command of ours, in whatever form and encoding. */
export function mayHaveOurCommand(bytes: Buffer): boolean {
  return /\bbin\b.{0,40}hook/.test(bytes.toString('latin1').replaceAll('\0', ''));
}

/**
 * The hook file as it stands in hook commands: the default data directory by way of `$HOME`, any other by its path.
 */
export function toHookFile(dataDirectory: string, home: string): string {
  const isDefault = resolve(dataDirectory) === resolve(home, '.oncebitten');
  return isDefault ? DEFAULT_HOOK_FILE : join(resolve(dataDirectory), 'bin', 'hook');
}

export interface HookHandler {
  readonly type: 'command';
  readonly command?: string;
  /** On Windows, for agents that have a key for it. */
  readonly powershell?: string;
  readonly shell?: 'powershell';
  readonly timeout: number;
  readonly async?: true;
}

/** The keys of a handler that may have our command. */
export const COMMAND_KEYS = ['command', 'powershell'] as const;

/** The keys of a handler that are ours to set; any other key in it is the user's. */
export function listHandlerKeys(wanted: HookHandler): readonly (keyof HookHandler)[] {
  return [...new Set(['type', 'command', 'timeout', 'async', ...Object.keys(wanted)] as (keyof HookHandler)[])];
}

/**
 * What we put into an agent's settings for one event: a group without a matcher (so it fires for every tool) that holds
 * one command handler.
 */
export function toHookHandler(
  { facts, hooks }: AgentInstall,
  hookFile: string,
  event: HookEvent,
  platform = process.platform,
): HookHandler {
  const windows = platform === 'win32' ? hooks.windows : undefined;
  return {
    type: 'command',
    [windows?.key ?? 'command']: toHookCommand(hookFile, facts.id, event.name, platform),
    ...(windows?.isNamed ? { shell: 'powershell' } : {}),
    timeout: hooks.timeout,
    ...(event.async ? { async: true } : {}),
  };
}

/** The item of an event's list: a group without a matcher, so that it fires for every tool, or the handler itself. */
export function toHookItem(agent: AgentInstall, hookFile: string, event: HookEvent): object {
  const handler = toHookHandler(agent, hookFile, event);
  return agent.hooks.flat === undefined ? { hooks: [handler] } : handler;
}
