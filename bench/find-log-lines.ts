/** Log lines with their true event, to measure grouping with: where the environment says, else beside the project, else none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseCsv } from './parse-csv.ts';

export interface LabelledLines {
  readonly name: string;
  readonly lines: readonly string[];
  /** Of each line. */
  readonly events: readonly string[];
}

export function findLogLines(): readonly LabelledLines[] | undefined {
  const named = process.env.ONCEBITTEN_LOG_LINES;
  const dir = named || resolve(import.meta.dirname, '../../shared/corpora/log-lines');
  if (!existsSync(dir)) return undefined;
  const files = readdirSync(dir).filter((file) => file.endsWith('.csv'));
  const sets = files.toSorted().map((file) => readLabelled(dir, file));
  return sets.length === 0 ? undefined : sets;
}

function readLabelled(dir: string, file: string): LabelledLines {
  const [head = [], ...rows] = parseCsv(readFileSync(join(dir, file), 'utf8'));
  const [content, event] = [head.indexOf('Content'), head.indexOf('EventId')];
  if (content < 0 || event < 0) throw new Error(`${file} has no columns Content and EventId`);
  return {
    name: file.replace(/(?:_2k)?(?:\.log)?(?:_structured)?\.csv$/, ''),
    lines: rows.map((row) => row[content] ?? ''),
    events: rows.map((row) => row[event] ?? ''),
  };
}
