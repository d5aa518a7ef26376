/**
 * Wraps text to the columns of a terminal. A longer line continues below, under its beginning or beside its label. A
 * command to copy, code in backticks and the lines of a diff stay in one piece. Renderers return whole lines, which a
 * pipe prints as they are.
 */

import { BEFORE_COMMAND } from './caller.ts';

/** Labels and marks are short; a sentence that happens to have two spaces in it is none. */
const MAX_LABEL = 28;
const LABEL = /^ *(?:\S+(?: \S+)*? {2,})?(?:[-•] )?/;
const DIFF = /^(?:[+-]|@@| \S)/;
/** To the end of the line, or of the sentence. What is quoted belongs to it. */
const COMMAND = new RegExp(
  `${BEFORE_COMMAND}(?:npm (?:--prefix \\S+ )?run -s |npx )?oncebitten (?:'[^']*'|[^'\`])+?(?=[.;,)]? \\(|[.;,)] |[.;,)]?$|\`)|\`[^\`]+\``,
  'g',
);
/** Stands for a space at which nothing may be broken. It cannot be in a text that may be printed. */
const GLUE = '\0';

export function fitText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns || DIFF.test(line) ? [line] : fitLine(line, columns)))
    .join('\n');
}

function fitLine(line: string, columns: number): readonly string[] {
  const label = toLabel(line, columns);
  const indent = ' '.repeat(toIndent(line, label));
  const lines = [label];
  let isEmpty = true;
  for (const word of toWords(line.slice(label.length))) {
    const last = lines.at(-1) ?? '';
    const isFull = !isEmpty && last.length + 1 + word.length > columns;
    // Of a gap between two words nothing is left where the line ends.
    if (isFull && word !== '') lines.push(`${indent}${word}`);
    else if (!isFull) lines[lines.length - 1] = isEmpty ? `${last}${word}` : `${last} ${word}`;
    isEmpty = false;
  }
  return lines.map((one) => unglue(one).trimEnd());
}

/** The indent, mark or name before the words. Wrapped words do not continue under it. */
function toLabel(line: string, columns: number): string {
  const label = LABEL.exec(line)?.[0] ?? '';
  return label.length <= Math.min(MAX_LABEL, columns / 2) ? label : (/^ */.exec(line)?.[0] ?? '');
}

/** Two columns deeper if the line has no label, because the next line may be another item. */
function toIndent(line: string, label: string): number {
  return label !== '' && label.trim() === '' && line.length > label.length ? label.length + 2 : label.length;
}

function toWords(text: string): readonly string[] {
  return glueCommands(text)
    .replaceAll(/(?<=\d) (?=%)/g, GLUE)
    .split(' ');
}

/** Marks the spaces inside commands, so that whoever wraps the text keeps a command in one line. */
export function glueCommands(text: string): string {
  return text.replaceAll(COMMAND, (command) => command.replaceAll(' ', GLUE));
}

export function unglue(text: string): string {
  return text.replaceAll(GLUE, ' ');
}
