/** All of standard input, for one lesson: nobody writes a lesson of a megabyte, and `yes` never ends. */
import { UserError } from '../../base/errors.ts';

export const MAX_LESSON_BYTES = 1024 * 1024;

export async function readBounded(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_LESSON_BYTES)
      throw new UserError({
        subject: 'standard input',
        reason: 'is larger than 1 MB, too large for one lesson',
        next: 'give one lesson; many at once: oncebitten lessons import -',
      });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
