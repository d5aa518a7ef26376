/** Where an event comes from: the session says the folder and the version, the message the model. */
import type { SessionFile } from '../../base/agent-history.ts';
import type { EventOrigin } from '../../base/event.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts as agent } from './facts.ts';

export interface SessionFacts {
  readonly id: string;
  /** Started by another session: a sub-agent. */
  readonly isChild: boolean;
  readonly directory?: string;
  readonly version?: string;
  readonly createdMs?: number;
}

export function toSessionFacts(wire: Wire): SessionFacts | undefined {
  const id = findText(wire, 'id');
  if (id === undefined) return undefined;
  const [directory, version] = [findText(wire, 'directory'), findText(wire, 'version')];
  const createdMs = findNumber(findWire(wire, 'time') ?? {}, 'created');
  return {
    id,
    isChild: findText(wire, 'parentID') !== undefined,
    ...(directory === undefined ? {} : { directory }),
    ...(version === undefined ? {} : { version }),
    ...(createdMs === undefined ? {} : { createdMs }),
  };
}

/** Undefined when nothing tells the time. */
export function findOrigin(parts: {
  readonly file: SessionFile;
  readonly facts: SessionFacts;
  readonly message: Wire | undefined;
  readonly line: number;
  readonly atMs: number | undefined;
}): EventOrigin | undefined {
  const { file, facts, message = {}, line } = parts;
  const at = findTime(parts.atMs);
  if (at === undefined) return undefined;
  const cwd = findText(findWire(message, 'path') ?? {}, 'cwd') ?? facts.directory;
  const model = findText(message, 'modelID') ?? findText(findWire(message, 'model') ?? {}, 'modelID');
  return {
    agent: agent.id,
    sessionId: facts.id,
    contextId: '',
    at,
    source: 'transcript',
    ...(cwd === undefined ? {} : { cwd }),
    ...(model === undefined ? {} : { model }),
    ...(facts.version === undefined ? {} : { agentVersion: facts.version }),
    transcriptPath: file.path,
    line,
  };
}

/** The last moment that a Date can hold. */
const MAX_MS = 8_640_000_000_000_000;

function findTime(ms: number | undefined): string | undefined {
  return ms === undefined || ms <= 0 || ms > MAX_MS ? undefined : new Date(ms).toISOString();
}
