/** Loaded before the files that share a process: properties that name no number of runs are tried as often as `toRuns` says. */
import fc from 'fast-check';
import { toRuns } from './to-runs.ts';

/** What fast-check itself does. */
const DEFAULT_RUNS = 100;

fc.configureGlobal({ numRuns: toRuns(DEFAULT_RUNS) });
