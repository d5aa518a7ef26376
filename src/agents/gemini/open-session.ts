/** What is known of the session of a chat while it is read: from its place, and from the facts it notes. */
import type { EventOrigin } from '../../base/event.ts';
import { findText, isWire, type Wire } from '../wire.ts';
import type { ChatPlace } from './to-chat-place.ts';

export const AGENT = 'gemini';

export interface ChatSession {
  /** Facts of the session, as a line or a document tells them. */
  note(facts: Wire): void;
  /** Whether this summary is a new one. */
  noteSummary(id: string): boolean;
  toOrigin(at: string, line: number | undefined): EventOrigin;
  /** Undefined as long as nothing was noted. */
  readonly memo: string | undefined;
}

/** A resumed session repeats its last summary: older ones are gone from it. */
const MAX_SUMMARIES = 4;

export function openSession(place: ChatPlace, memo?: string): ChatSession {
  const noted = parseMemo(memo);
  let sessionId = findText(noted, 'sessionId');
  let folder = findText(noted, 'folder');
  let summaries = Array.isArray(noted.summaries) ? noted.summaries.filter((id) => typeof id === 'string') : [];

  return {
    note(facts) {
      sessionId = findText(facts, 'sessionId') ?? sessionId;
      folder = findFolder(facts) ?? folder;
    },
    noteSummary(id) {
      if (summaries.includes(id)) return false;
      summaries = [...summaries, id].slice(-MAX_SUMMARIES);
      return true;
    },
    toOrigin(at, line) {
      const isSubagent = place.contextId !== '';
      const cwd = place.cwd ?? folder;
      return {
        agent: AGENT,
        sessionId: isSubagent ? place.sessionId : (sessionId ?? place.sessionId),
        contextId: isSubagent ? (sessionId ?? place.contextId) : '',
        at,
        source: 'transcript',
        ...(cwd === undefined ? {} : { cwd }),
        transcriptPath: place.path,
        ...(line === undefined ? {} : { line }),
      };
    },
    get memo() {
      const isBlank = sessionId === undefined && folder === undefined && summaries.length === 0;
      return isBlank ? undefined : JSON.stringify({ sessionId, folder, summaries });
    },
  };
}

function findFolder(facts: Wire): string | undefined {
  const [folder] = Array.isArray(facts.directories) ? facts.directories : [];
  return typeof folder === 'string' && folder !== '' ? folder : undefined;
}

function parseMemo(memo: string | undefined): Wire {
  try {
    const value: unknown = JSON.parse(memo ?? '{}');
    return isWire(value) ? value : {};
  } catch {
    return {};
  }
}
