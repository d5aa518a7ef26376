/** How a session file is to be read, by its path. */
import type { AgentHistory, SessionFormat } from '../base/agent-history.ts';

export function findFormat(history: AgentHistory, path: string): SessionFormat | undefined {
  const plain = path.replaceAll('\\', '/');
  return history.formats.find((format) => format.file.test(plain));
}
