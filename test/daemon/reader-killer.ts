/** Loaded into a reader thread before it starts: a session of that name is its death. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (message: { readonly task?: { readonly path: string } }) => {
  if (message.task?.path.includes('deadly')) throw new Error('something that nobody thought of');
});
