/** A regular expression in the pieces that stand side by side in it: enough to take look-arounds out of it. */

export interface Piece {
  readonly kind: 'text' | 'not-ahead' | 'look';
  /** Of a look-ahead what it looks for, else the source itself. */
  readonly source: string;
}

/** The alternatives of a pattern, each as its pieces. */
export function splitPattern(source: string): readonly (readonly Piece[])[] {
  const branches: Piece[][] = [[]];
  let text = '';
  const add = (piece?: Piece): void => {
    const branch = branches.at(-1);
    if (text !== '') branch?.push({ kind: 'text', source: text });
    if (piece !== undefined) branch?.push(piece);
    text = '';
  };
  for (let at = 0; at < source.length; ) {
    const end = findEnd(source, at);
    const token = source.slice(at, end);
    at = end;
    if (token === '|') {
      add();
      branches.push([]);
    } else if (token.startsWith('(?!')) add({ kind: 'not-ahead', source: token.slice(3, -1) });
    else if (/^\(\?(?:=|<[=!])/.test(token)) add({ kind: 'look', source: token });
    else text += token;
  }
  add();
  return branches;
}

/** Behind the group, the class, the escape or the one character that begins here. */
function findEnd(source: string, at: number): number {
  if (source[at] === '\\') return at + 2;
  if (source[at] === '[') return findClassEnd(source, at);
  if (source[at] !== '(') return at + 1;
  let end = at + 1;
  while (end < source.length && source[end] !== ')') end = findEnd(source, end);
  return end + 1;
}

function findClassEnd(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}
