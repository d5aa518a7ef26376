/** A process of its own that opens a store and saves two calls: `node open-and-save.ts <place as JSON> <call id>`. */
import { openStore } from '../../../src/keep/store/open-store.ts';
import { makeFailure, makeSignature } from './make-samples.ts';

const [place = '', callId = ''] = process.argv.slice(2);
const store = await openStore(JSON.parse(place));
await store.saveCalls([makeFailure(makeSignature('gh'), { callId })], 'observed');
await store.saveCalls([makeFailure(makeSignature('gh'), { callId: 'shared' })], 'observed');
await store.close();
