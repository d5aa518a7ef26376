/**
 * A hook gave a call another input: what ran is that, while the row of the call still has what the model wrote. Without
 * it, a command that was corrected would look as if it had worked as it was.
 */
import { parseLine } from '../parse-line.ts';
import { findText, findWire, type Wire } from '../wire.ts';

export interface ChangedInput {
  readonly callId: string;
  readonly input: Wire;
}

export function findChangedInput(row: Wire): ChangedInput | undefined {
  const attachment = findWire(row, 'attachment') ?? {};
  if (attachment.type !== 'hook_success' || attachment.hookEvent !== 'PreToolUse') return undefined;
  const callId = findText(attachment, 'toolUseID');
  const stdout = findText(attachment, 'stdout') ?? '';
  // Most hooks change nothing, and parsing is what costs.
  if (callId === undefined || !stdout.includes('"updatedInput"')) return undefined;
  const [answer = {}] = parseLine(stdout).rows;
  const input = findWire(findWire(answer, 'hookSpecificOutput') ?? {}, 'updatedInput');
  return input && { callId, input };
}
