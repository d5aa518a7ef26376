/**
 * Defines the frozen measure with which Oncebitten evaluates itself: the reference signature, which tells whether two
 * failures are the same. FROZEN, and on purpose neither the product's signature nor built from its parts, because finer
 * signatures alone would otherwise improve the figures. It is simple: the program and the first line that mentions an
 * error, with variable parts masked.
 */

interface ReferenceFailure {
  readonly tool: string;
  readonly command?: string | undefined;
  readonly output?: string | undefined;
}

const MAX_LINES = 400;
const MAX_CHARS = 160;
const ERROR_WORD =
  /\b(?:error|errors|fatal|fail|failed|failure|panic|exception|traceback|cannot|can't|couldn't|could not|unable|not found|no such|does not exist|doesn't exist|unknown|unrecogni[sz]ed|invalid|illegal|denied|refused|missing|required|unexpected|undefined|not permitted|not allowed|no matches|is a directory|read-only|timed out|conflict)\b/i;

const PREPARING = /^(?:cd|pushd|export|set|source|\.|echo|sleep|true|:|sudo|time|env|command)$/;

const MASKS: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  [/\x1b\[[0-9;?]*[A-Za-z]/g, ''],
  [/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’/g, '<q>'],
  [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<url>'],
  [/\S*\/\S*/g, '<path>'],
  [/\b[\w-]+\.[a-z]{1,5}\b(?::\d+)*/gi, '<path>'],
  [/\b[0-9a-f]{7,}\b/gi, '<hex>'],
  [/\d+/g, '<n>'],
  [/\s+/g, ' '],
];

export function toReferenceSignature(failure: ReferenceFailure): string {
  return `${toReferenceProgram(failure)}: ${toMasked(findLine(failure.output ?? ''))}`;
}

/** The first word of the first part of a command that does something; the tool if there is no command. */
export function toReferenceProgram({ tool, command }: Pick<ReferenceFailure, 'tool' | 'command'>): string {
  // A substituted value is not a program: `A=$(pwd)/x go test`.
  const plain = (command ?? '').replace(/\$\([^()]*\)/g, '$');
  for (const part of plain.split(/&&|\|\||[;|\n]/)) {
    const words = part.trim().split(/\s+/);
    const word = words.find((one) => one !== '' && !/^\w+=/.test(one) && !/^["'()!{]/.test(one));
    if (word !== undefined && !PREPARING.test(word)) return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  }
  return tool;
}

function findLine(output: string): string {
  const lines = output
    .split('\n', MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^exit code \d+$/i.test(line));
  return lines.find((line) => ERROR_WORD.test(line)) ?? lines[0] ?? '';
}

function toMasked(line: string): string {
  const masked = MASKS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line.slice(0, 2000));
  return masked.trim().toLowerCase().slice(0, MAX_CHARS);
}
