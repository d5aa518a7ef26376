/** A stored call as triggers see it. Of a command the store has the beginning, and of a new text nothing. */
import type { StoredCall } from '../../base/call.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { type AuditCall, toAuditKey } from './audit-lessons.ts';

export function toAuditCall(stored: StoredCall): AuditCall {
  const { tool, inputSummary = '', targetPath, projectId, sessionId, outcome, signature } = stored;
  const call = {
    tool,
    commands: tool === 'shell' ? parseCommand(inputSummary, stored) : [],
    ...(tool === 'shell' ? { line: inputSummary } : { json: inputSummary }),
    ...(targetPath === undefined ? {} : { path: targetPath }),
    ...{ projectId, sessionId },
  };
  return { key: toAuditKey(stored), call, outcome, signatureId: signature?.id };
}
