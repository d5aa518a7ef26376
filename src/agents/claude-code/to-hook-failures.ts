/**
 * Other people's hooks that failed, as far as a transcript records them: one call each, of the tool `hook:<name>`, so
 * that nobody takes them for a call of the agent.
 */
import type { EventOf, EventOrigin } from '../../base/event.ts';
import { hashText } from '../../base/hash.ts';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import type { CallResult } from '../../base/outcome.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import type { RowWire } from './claude-wire.ts';
import { toText } from './to-text.ts';

type Failure = EventOf<'call-ended'>;

/** Our own are the business of `doctor`. */
const OURS = /\boncebitten\b/;
const PREFIX = /^Failed with non-blocking status code: /;

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
  const result = findResult(wire);
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

function findResult(wire: Wire): CallResult | undefined {
  const durationMs = findNumber(wire, 'durationMs');
  const time = durationMs === undefined ? {} : { durationMs };
  switch (wire.type) {
    case 'hook_non_blocking_error': {
      const exitCode = findNumber(wire, 'exitCode');
      const code = exitCode === undefined ? {} : { exitCode };
      return { isError: true, ...code, text: toText(wire.stderr).replace(PREFIX, '').trim(), ...time };
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
