/**
 * The catalogue of programs: one row contains every fact about a program. The build puts a copy into the hook's bundle
 * with only the facts and traits that the hook uses (`scripts/shrink-programs.ts`).
 */
import { BUILDS } from './builds.ts';
import { FILES } from './files.ts';
import { SERVICES } from './services.ts';
import { SHELLS } from './shells.ts';
import type { ProgramRow } from './vocabulary.ts';

export const ROWS: readonly ProgramRow[] = [...SHELLS, ...FILES, ...BUILDS, ...SERVICES];
