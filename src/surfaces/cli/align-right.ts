/** Cells of these columns as wide as the widest of each, for numbers under numbers. */
export function alignRight(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: readonly number[],
): [head: readonly string[], rows: readonly (readonly string[])[]] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const align = (row: readonly string[]): readonly string[] =>
    row.map((cell, column) => (columns.includes(column) ? cell.padStart(widths[column] ?? 0) : cell));
  return [align(head), rows.map(align)];
}
