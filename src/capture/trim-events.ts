/**
 * Events without what nobody reads later, before the costly part: what a file tool that succeeded printed, beyond its
 * ends, and the text that it wrote. A whole input is only hashed. Every cut drops the words it goes through, because half
 * a secret is no longer recognised as one.
 */
import type { AgentEvent, EndedCall } from '../base/event.ts';
import { cutWindow } from './cut-window.ts';
import { toParameters } from './to-parameters.ts';

/** At each end: more than a summary needs. */
const SHOWN_CHARS = 600;
const HASHED_CHARS = 1024;

export function trimEvents(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.map((event) => {
    if (event.kind === 'batch-ended') return { ...event, calls: event.calls.map(trimCall) };
    return event.kind === 'call-ended' || event.kind === 'background-ended' ? trimCall(event) : event;
  });
}

function trimCall<T extends EndedCall>(call: T): T {
  const { content: _, more: __, json, ...rest } = call.input;
  const text = isRead(call) ? call.result.text : cutWindow(call.result.text, SHOWN_CHARS);
  const parameters = toParameters(call);
  const input = { ...rest, json: cutWindow(json, HASHED_CHARS), ...(parameters === undefined ? {} : { parameters }) };
  return { ...call, input, result: { ...call.result, text } };
}

/** Whether its whole output is looked at: failures, and commands, which may hide theirs. */
function isRead({ tool, result }: EndedCall): boolean {
  return tool === 'shell' || tool.startsWith('mcp:') || result.isError || (result.exitCode ?? 0) !== 0;
}
