/**
 * Stored calls as triggers see them, with what their sessions had done before. Of a command the store has the beginning, and
 * of a new text nothing; of a call whose text is no longer kept nobody can tell what it did.
 */
import { INPUT_SUMMARY_CHARS, type StoredCall } from '../../base/call.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { type AskPast, type Done, isMet, toAbsolute } from '../../match/session-past.ts';
import { type AuditCall, toAuditKey } from './audit-lessons.ts';

/** Sessions hardly last longer. */
const DAY_MS = 24 * 60 * 60_000;

/** Oldest first. `isWhole`: these are all calls that there are. Else the first of a session near the edge may not be its first. */
export function toAuditCalls(stored: readonly StoredCall[], isWhole: boolean): readonly AuditCall[] {
  const sessions = new Map<string, Session>();
  const edgeMs = isWhole ? Number.NEGATIVE_INFINITY : Date.parse(stored[0]?.occurredAt ?? '') + DAY_MS;
  return stored.map((one) => {
    const key = `${one.agent}\n${one.sessionId}`;
    const session = sessions.get(key) ?? {
      done: [],
      untoldFrom: Date.parse(one.occurredAt) < edgeMs ? 0 : Number.POSITIVE_INFINITY,
    };
    sessions.set(key, session);
    const call = toAuditCall(one, openPast(session));
    addDone(session, one, call);
    return call;
  });
}

interface Session {
  /** What its calls did that succeeded. */
  readonly done: Done[];
  /** From so many of them on something may have been done that is not told. */
  untoldFrom: number;
}

/** As far as the session had come when the call was made. */
function openPast({ done, untoldFrom }: Session): AskPast {
  const count = done.length;
  return ({ meant }) => {
    for (let n = 0; n < count; n++) if (isMet(meant, done[n] ?? { commands: [] })) return true;
    return count >= untoldFrom ? undefined : false;
  };
}

function addDone(session: Session, { outcome, inputSummary, tool, targetPath }: StoredCall, { call }: AuditCall): void {
  if (outcome !== 'success') return;
  if (tool === 'shell' && inputSummary === undefined)
    session.untoldFrom = Math.min(session.untoldFrom, session.done.length);
  const path = FILE_TOOLS.has(tool) && targetPath !== undefined ? toAbsolute(targetPath) : undefined;
  session.done.push({ commands: call.commands, path });
}

const FILE_TOOLS = new Set(['read', 'edit', 'write']);

function toAuditCall(stored: StoredCall, past: AskPast): AuditCall {
  const { tool, inputSummary = '', targetPath, projectId, sessionId, outcome, signature } = stored;
  const call = {
    tool,
    commands: tool === 'shell' ? parseCommand(inputSummary, stored) : [],
    ...(tool === 'shell' ? { line: inputSummary } : { json: inputSummary }),
    ...(targetPath === undefined ? {} : { path: targetPath }),
    ...{ projectId, sessionId, past },
  };
  const isBlank = stored.inputSummary === undefined && (tool === 'shell' || targetPath === undefined);
  const isCut = tool === 'shell' && inputSummary.length >= INPUT_SUMMARY_CHARS - 1;
  return { key: toAuditKey(stored), call, outcome, signatureId: signature?.id, isBlank, isCut };
}
