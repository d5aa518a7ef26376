/**
 * Appends an item to an array or object inside a JSON text, in the layout around it, without touching any other byte.
 * `removeItem` is its exact inverse. (jsonc-parser's own `modify` reformats the lines it touches, so it is not used.)
 */
import { applyEdits, type Node } from 'jsonc-parser';
import { findCommaAfter, toEnd } from './remove-item.ts';

export interface Item {
  /** For an object. */
  readonly key?: string;
  readonly value: unknown;
}

interface Layout {
  readonly isInline: boolean;
  readonly eol: string;
  readonly unit: string;
  readonly itemIndent: string;
  readonly closeIndent: string;
}

export function appendItem(text: string, container: Node, item: Item): string {
  const layout = toLayout(text, container);
  const content = renderItem(item, layout);
  const close = toEnd(container) - 1;
  const last = container.children?.at(-1);
  const lead = layout.isInline ? ' ' : layout.eol + layout.itemIndent;
  if (last === undefined) {
    // What stands between the brackets stays before the item, so that taking the item out leaves it as it was.
    const whole = layout.isInline ? content : lead + content + layout.eol + layout.closeIndent;
    return applyEdits(text, [{ offset: close, length: 0, content: whole }]);
  }
  // After the comments that follow the last item: they belong to it.
  const end = close - (/[ \t\r\n]*$/.exec(text.slice(toEnd(last), close))?.[0].length ?? 0);
  if (findCommaAfter(text, toEnd(last)) !== undefined) {
    return applyEdits(text, [{ offset: end, length: 0, content: `${lead}${content},` }]);
  }
  return applyEdits(text, [
    { offset: toEnd(last), length: 0, content: ',' },
    { offset: end, length: 0, content: lead + content },
  ]);
}

function renderItem({ key, value }: Item, layout: Layout): string {
  if (layout.isInline) return (key === undefined ? '' : `${JSON.stringify(key)}:`) + JSON.stringify(value);
  const lines = JSON.stringify(value, null, layout.unit).split('\n');
  return (key === undefined ? '' : `${JSON.stringify(key)}: `) + lines.join(layout.eol + layout.itemIndent);
}

function toLayout(text: string, container: Node): Layout {
  const root = toRoot(container);
  const unit = toIndentUnit(text, root);
  const closeIndent = toLineIndent(text, container.offset);
  const last = container.children?.at(-1);
  const isOnOwnLine = last !== undefined && hasLineBreak(text, container.offset, last.offset);
  return {
    isInline: isOneLine(text, container) || isOneLine(text, root),
    eol: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
    unit,
    closeIndent,
    itemIndent: isOnOwnLine ? toLineIndent(text, last.offset) : closeIndent + unit,
  };
}

/** Written on one line by choice: an empty container shows no choice. */
function isOneLine(text: string, node: Node): boolean {
  return (node.children ?? []).length > 0 && !hasLineBreak(text, node.offset, toEnd(node));
}

function toIndentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  return first !== undefined && hasLineBreak(text, root.offset, first.offset) ? toLineIndent(text, first.offset) : '  ';
}

function toLineIndent(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function hasLineBreak(text: string, from: number, to: number): boolean {
  return /[\r\n]/.test(text.slice(from, to));
}

function toRoot(node: Node): Node {
  return node.parent === undefined ? node : toRoot(node.parent);
}
