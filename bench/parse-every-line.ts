/** The rival of `scan`: `JSON.parse` on every line of every session, in one process. Run: with the folders to read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

let lines = 0;
for (const root of process.argv.slice(2)) {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    const bytes = readFileSync(join(root, name));
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(10, start);
      const end = newline < 0 ? bytes.length : newline;
      parse(bytes.toString('utf8', start, end));
      start = end + 1;
    }
  }
}
console.log(lines);

function parse(line: string): void {
  try {
    JSON.parse(line);
    lines++;
  } catch {
    // Some sessions end in the middle of a line.
  }
}
