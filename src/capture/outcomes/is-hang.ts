/**
 * A call that did not end by itself: it ran out of time, or was stopped after a long silence. A long duration alone proves
 * nothing: it holds the time that a user took to allow the call.
 */
import type { LiveCall } from '../../base/model/call.ts';

/** 130, 137, 143: interrupted, killed, terminated. */
const STOPPED = new Set([130, 137, 143]);
const OUT_OF_TIME = /\btimed out after \d|\bexceeded the timeout of \d/i;
/** A sibling of a parallel batch that failed took it along. */
const SIBLING = /parallel tool call|sibling/i;
/** What an agent writes about a stopped call, at most. */
const MAX_SILENT_CHARS = 80;

type Ended = { readonly tool: string } & Partial<
  Pick<LiveCall, 'outcome' | 'outcomeType' | 'exitCode' | 'durationMs' | 'output'>
>;

/** `hangSeconds`: the shortest silence. */
export function isHang(call: Ended, hangSeconds: number): boolean {
  const { tool, outcome, outcomeType, exitCode, durationMs = 0, output = '' } = call;
  if (tool !== 'shell') return false;
  if (outcomeType === 'timeout') return true;
  if (outcome === 'failure' && outcomeType === 'error-flag' && OUT_OF_TIME.test(output)) return true;
  // A server that printed what it did was not silent until somebody stopped it.
  if (durationMs < hangSeconds * 1000 || output.trim().length > MAX_SILENT_CHARS) return false;
  if (outcome === 'failure') return exitCode !== undefined && STOPPED.has(exitCode);
  return outcome === 'cancelled' && outcomeType === 'interrupt' && !SIBLING.test(output);
}
