/** Tries to hold a lock, says whether it does, and then keeps it until it is ended. */
import { holdLock } from '../../src/surfaces/daemon/locks.ts';

const lock = holdLock(process.argv[2] ?? '');
process.stdout.write(lock === undefined ? 'refused\n' : 'held\n');
if (lock !== undefined) setInterval(() => lock, 1000);
