/** The command line of a shell call, however Codex writes it: a text, or a program and its arguments. */
const SCRIPT_FLAG = /^-(?:l?i?c|Command)$/;
const PLAIN = /^[\w@%+=:,./-]+$/;

export function toShellCommand(command: unknown): string | undefined {
  if (typeof command === 'string') return command || undefined;
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  const [, flag, script] = words;
  if (words.length === 3 && flag !== undefined && SCRIPT_FLAG.test(flag)) return script || undefined;
  return words.map(quote).join(' ') || undefined;
}

function quote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
