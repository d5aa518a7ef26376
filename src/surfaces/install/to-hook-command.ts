/**
 * The shell command that an agent runs for one event, and how to know it again. It cannot fail (no hook file: exit 0),
 * and it is the same in every version, because some agents ask for trust again when a command changes.
 */

/** The hook file of the default data directory. The shell fills in the home folder, so the command suits every user. */
export const DEFAULT_HOOK_FILE = '$HOME/.oncebitten/bin/hook';

const ESCAPED_CHARACTERS = /["$`\\]/g;
// Whole and exact: a looser pattern would one day take out a hook that somebody else wrote.
const OUR_COMMAND =
  /^\[ -x "(\$HOME\/\.oncebitten\/bin\/hook|\/(?:[^"$`\\]|\\["$`\\])*?(?<=\/)bin\/hook)" \] && "\1" [a-z][a-z0-9-]* [A-Za-z][A-Za-z0-9_-]* \|\| :$/;

/** `hookFile` is `DEFAULT_HOOK_FILE` or an absolute path that ends in `/bin/hook`. */
export function toHookCommand(hookFile: string, agentId: string, eventName: string): string {
  const quoted = `"${hookFile === DEFAULT_HOOK_FILE ? hookFile : hookFile.replace(ESCAPED_CHARACTERS, '\\$&')}"`;
  const command = `[ -x ${quoted} ] && ${quoted} ${agentId} ${eventName} || :`;
  // What we could not find again we could not take out again.
  if (!isOurCommand(command)) throw new Error(`not a hook command of ours: ${command}`);
  return command;
}

/** Ours, from whatever data directory, agent and event. */
export function isOurCommand(command: unknown): command is string {
  return typeof command === 'string' && OUR_COMMAND.test(command);
}
