/** What a call printed, from the shapes Claude Code has for it, cut to a window. */
import { cutText } from '../cut-text.ts';
import { findText, findWire, isWire, toWires, type Wire } from '../wire.ts';

/** Text, a list of content blocks, or a tool's own output object. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return cutText(toBlocksText(value));
  return isWire(value) ? cutText(toOutputText(value)) : '';
}

function toBlocksText(blocks: readonly unknown[]): string {
  return toWires(blocks)
    .map((block) => findText(block, 'text') ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** A search of the web: what was found, and what was said about it. */
function toFoundText(results: readonly unknown[]): string {
  const texts = results.flatMap((one) => {
    if (typeof one === 'string') return [one];
    return isWire(one)
      ? toWires(one.content).flatMap((found) => [findText(found, 'title'), findText(found, 'url')])
      : [];
  });
  return texts.filter((text) => text).join('\n');
}

/** Edit and Write answer with the file's contents, which they did not print: `filePath` tells them. */
function toOutputText(output: Wire): string {
  if (typeof output.stdout === 'string') {
    return [output.stdout, findText(output, 'stderr')].filter((text) => text).join('\n');
  }
  if (typeof output.filePath === 'string') return '';
  const file = findWire(output, 'file');
  if (file !== undefined) return findText(file, 'content') ?? '';
  if (Array.isArray(output.content)) return toBlocksText(output.content);
  const text = findText(output, 'content') ?? findText(output, 'result');
  if (text !== undefined) return text;
  if (Array.isArray(output.results)) return toFoundText(output.results);
  return Array.isArray(output.filenames) ? output.filenames.filter((name) => typeof name === 'string').join('\n') : '';
}
