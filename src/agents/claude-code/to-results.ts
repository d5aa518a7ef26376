/** The results that one user row of a transcript tells. */

import { findText, findWire, isWire, toWires } from '../wire.ts';
import type { RowWire } from './claude-wire.ts';
import { toText } from './to-text.ts';

export interface TranscriptResult {
  readonly callId: string;
  /** When the result was there. */
  readonly at?: string;
  readonly isError: boolean;
  /** What the model saw. */
  readonly content: string;
  /** The tool's own output object; in sub-agent files often absent. */
  readonly output?: unknown;
  readonly denialKind?: string;
  /** What the user said with a refusal, where the row has it beside the text. */
  readonly said?: string;
}

export function toResults(row: RowWire): readonly TranscriptResult[] {
  if (row.type !== 'user') return [];
  const blocks = toWires(findWire(row, 'message')?.content).filter((block) => block.type === 'tool_result');
  const beside = findBeside(row);
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
      ...beside,
    };
  });
}

function findBeside(row: RowWire): Pick<TranscriptResult, 'at' | 'denialKind' | 'said'> {
  const at = findText(row, 'timestamp');
  const denialKind = findText(row, 'toolDenialKind');
  const said = findText(row, 'userFeedback');
  return {
    ...(at === undefined ? {} : { at }),
    ...(denialKind === undefined ? {} : { denialKind }),
    ...(said === undefined ? {} : { said }),
  };
}
