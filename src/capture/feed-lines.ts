/** Lines into a reader, and the point from which a later read has to go on. */
import type { LineReader } from '../base/agent-history.ts';
import type { AgentEvent } from '../base/event.ts';
import type { Line } from './read-lines.ts';

export interface ReadPoint {
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
  /** What the reader had noted by then. */
  readonly memo?: string | undefined;
}

export interface LineFeed {
  take(line: Line): readonly AgentEvent[];
  /** To be waited for before the next line. */
  readonly loading: Promise<void> | undefined;
  leave(): readonly AgentEvent[];
  toResumePoint(): ReadPoint;
  toSkipped(): ReadonlyMap<string, number>;
}

export function feedLines(reader: LineReader, from: ReadPoint): LineFeed {
  let { offset, lines, memo } = from;
  /** The beginnings of the lines since the oldest call whose result is still to come. */
  const held: ReadPoint[] = [];
  let tooLong = 0;

  const pass = (end: number): void => {
    const { pendingLine } = reader;
    if (pendingLine === undefined) held.length = 0;
    else {
      held.push({ offset, lines, memo });
      while (held[0] !== undefined && held[0].lines + 1 < pendingLine) held.shift();
    }
    offset = end;
    lines++;
    memo = reader.memo;
  };

  return {
    take(line) {
      const number = lines + 1;
      if (!line.isWhole) return isComplete(line.text) ? reader.read(line.text ?? '', number) : [];
      if (line.text === undefined) tooLong++;
      const events = reader.read(line.text ?? '', number);
      pass(line.end);
      return events;
    },
    get loading() {
      return reader.loading;
    },
    leave: () => reader.leave?.() ?? [],
    toResumePoint: () => held[0] ?? { offset, lines, memo },
    toSkipped: () => (tooLong === 0 ? reader.skipped : new Map([...reader.skipped, ['line too long', tooLong]])),
  };
}

/**
 * A file that was exported may lack its last newline. What is a whole JSON document is told, but not passed: half of a
 * line can never be one, and if the newline is still to come, telling it again does no harm.
 */
function isComplete(text: string | undefined): boolean {
  try {
    return text !== undefined && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
