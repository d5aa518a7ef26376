/** What we tell people to type as they can type it: called as they call us, with the data directory that they gave. */
import { quoteWord } from './quote-word.ts';

export interface Typing {
  /** Names of all commands. */
  readonly commands: readonly string[];
  /** As it was given with `--home`. */
  readonly home?: string | undefined;
  /** What they type before the command: `oncebitten`, or what npm needs. */
  readonly caller: string;
}

/** Behind these stands a command; in the middle of a sentence it is only its name. */
export const BEFORE_COMMAND = '(?<=[:;,?] |[`(]|\\b(?:or|see|with|then) |^ {2,}|^)';

export function toTyped(told: string, { commands, home, caller }: Typing): string {
  const groups = commands.map((name) => name.split(' ')[0]);
  // The longest first: `lessons list` is not `lessons`.
  const names = [...new Set([...commands, ...groups])].sort().reverse().join('|');
  const hints = new RegExp(
    `${BEFORE_COMMAND}oncebitten (?:(${names})(?![\\w-])|(?=--[a-z]|[[<]))( --home | --help)?`,
    'gm',
  );
  return told.replaceAll(hints, (_hint, name: string | undefined, placed: string | undefined) => {
    const isPlaced = placed !== undefined || name === undefined || !commands.includes(name);
    const place = home === undefined || isPlaced ? '' : ` --home ${quoteWord(home)}`;
    return `${caller} ${name ?? ''}${place}${placed ?? ''}`;
  });
}
