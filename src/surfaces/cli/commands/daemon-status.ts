/** `oncebitten daemon status`. */
import { findDaemon } from '../../daemon/control-daemon.ts';
import type { Handler } from '../command.ts';

export const run: Handler = async ({ home }) => {
  const daemon = await findDaemon(home);
  if (daemon === undefined) {
    const text =
      'The daemon is not running. Hooks work without it, more slowly, and start it. Start it now: oncebitten daemon start';
    return { json: { running: false }, text };
  }
  const { pid, port, version, startedAt } = daemon;
  return {
    json: { running: true, ...daemon },
    text: `The daemon is running: process ${pid}, port ${port}, version ${version}, since ${startedAt}.`,
  };
};
