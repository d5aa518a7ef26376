/** Loaded into a reader thread before it starts: to open a session of that name is its death. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = promises;

promises.open = (path, ...rest) => {
  if (!String(path).includes('deadly')) return open(path, ...rest);
  process.nextTick(() => {
    throw new Error('something that nobody thought of');
  });
  return new Promise(() => {});
};
syncBuiltinESMExports();
