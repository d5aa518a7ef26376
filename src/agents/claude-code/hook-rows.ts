/**
 * Reads from a transcript what other people's hooks did: hooks that failed, and hooks that changed the input of a call.
 * A failed hook becomes a call of the tool `hook:<name>`, so that nobody takes it for a call of the agent. A changed
 * input replaces the one that the model wrote, because otherwise a corrected command would look as if it had worked
 * unchanged.
 */

import { hashText } from '../../base/ids.ts';
import type { CallResult, EventOf, EventOrigin } from '../../base/model/event.ts';
import { HOOK_TOOL_PREFIX } from '../../base/model/tool.ts';
import { findNumber, findText, findWire, parseLine, type Wire } from '../wire.ts';
import { toText } from './results.ts';
import type { RowWire } from './wire.ts';

type Failure = EventOf<'call-ended'>;

/** Our own are the business of `doctor`. */
const OURS = /\boncebitten\b/;
const STATUS_PREFIX = /^Failed with non-blocking status code: /;

export function toHookFailures(row: RowWire, origin: EventOrigin): readonly Failure[] {
  const attachment = findWire(row, 'attachment');
  if (attachment !== undefined) return toFailure(attachment, origin);
  // Builds without such rows tell of the hooks at the end of a turn only; later builds tell them twice.
  const errors = Array.isArray(row.hookErrors) ? row.hookErrors.filter((error) => typeof error === 'string') : [];
  return errors.flatMap((stderr) =>
    toFailure({ type: 'hook_non_blocking_error', hookName: 'Stop', toolUseID: row.toolUseID, stderr }, origin),
  );
}

function toFailure(wire: Wire, origin: EventOrigin): readonly Failure[] {
  const result = findHookResult(wire);
  const name = findText(wire, 'hookName') ?? findText(wire, 'hookEvent');
  const command = findText(wire, 'command') ?? findText(findWire(wire, 'blockingError') ?? {}, 'command');
  if (result === undefined || name === undefined || OURS.test(command ?? '')) return [];
  // By what it said: the same failure is told by its own row and by the summary of the turn.
  const callId = `hook-${findText(wire, 'toolUseID') ?? origin.at}-${hashText(`${wire.type} ${result.text}`)}`;
  const input = { json: JSON.stringify({ hook: name, ...(command === undefined ? {} : { command }) }) };
  return [
    { ...origin, kind: 'call-ended', callId, tool: 'other', rawTool: `${HOOK_TOOL_PREFIX}${name}`, input, result },
  ];
}

function findHookResult(wire: Wire): CallResult | undefined {
  const durationMs = findNumber(wire, 'durationMs');
  const time = durationMs === undefined ? {} : { durationMs };
  switch (wire.type) {
    case 'hook_non_blocking_error': {
      const exitCode = findNumber(wire, 'exitCode');
      const code = exitCode === undefined ? {} : { exitCode };
      return { isError: true, ...code, text: toText(wire.stderr).replace(STATUS_PREFIX, '').trim(), ...time };
    }
    case 'hook_blocking_error':
      return { isError: true, text: toText(findWire(wire, 'blockingError')?.blockingError).trim(), ...time };
    // Out of time, or interrupted: the row does not say which.
    case 'hook_cancelled':
      return { isError: true, cancelled: true, text: '', ...time };
    default:
      return undefined;
  }
}

interface ChangedInput {
  readonly callId: string;
  readonly input: Wire;
}

/**
 * A hook gave a call another input: what ran is that, while the row of the call still has what the model wrote. Without
 * it, a command that was corrected would look as if it had worked as it was.
 */
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
