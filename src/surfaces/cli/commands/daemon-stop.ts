/** `oncebitten daemon stop`. */
import { stopDaemon } from '../../daemon/control-daemon.ts';
import type { Handler } from '../command.ts';

export const run: Handler = async ({ home }) => {
  const stopped = await stopDaemon(home);
  return {
    json: { stopped },
    text: stopped ? 'The daemon has finished its work and ended.' : 'The daemon was not running.',
  };
};
