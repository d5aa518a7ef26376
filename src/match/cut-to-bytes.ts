/** The beginning of a text in at most so many bytes. Cuts between characters, never inside one. */
export function cutToBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let end = Math.max(0, bytes);
  while (isInsideCharacter(all[end])) end--;
  return all.toString('utf8', 0, end);
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
