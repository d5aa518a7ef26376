/**
 * Trims events before the costly redaction: drops the middle of the output of successful file tools and the text that
 * they wrote, and keeps short parameters by name. Later code needs only the hash of a whole input. Every cut drops the
 * words that it goes through, because redaction does not recognize half a secret.
 */

import type { AgentEvent, EndedCall } from '../../base/model/event.ts';
import { cutWindow } from '../secrets/clean-texts.ts';

/** At each end; more than a summary needs. */
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

/** Is the whole output needed? For failures, and for commands, which may hide a failure. */
function isRead({ tool, result }: EndedCall): boolean {
  return tool === 'shell' || tool.startsWith('mcp:') || result.isError || (result.exitCode ?? 0) !== 0;
}

const MAX_VALUE_CHARS = 120;
const MAX_PARAMETERS = 24;
const LONG_VALUE = '…';
/** Names are not redacted, so only plain ones are kept. */
const PARAMETER_NAME = /^[A-Za-z_][\w.-]{0,59}$/;
/** Parameters that the call has in other fields. */
const OTHER_FIELDS = new Set(['command', 'cmd']);

/**
 * A tool's short parameters by name, because the parameter that changed between a failed call and a successful one is a
 * lesson. Long ones are the work itself; only their presence is noted.
 */
export function toParameters({ tool, input, result }: EndedCall): Readonly<Record<string, string>> | undefined {
  // A successful file tool has nothing to teach here, and its input may be a whole file.
  if (tool !== 'shell' && !tool.startsWith('mcp:') && !result.isError) return undefined;
  const given = { ...parseObject(input.json), ...parseObject(input.more ?? '') };
  const names = Object.keys(given).filter((name) => PARAMETER_NAME.test(name) && !OTHER_FIELDS.has(name));
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.slice(0, MAX_PARAMETERS).map((name) => [name, toText(given[name])]));
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  if (!json.startsWith('{')) return {};
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE_CHARS ? LONG_VALUE : text;
}
