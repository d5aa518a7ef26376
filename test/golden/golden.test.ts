/** The exact words of every command. After a change of words on purpose, `npm run golden` writes the files anew: read their diff. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { diff } from 'node:util';
import { COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { type GoldenHome, openGoldenHome } from './replay.ts';

const FILES = globSync('**/*.txt', { cwd: import.meta.dirname }).sort();
const isWriting = process.argv.includes('--write');

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

describe('the words of a command are those of its golden file', { timeout: 900_000 }, () => {
  let home: GoldenHome;
  before(async () => {
    home = await openGoldenHome();
  });
  after(() => home.close());

  for (const file of FILES) {
    it(file, async () => {
      const golden = read(file);
      const today = await home.replay(golden);
      if (isWriting) writeFileSync(join(import.meta.dirname, file), today);
      else if (today !== golden) assert.fail(`${renderDiff(golden, today)}\n\nChanged on purpose? npm run golden`);
    });
  }

  it('for every command', () => {
    const tried = FILES.flatMap((file) => read(file).split('\n'));
    const isTried = (name: string): boolean => tried.some((line) => `${line} `.startsWith(`$ oncebitten ${name} `));
    const untried = COMMANDS.map(({ name }) => name).filter((name) => !isTried(name));
    assert.deepEqual(untried, [], 'write a file with their `$` lines, then: npm run golden');
  });
});

/** The lines that differ, each below its command. */
function renderDiff(golden: string, today: string): string {
  const lines: string[] = [];
  let command = '';
  for (const [sign, line] of diff(today.split('\n'), golden.split('\n'))) {
    if (sign === 0 && line.startsWith('$ ')) command = line;
    if (sign === 0) continue;
    if (command !== '') lines.push(command);
    command = '';
    lines.push(`${sign > 0 ? '+' : '-'} ${line}`);
  }
  return lines.join('\n');
}
