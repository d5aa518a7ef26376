/** Whether a command may run a program of this name: what only holds it inside another word does not. */

/** Most calls are of other programs, and parsing is what costs. Says yes in doubt. */
export function mayRun(command: string, name: string): boolean {
  for (let at = command.indexOf(name); at >= 0; at = command.indexOf(name, at + 1)) {
    if (!isInWord(command, at - 1) && !WORD.test(command.charAt(at + name.length))) return true;
  }
  return false;
}

const WORD = /[A-Za-z0-9_]/;

/** The `n` of `\n` before a name is a line break where the shell reads it as one. */
function isInWord(command: string, before: number): boolean {
  return WORD.test(command.charAt(before)) && !ESCAPE.test(command.charAt(before - 1));
}

const ESCAPE = /[\\`]/;
