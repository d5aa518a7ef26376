/** What a reader notes for the one that goes on behind it. No text of any call: a note is kept on disk. */
import { findNumber, findText, isWire, toWires, type Wire } from '../wire.ts';

export interface Memo {
  /** When the file began, as long as its rows may be copies of older ones. */
  readonly bornAt?: string | undefined;
  readonly calls: readonly CallNote[];
}

/** A call that was told, and may be told of again: left running, or left behind by a new turn. */
export interface CallNote {
  readonly callId: string;
  readonly taskId?: string | undefined;
  readonly rawTool: string;
  /** Its result may still come. */
  readonly isLate?: true;
  readonly contextId: string;
  /** Where and when it was begun. */
  readonly line: number;
  readonly at: string;
}

/** Undefined when there is nothing to note. */
export function renderMemo({ bornAt, calls }: Memo): string | undefined {
  return bornAt === undefined && calls.length === 0 ? undefined : JSON.stringify({ bornAt, calls });
}

/** Empty for anything but our own note. */
export function parseMemo(text: string | undefined): Memo {
  const wire = text === undefined ? {} : parse(text);
  return { bornAt: findText(wire, 'bornAt'), calls: toWires(wire.calls).flatMap(toNote) };
}

function toNote(wire: Wire): readonly CallNote[] {
  const [callId, rawTool, at] = [findText(wire, 'callId'), findText(wire, 'rawTool'), findText(wire, 'at')];
  const line = findNumber(wire, 'line');
  if (callId === undefined || rawTool === undefined || at === undefined || line === undefined) return [];
  const contextId = findText(wire, 'contextId') ?? '';
  const taskId = findText(wire, 'taskId');
  return [{ callId, taskId, rawTool, contextId, line, at, ...(wire.isLate === true ? { isLate: true } : {}) }];
}

function parse(text: string): Wire {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : {};
  } catch {
    return {};
  }
}
