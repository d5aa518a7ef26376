/** Takes one lesson out of our block, and the block with the last one. */
import type { ManagedBlock, Section } from './managed-block.ts';

export function dropSection(raw: string, block: ManagedBlock, section: Section): string {
  const isLast = block.sections.length === 1 && block.isHeadOurs;
  if (!isLast) return raw.slice(0, section.start) + raw.slice(section.end);
  const tail = raw.slice(block.end).replace(/^\r?\n/, '');
  // Nothing ends its line: nothing ended the line that the file ended with before.
  const isOpenEnd = raw.length === block.end;
  return raw.slice(0, block.start).replace(isOpenEnd ? /\r?\n\r?\n$/ : /(?<=\n)\r?\n$/, '') + tail;
}
