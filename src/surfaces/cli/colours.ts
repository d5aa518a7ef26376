/**
 * Colours for a terminal, a few: headings, commands to type, and words that say how something went. They are added to the
 * finished text, so handlers and tests see none.
 */

/** https://no-color.org: any value but the empty one switches colours off. */
export function mayColour(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR = '', TERM }: NodeJS.ProcessEnv,
): boolean {
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}

const BOLD = 1;
const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const CYAN = 36;

/** A line that is no sentence and no row of a table, above an indented one. */
const HEADING = /^(?!\s|ok |error |advice |[^\n]* {2})[^\n]{1,60}(?<![.:,;])(?=\n {2})/gm;
/** The columns of a table. */
const COLUMNS = /^[A-Z][A-Z ()/]*(?: {2,}[A-Z][A-Z ()/]*)+$/gm;
/** The numbered failures of a list. */
const NUMBERED = /^( {1,3}\d+\. )([^\n]+)$/gm;
/** A command that ends its line or a sentence, or is all of its line. */
const COMMAND =
  /(?<=^ {4,}|: )((?:\S+\/|npm (?:--prefix \S+ )?run -s |npx )?oncebitten(?: --)? (?:'[^'\n]*'|[^'\n])+?)(?=\. [A-Z]|$)/gm;
const MARKS: readonly (readonly [pattern: RegExp, colour: number])[] = [
  [/^error\b(?=[: ])/gm, RED],
  [/^Fault\b/gm, RED],
  [/^advice(?= {2})/gm, YELLOW],
  [/^ok(?= {2})/gm, GREEN],
];

export function colourText(text: string): string {
  const plain = text
    .replaceAll(HEADING, (heading) => paint(heading, BOLD))
    .replaceAll(COLUMNS, (columns) => paint(columns, BOLD))
    .replaceAll(NUMBERED, (_, number: string, title: string) => number + paint(title, YELLOW))
    .replaceAll(COMMAND, (command) => paint(command, CYAN));
  return MARKS.reduce(
    (painted, [pattern, colour]) => painted.replaceAll(pattern, (mark) => paint(mark, colour)),
    plain,
  );
}

function paint(text: string, colour: number): string {
  return `\x1b[${colour}m${text}\x1b[0m`;
}
