/**
 * Commands whose documented purpose is to print a secret: their output is the secret, and no form tells it. The catalogue
 * of programs has the words that make them print it (`secrets` in `base/shell/programs/vocabulary.ts`).
 */
import { parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import { findFacts, isKnownAs, listPrograms, listProgramsWith } from '../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';

const SECRET_NAME =
  /^(?:\$(?:\{?|env:))?\w*(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)(?:_\d+)?\}?$/i;

/** Without one of these words no command is parsed. */
const HINT = new RegExp(
  `(?<![\\w-])(?:${[...listProgramsWith('secrets'), ...listPrograms('prints'), 'printenv'].join('|')})(?![\\w-])`,
  'i',
);

/** Whether the output of the command is a secret, or holds one that nothing else tells. */
export function printsSecret(command: string, shell: ShellTool): boolean {
  if (!HINT.test(command)) return false;
  const commands = parseCommand(dropSubstitutions(command), shell);
  return commands.some((one, i) => isPrinter(one) && isShown(one, commands, i));
}

/** What `$(…)` prints goes into a word of another command. Where that is `echo`, it comes out again. */
function dropSubstitutions(command: string): string {
  return command
    .replace(/(?<![\w-])(?:echo|printf)[ \t]{1,4}["']?\$\(([^()\n]{1,400})\)["']?/g, '$1')
    .replace(/\$\([^()\n]{0,1000}\)|`[^`\n]{0,1000}`/g, '_');
}

function isPrinter({ program, args }: SimpleCommand): boolean {
  if (program === 'printenv' || isKnownAs(program, 'prints'))
    return args.some(({ value, text }) => isSecretName(program, value, text));
  const words = args.map(({ value }) => value);
  return findFacts(program)?.secrets?.some((row) => holdsInOrder(words, row.split(' '))) ?? false;
}

/** `printenv` takes the name alone; the others would print it. */
function isSecretName(program: string, value: string, text: string): boolean {
  if (program === 'printenv') return SECRET_NAME.test(value);
  return /^["']?\$/.test(text) && !text.startsWith("'") && SECRET_NAME.test(value);
}

/** `--to=x` for `--to`, `secret/shop` for `secret`. */
function holdsInOrder(words: readonly string[], row: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    const wanted = row[next] ?? '';
    if (wanted === '') break;
    if (word === wanted || word.startsWith(`${wanted}=`) || word.startsWith(`${wanted}/`)) next += 1;
  }
  return next >= row.filter((word) => word !== '').length;
}

/** Not where the secret goes into a file or a variable, or into a program that keeps it. */
function isShown(one: SimpleCommand, commands: readonly SimpleCommand[], at: number): boolean {
  if (/(?<![\d&])>{1,2}\s*(?!&|\/dev\/(?:stdout|stderr|tty))/.test(one.text)) return false;
  for (const later of commands.slice(at + 1)) {
    if (later.piped !== true) return true;
    if (!isKnownAs(later.program, 'filters', 'interpreter')) return false;
  }
  return true;
}
