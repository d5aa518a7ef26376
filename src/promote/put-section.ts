/** Writes one lesson into our block: in its place, at the end, or with a block at the end of the file. */
import { BEGIN, END, encode, type ManagedBlock, renderSection, TITLE } from './managed-block.ts';

export function putSection(
  raw: string,
  block: ManagedBlock | undefined,
  { slug, text }: { readonly slug: string; readonly text: string },
): string {
  if (block === undefined) return addBlock(raw, (eol) => renderSection(slug, text, eol));
  const known = block.sections.find((section) => section.slug === slug);
  const [start, end] = known === undefined ? [block.close, block.close] : [known.start, known.end];
  return raw.slice(0, start) + renderSection(slug, text, block.eol) + raw.slice(end);
}

/** A file without a newline at its end still has none: so `dropSection` knows what was there. */
function addBlock(raw: string, render: (eol: string) => string): string {
  const eol = findEol(raw);
  const block = encode(`${BEGIN}\n${TITLE}\n`, eol) + render(eol) + END;
  if (raw === '') return block + eol;
  return raw.endsWith('\n') ? raw + eol + block + eol : raw + eol + eol + block;
}

/** What most of its lines end with. */
function findEol(raw: string): string {
  // Else it would become part of our newline.
  if (raw.endsWith('\r')) return '\r\n';
  const all = raw.split('\n').length - 1;
  const windows = raw.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
