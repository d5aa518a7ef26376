/** Writes one line for every look at the totals of `check`, so that anyone can count how often they were looked at. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roundFigure } from '../bench-report.ts';

const FILE = join(import.meta.dirname, '../check-log.md');
const HEAD = `# Every look at the totals of \`check\`

The benches \`distill\` and \`group\` add a line when they measure \`check\`. Nobody who builds looks at more than these
totals. A commit with a \`+\` had changes in \`src\` that were not committed.

| date | commit | bench | totals |
|---|---|---|---|
`;

/** `totals`: each a share as a fraction, or a number. */
export function noteLook(bench: string, totals: Readonly<Record<string, string | number>>): void {
  if (!existsSync(FILE)) writeFileSync(FILE, HEAD);
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const text = Object.entries(totals).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? roundFigure(value) : value}`,
  );
  appendFileSync(FILE, `| ${date} | ${findCommit()} | ${bench} | ${text.join(', ')} |\n`);
}

function findCommit(): string {
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', import.meta.dirname, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const isChanged = git('status', '--porcelain', '--', '../../src').trim() !== '';
    return `${git('rev-parse', '--short', 'HEAD').trim()}${isChanged ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}
