/** What the place of a chat's file tells: `…/<project>/chats/session-….jsonl`, a sub-agent's one folder deeper. */
import type { SessionFile } from '../../base/agent-history.ts';

export interface ChatPlace {
  readonly path: string;
  /** The session, where a sub-agent's folder names it; else only a stand-in until the file names it. */
  readonly sessionId: string;
  /** Empty for the main conversation. */
  readonly contextId: string;
  /** The project's folder. */
  readonly cwd?: string;
}

export const ROOT_FILE = '../.project_root';
export const SUBAGENT_ROOT_FILE = '../../.project_root';

export function toChatPlace({ path, beside }: SessionFile): ChatPlace {
  const [folder, parent, name = ''] = `///${path.replaceAll('\\', '/')}`.split('/').slice(-3);
  const id = name.replace(/\.jsonl?$/, '');
  // A project may be called `chats` too.
  const isSubagent = folder === 'chats' && parent !== undefined && parent !== 'chats';
  const cwd = (beside[isSubagent ? SUBAGENT_ROOT_FILE : ROOT_FILE] ?? '').trim();
  return {
    path,
    ...(isSubagent ? { sessionId: parent, contextId: id } : { sessionId: id, contextId: '' }),
    ...(cwd === '' ? {} : { cwd }),
  };
}
