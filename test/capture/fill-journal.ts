/**
 * Appends to a journal until its disk is full, makes room, and appends once more. Prints the results of the first
 * appends.
 */
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../src/capture/journal/journal.ts';
import { makeFact } from './make-fact.ts';

const [dir = ''] = process.argv.slice(2);
const journal = openJournal(dir, 'dmn_1');
const append = (id: string): string => {
  try {
    journal.append([makeFact(id)]);
    return 'kept';
  } catch {
    return 'refused';
  }
};
process.stdout.write(`${['a', 'b', 'c', 'd', 'e'].map(append).join(' ')}\n`);
const [name = ''] = readdirSync(dir);
// Room again; what is left ends in the middle of a line, as it did before.
truncateSync(join(dir, name), 500);
process.stdout.write(`${append('last')}\n`);
