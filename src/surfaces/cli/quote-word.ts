/** A word as a person can paste it into a shell. */
const PLAIN = /^[\w@%+=:,./~-]+$/;

export function quoteWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
