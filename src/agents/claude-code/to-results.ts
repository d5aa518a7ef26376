/** The results that one user row of a transcript tells. */
import { toText } from './to-text.ts';
import { findText, findWire, isWire, type RowWire, toWires } from './wire.ts';

export interface TranscriptResult {
  readonly callId: string;
  readonly isError: boolean;
  /** What the model saw. */
  readonly content: string;
  /** The tool's own output object; in sub-agent files often absent. */
  readonly output?: unknown;
  readonly denialKind?: string;
}

export function toResults(row: RowWire): readonly TranscriptResult[] {
  if (row.type !== 'user') return [];
  const blocks = toWires(findWire(row, 'message')?.content).filter((block) => block.type === 'tool_result');
  const denialKind = findText(row, 'toolDenialKind');
  return blocks.flatMap((block) => {
    const callId = findText(block, 'tool_use_id');
    if (callId === undefined) return [];
    // The output object belongs to the row: with several results in one row nobody knows to which.
    const output = blocks.length === 1 && isWire(row.toolUseResult) ? row.toolUseResult : undefined;
    return {
      callId,
      isError: block.is_error === true,
      content: toText(block.content),
      ...(output === undefined ? {} : { output }),
      ...(denialKind === undefined ? {} : { denialKind }),
    };
  });
}
