/** A text in parts, one below the other, that never grows over so many bytes. What has no room is left out whole. */
export interface Page {
  /** Bytes that the next part may have. */
  room(): number;
  /** False when it has no room; true also for an empty one, which is none. */
  add(part: string): boolean;
  text(): string;
}

export function makePage(budgetBytes: number): Page {
  const parts: string[] = [];
  let left = budgetBytes;
  const room = (): number => Math.max(0, left - (parts.length === 0 ? 0 : 1));
  return {
    room,
    add: (part) => {
      if (part === '') return true;
      const bytes = Buffer.byteLength(part);
      if (bytes > room()) return false;
      left = room() - bytes;
      parts.push(part);
      return true;
    },
    text: () => parts.join('\n'),
  };
}
