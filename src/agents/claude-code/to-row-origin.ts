/** Where and when a transcript row happened: from the row itself, else from where Claude Code keeps the file. */
import type { SessionFile } from '../../base/agent-history.ts';
import type { EventOrigin } from '../../base/event.ts';
import { makeOrigin } from '../make-origin.ts';
import { findText, findWire } from '../wire.ts';
import type { RowWire } from './claude-wire.ts';
import { facts } from './facts.ts';

export interface FileOrigin {
  readonly path: string;
  readonly sessionId: string;
  readonly contextId: string;
}

/** `<session>.jsonl`, or `<session>/subagents/…/agent-<id>.jsonl`. */
export function toFileOrigin(file: SessionFile): FileOrigin {
  const parts = file.path.split(/[/\\]/);
  const name = (parts.pop() ?? '').replace(/\.jsonl$/, '');
  const folder = parts.lastIndexOf('subagents');
  const contextId = name.startsWith('agent-') ? name.slice('agent-'.length) : '';
  const sessionId = contextId === '' ? name : folder > 0 ? (parts[folder - 1] ?? '') : '';
  return { path: file.path, sessionId, contextId };
}

/** Undefined for a row without a time or a session. */
export function findRowOrigin(row: RowWire, file: FileOrigin, line: number): EventOrigin | undefined {
  const at = findText(row, 'timestamp');
  // `/branch` copies the rows before it and says whose they were.
  const forkedFrom = findText(findWire(row, 'forkedFrom') ?? {}, 'sessionId');
  const sessionId = forkedFrom ?? findText(row, 'sessionId') ?? file.sessionId;
  if (at === undefined || sessionId === '') return undefined;
  return makeOrigin({
    agent: facts.id,
    sessionId,
    contextId: toContextId(row, file),
    at,
    cwd: findText(row, 'cwd'),
    branch: findText(row, 'gitBranch'),
    model: findText(findWire(row, 'message') ?? {}, 'model'),
    agentVersion: findText(row, 'version'),
    transcriptPath: file.path,
    line,
  });
}

/** Old builds wrote sub-agents into the main file, marked but not named. */
function toContextId(row: RowWire, file: FileOrigin): string {
  if (row.isSidechain !== true) return file.contextId;
  return findText(row, 'agentId') ?? (file.contextId || 'sidechain');
}
