/** A reader of one session, as the scanner drives it: every line has its number. */
import type { LineFormat, LineReader, SessionFile } from '../../src/base/contracts/agent-history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';

export interface NumberedReader {
  readonly reader: LineReader;
  read(text: string): readonly AgentEvent[];
}

export function openLines(
  open: LineFormat['open'],
  path: string,
  options: { readonly firstLine?: number } & Partial<SessionFile> = {},
): NumberedReader {
  const { firstLine = 1, ...file } = options;
  const reader = open({ siblingFiles: {}, ...file, path });
  let line = firstLine;
  return { reader, read: (text) => reader.read(text, line++) };
}

export function readAll(
  open: LineFormat['open'],
  path: string,
  lines: readonly string[],
  file: Partial<SessionFile> = {},
): readonly AgentEvent[] {
  const { read } = openLines(open, path, file);
  return lines.flatMap((line) => [...read(line)]);
}
