/** `oncebitten daemon start`. */
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import type { Handler } from '../command.ts';

export const run: Handler = async ({ home }) => {
  const { daemon, started } = await ensureDaemon(home);
  return {
    json: { started, ...daemon },
    text: `The daemon ${started ? 'started' : 'was already running'}: process ${daemon.pid}, version ${daemon.version}.`,
  };
};
