/** Loaded into a reader thread before it starts: to open a session of that name is its death. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { openSync } = fs;

fs.openSync = (path, ...rest) => {
  // An error would be caught. Nothing catches the end of its memory.
  if (String(path).includes('deadly')) for (const all: number[][] = []; ; ) all.push(new Array(1_000_000).fill(0.5));
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
