/** One of several processes that claim the same lessons at the same time: waits for the start and prints its claims. */
import { existsSync } from 'node:fs';
import { claimLesson } from '../../src/match/claims.ts';

const [claimsDir = '', startFile = '', count = '0'] = process.argv.slice(2);
const claimant = { agent: 'claude-code', sessionId: 'one', contextId: '' };

process.stdout.write('ready\n');
while (!existsSync(startFile)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
const got = Array.from({ length: Number(count) }, (_, n) => n).filter((n) =>
  claimLesson(claimsDir, claimant, { id: `les_${n}`, priority: 5 }),
);
process.stdout.write(`${JSON.stringify(got)}\n`);
