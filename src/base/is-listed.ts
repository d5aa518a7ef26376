/** Is it one of the names in a list with blanks between? Such a list is the shortest that a table can have. */
export function isListed(name: string, list: string | undefined): boolean {
  return list !== undefined && name !== '' && ` ${list} `.includes(` ${name} `);
}
