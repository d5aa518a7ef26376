import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderTable } from '../../src/surfaces/cli/table.ts';

const HEAD = ['N', 'ID', 'WHAT', 'WHY'];
const ROW = ['1', 'id-of-twenty-letters', 'w'.repeat(40), 'y'.repeat(90)];

describe('a table', () => {
  it('is whole, a line for each row, where no terminal shows it', () => {
    const [head, row] = renderTable(HEAD, [ROW]).split('\n');
    assert.equal(row, ROW.join('  '));
    assert.match(head ?? '', /^N {2}ID {20}WHAT {38}WHY$/);
  });

  it('cuts its widest text to what the terminal has room for, and no other column', () => {
    const lines = renderTable(HEAD, [ROW, ['2', 'short', 'w', 'y']], { columns: 110 }).split('\n');
    assert.equal(lines[1]?.length, 110);
    assert.ok(lines[1]?.startsWith(`1  id-of-twenty-letters  ${'w'.repeat(40)}  yyy`));
    assert.ok(lines[1]?.endsWith('y…'));
    assert.equal(lines.length, 3);
  });

  it('takes from the wider of two texts first', () => {
    const [, row = ''] = renderTable(HEAD, [ROW], { columns: 110, texts: [2, 3] }).split('\n');
    assert.deepEqual(
      row.split(/ {2}/).map((cell) => cell.length),
      [1, 20, 40, 43],
    );
    const [, narrower = ''] = renderTable(HEAD, [ROW], { columns: 90, texts: [2, 3] }).split('\n');
    assert.deepEqual(
      narrower.split(/ {2}/).map((cell) => cell.length),
      [1, 20, 31, 32],
    );
  });

  it('puts its last text below where too little of it would be left', () => {
    const rows = [ROW, ['2', 'short', 'w', '']];
    const lines = renderTable(HEAD, rows, { columns: 70, texts: [2, 3] }).split('\n');
    assert.deepEqual(lines, [
      `N  ID                    WHAT`,
      '    WHY',
      `1  id-of-twenty-letters  ${'w'.repeat(40)}`,
      `    ${'y'.repeat(65)}…`,
      '2  short                 w',
    ]);
  });

  it('is never wider than the terminal when a text may go below', () => {
    const cell = fc.stringMatching(/^[a-z]{0,200}$/);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { maxLength: 6 }),
        fc.integer({ min: 40, max: 200 }),
        (rows, columns) => {
          const text = renderTable(
            ['A', 'FIRST', 'LAST'],
            rows.map((row) => ['x', ...row]),
            { columns, texts: [1, 2] },
          );
          for (const line of text.split('\n')) assert.ok(line.length <= columns, line);
        },
      ),
    );
  });
});
