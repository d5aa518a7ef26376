/**
 * The catalogue of programs: all that is known about a program stands in its one row. The build puts a copy into the
 * hook's bundle that has only the facts and traits the hook asks for (`scripts/shrink-programs.ts`).
 */
import { BUILDS } from './builds.ts';
import { FILES } from './files.ts';
import { SERVICES } from './services.ts';
import { SHELLS } from './shells.ts';
import type { ProgramRow } from './vocabulary.ts';

export const ROWS: readonly ProgramRow[] = [...SHELLS, ...FILES, ...BUILDS, ...SERVICES];
