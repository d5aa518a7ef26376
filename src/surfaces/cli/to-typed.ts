/**
 * What we tell people to type as they can type it: with the data directory that they gave, and in a clone, where the
 * command is not on the PATH, through npm.
 */
export interface Typing {
  /** Names of all commands. */
  readonly commands: readonly string[];
  /** As it was given with `--home`. */
  readonly home?: string | undefined;
  readonly isClone: boolean;
}

/** Behind these stands a command; in the middle of a sentence it is only its name. */
const BEFORE = '(?<=: |; |, |`|or |^ {2,}|^)';
const PLAIN = /^[\w@%+=:,./~-]+$/;

export function toTyped(told: string, { commands, home, isClone }: Typing): string {
  const names = [...commands].sort((a, b) => b.length - a.length).join('|');
  const hints = new RegExp(`${BEFORE}oncebitten (?=[a-z])(${names})?(?![\\w-])( --home | --help)?`, 'gm');
  return told.replaceAll(hints, (_hint, name: string | undefined, placed: string | undefined) => {
    const place = home === undefined || placed !== undefined || name === undefined ? '' : ` --home ${quote(home)}`;
    return `${isClone ? 'npm run -s oncebitten -- ' : 'oncebitten '}${name ?? ''}${place}${placed ?? ''}`;
  });
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
