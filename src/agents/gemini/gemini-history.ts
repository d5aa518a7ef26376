/**
 * What Gemini CLI keeps of its sessions, from recordings of 0.61.0: a log each, and one for each sub-agent, beside the
 * folder of the session's project. Builds before the log wrote one document for each.
 */
import type { AgentHistory } from '../../base/agent-history.ts';
import { openChat } from './open-chat.ts';
import { AGENT } from './open-session.ts';
import { readChat } from './read-chat.ts';
import { ROOT_FILE, SUBAGENT_ROOT_FILE } from './to-chat-place.ts';

/** In the first line of a log, and among the first keys of a document. */
const isOurs = (head: string): boolean => /"sessionId":\s*"/.test(head) && /"projectHash":\s*"/.test(head);

export const geminiHistory: AgentHistory = {
  agent: AGENT,
  name: 'Gemini CLI',
  // The variable names what stands for the user's home, not the folder in it: hence two places.
  home: { env: 'GEMINI_CLI_HOME', folder: '.gemini' },
  places: ['tmp', '.gemini/tmp'],
  closed: /\/(?:tool-outputs|plans|logs)$/,
  formats: [
    {
      kind: 'lines',
      file: /\/chats\/(?:[^/]+\/)?[^/]+\.jsonl$|(?:^|\/)session-[^/]+\.jsonl$/,
      isOurs,
      beside: [ROOT_FILE, SUBAGENT_ROOT_FILE],
      open: openChat,
    },
    { kind: 'document', file: /(?:^|\/)session-[^/]+\.json$/, isOurs, beside: [ROOT_FILE], read: readChat },
  ],
  version: 1,
};
