/** A session in OpenCode's database: rows whose `data` is the record as JSON, without the ids that have columns. */
import type { RecordReader, SessionFile } from '../../base/agent-history.ts';
import { isWire, type Wire } from '../wire.ts';
import { openSession } from './open-session.ts';

/** Most of a database is thinking and steps: not worth parsing. What marks a part we use stands in its text as is. */
const USED = /"type"\s*:\s*"(?:tool|text)"/;
const PASSED = /"type"\s*:\s*"(?:reasoning|step-start|step-finish|patch|snapshot)"/;

export function openDatabaseSession(file: SessionFile): RecordReader {
  const reader = openSession(file);
  return {
    ...reader,
    read(row, depth, line) {
      if (!isWire(row)) return reader.read(row, depth, line);
      if (depth === 0) return reader.read(toSession(row), depth, line);
      if (depth === 2 && isPassed(row.data)) return [];
      return reader.read(toRecord(row), depth, line);
    },
  };
}

function toSession({ id, parent_id, directory, version, time_created }: Wire): Wire {
  return { id, parentID: parent_id, directory, version, time: { created: time_created } };
}

function isPassed(data: unknown): boolean {
  return typeof data === 'string' && !USED.test(data) && PASSED.test(data);
}

/** Undefined when the data is no JSON object. */
function toRecord({ id, data }: Wire): Wire | undefined {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
    return isWire(value) ? { ...value, id } : undefined;
  } catch {
    return undefined;
  }
}
