/**
 * Passes on the messages that a client writes, one in each line, and refuses one that is too long: the SDK would close the
 * connection, and a client that reported one long output would have no server any more.
 */

import { Transform } from 'node:stream';

export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Enough for the id of a request, which stands at the beginning or at the end of its message. */
const EDGE_BYTES = 1024;
const NEWLINE = 0x0a;

/** `answer` gets a message for the client. */
export function limitLines(answer: (message: object) => void): Transform {
  let line: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): void => {
    const isWithin = size <= MAX_MESSAGE_BYTES;
    size += piece.length;
    line.push(piece);
    if (size <= MAX_MESSAGE_BYTES) return;
    const [first, ...others] = isWithin ? [Buffer.concat(line)] : line;
    const last = others.length === 0 ? first : Buffer.concat(others);
    line = [Buffer.from(first?.subarray(0, EDGE_BYTES) ?? ''), Buffer.from(last?.subarray(-EDGE_BYTES) ?? '')];
  };
  const end = (): Buffer | undefined => {
    const [whole, isLong] = [line, size > MAX_MESSAGE_BYTES];
    [line, size] = [[], 0];
    if (!isLong) return Buffer.concat(whole);
    const id = findId(whole.map((edge) => edge.toString('utf8')));
    if (id !== undefined) answer({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: TOO_LONG } });
    return undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
        take(rest.subarray(0, at + 1));
        rest = rest.subarray(at + 1);
        const message = end();
        if (message !== undefined) this.push(message);
      }
      take(rest);
      done();
    },
    /** The last message may come without its newline. */
    flush(done) {
      const message = end();
      if (message !== undefined && message.length > 0) this.push(Buffer.concat([message, Buffer.from([NEWLINE])]));
      done();
    },
  });
}

const INVALID_REQUEST = -32_600;
const TOO_LONG = `The message is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB, so it was not read. Send it again with less text, such as the end of the output.`;

const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")`;
const AT_BEGINNING = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}`);
const AT_END = new RegExp(String.raw`${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

/** Of the request itself: an id further inside belongs to something else. */
function findId([first = '', last = '']: readonly string[]): unknown {
  const [, id] = AT_BEGINNING.exec(first) ?? AT_END.exec(last) ?? [];
  return id === undefined ? undefined : JSON.parse(id);
}
