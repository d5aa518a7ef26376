/**
 * `daemon.mjs`: one per data directory and host. It ends when asked to, when idle, or if another daemon runs. An agent
 * that we started gets none: its questions are ours.
 */
import { parseArgs } from 'node:util';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import { findDataDir, toDataHome } from '../../loop/home/data-home.ts';
import { runDaemon } from './run-daemon.ts';

const { values } = parseArgs({ options: { home: { type: 'string' }, 'owner-patience-ms': { type: 'string' } } });
const ownerPatienceMs = Number(values['owner-patience-ms']);
if (process.env[CHILD_VARIABLE] !== '1') {
  await runDaemon(toDataHome(findDataDir(values.home, process.env)), ownerPatienceMs > 0 ? { ownerPatienceMs } : {});
}
