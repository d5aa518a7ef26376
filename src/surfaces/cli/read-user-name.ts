/** Who gives the command, as it stands in the history of lessons. */
import { userInfo } from 'node:os';

export function readUserName(env: NodeJS.ProcessEnv): string {
  return `user:${findName(env)}`;
}

/** In a container the user may have a number only. */
function findName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || env.LOGNAME || String(process.getuid?.() ?? 'unknown');
  }
}
