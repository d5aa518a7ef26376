/** What a command printed and how it ended, from the text that Gemini CLI makes of both. */

export interface ShellText {
  readonly text: string;
  /** Absent where nothing is said about the end. */
  readonly exitCode?: number;
}

/** In this order behind the output; each is left out where it has nothing to say (older builds wrote `(none)`). */
const FOOTER = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/;
const NONE = '(none)';
const NOTHING_PRINTED = '(empty)';
/** What a shell reports for a program that a signal ended. */
const SIGNAL_BASE = 128;

/** `shown` is the output alone, where it is known: its last line is the command's own, whatever it looks like. */
export function parseShellText(told: string, shown = ''): ShellText {
  const lines = told.split('\n');
  const footer = new Map<string, string>();
  const lastShown = toLastLine(shown);
  for (let line = lines.at(-1); line !== undefined; line = lines.at(-1)) {
    const [, name, value] = FOOTER.exec(line) ?? [];
    if (name === undefined || value === undefined || footer.has(name) || line === lastShown) break;
    footer.set(name, value);
    lines.pop();
  }
  const exitCode = findExitCode(footer);
  return { text: toPrinted(lines.join('\n')), ...(exitCode === undefined ? {} : { exitCode }) };
}

/** Only a code other than 0 is told; that the process had a group says that it ran. */
function findExitCode(footer: ReadonlyMap<string, string>): number | undefined {
  const code = toNumber(footer.get('Exit Code'));
  if (code !== undefined && code !== 0) return code;
  const signal = footer.get('Signal');
  if (signal !== undefined && signal !== NONE) return SIGNAL_BASE + (toNumber(signal) ?? 0);
  return code ?? (footer.has('Process Group PGID') ? 0 : undefined);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

/** Older builds repeated the command and its folder in front, and had an error line without an error. */
function toPrinted(text: string): string {
  const output = text.replace(/^Command: [\s\S]*?\nDirectory: .*\n(?=Output: )/, '').replace(/\nError: \(none\)$/, '');
  const printed = output.startsWith('Output: ') ? output.slice('Output: '.length) : output;
  return printed === NOTHING_PRINTED ? '' : printed;
}

function toLastLine(text: string): string | undefined {
  return text === '' ? undefined : text.trimEnd().split('\n').at(-1);
}
