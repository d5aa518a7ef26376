/**
 * Renders rows as a table of aligned columns, with numbers aligned to the right. The last column may have any length,
 * except on a terminal, which has limited room: there text columns are cut behind a whole word, or the last one moves
 * below its row.
 */
import { toShortLine } from './text.ts';

export interface TableRoom {
  /** Width of the terminal; absent in a pipe, where every row is one uncut line. */
  readonly columns?: number | undefined;
  /** Columns of text that may be cut (default: the last). Other columns are short, or meant to be copied. */
  readonly texts?: readonly number[];
}

export type Cells = readonly string[];

const GAP = '  ';
/** Less of a text says nothing: then the last column goes below. */
const MIN_TEXT = 24;
const INDENT = '    ';

export function renderTable(head: Cells, rows: readonly Cells[], room: TableRoom = {}): string {
  const { columns = Number.POSITIVE_INFINITY, texts = [head.length - 1] } = room;
  const all = [head, ...rows];
  const widths = shrink(toWidths(head, all), columns, texts);
  const canGoBelow = head.length > 1 && texts.includes(head.length - 1);
  if (sum(widths) > columns && canGoBelow) return renderBelow(head, rows, { columns, texts });
  return all.map((row) => renderRow(row, widths, texts)).join('\n');
}

function toWidths(head: Cells, all: readonly Cells[]): readonly number[] {
  return head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
}

/** The widest text loses first. */
function shrink(widths: readonly number[], columns: number, texts: readonly number[]): readonly number[] {
  const left = [...widths];
  const toWidth = (column: number): number => left[column] ?? 0;
  while (sum(left) > columns) {
    const widest = [...texts].sort((a, b) => toWidth(b) - toWidth(a))[0];
    if (widest === undefined || toWidth(widest) <= MIN_TEXT) return left;
    left[widest] = toWidth(widest) - 1;
  }
  return left;
}

function renderRow(row: Cells, widths: readonly number[], texts: readonly number[]): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    const shown = texts.includes(column) ? cut(cell, width) : cell;
    return column === row.length - 1 ? shown : shown.padEnd(width);
  });
  return cells.join(GAP).trimEnd();
}

/** Two lines for each row: so that its last text has room. */
function renderBelow(head: Cells, rows: readonly Cells[], room: Required<TableRoom>): string {
  const { columns = 0, texts } = room;
  const last = head.length - 1;
  const above = renderTable(
    head.slice(0, last),
    rows.map((row) => row.slice(0, last)),
    { columns, texts: texts.filter((column) => column !== last) },
  ).split('\n');
  return [head, ...rows]
    .flatMap((row, n) => {
      const text = row[last] ?? '';
      return [above[n] ?? '', ...(text === '' ? [] : [`${INDENT}${cut(text, columns - INDENT.length)}`])];
    })
    .join('\n');
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : toShortLine(cell, width);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, (widths.length - 1) * GAP.length);
}

/** Cells of these columns as wide as the widest of each, for numbers under numbers. */
export function alignRight(
  head: Cells,
  rows: readonly Cells[],
  columns: readonly number[],
): [head: Cells, rows: readonly Cells[]] {
  const widths = toWidths(head, [head, ...rows]);
  const align = (row: Cells): Cells =>
    row.map((cell, column) => (columns.includes(column) ? cell.padStart(widths[column] ?? 0) : cell));
  return [align(head), rows.map(align)];
}
