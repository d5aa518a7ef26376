/** One of several processes that spool at the same time, as hooks without a daemon do. */
import { makeId } from '../../src/base/ids.ts';
import { writeSpool } from '../../src/capture/journal/journal.ts';
import { makeFact } from './make-fact.ts';

const [dir = '', writer = '', count = '0'] = process.argv.slice(2);
for (let n = 0; n < Number(count); n++) {
  writeSpool(dir, makeId('out', Date.now()), [makeFact(`${writer}-${n}-a`), makeFact(`${writer}-${n}-b`)]);
}
