/** The bytes of a line as text, without the values that nobody reads. */
import type { UnreadValue } from '../base/agent-history.ts';

export type DecodeLine = (bytes: Buffer) => string;

/** Shorter lines are decoded faster than searched. */
const LONG_BYTES = 8 * 1024;

export function makeLineDecoder(unread: readonly UnreadValue[] = []): DecodeLine {
  const marks = unread.map(({ after, until }) => ({ after: Buffer.from(after), until: Buffer.from(until) }));
  return (bytes) => {
    if (bytes.length < LONG_BYTES) return bytes.toString('utf8');
    for (const { after, until } of marks) {
      const from = bytes.indexOf(after);
      const to = from < 0 ? -1 : bytes.indexOf(until, from + after.length);
      if (to >= 0) return bytes.toString('utf8', 0, from + after.length) + bytes.toString('utf8', to);
    }
    return bytes.toString('utf8');
  };
}
