/** Escapes a text as a regular expression that matches only this text, without look-around and backreferences. */
export function toLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
