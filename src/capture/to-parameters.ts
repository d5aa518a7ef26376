/**
 * A tool's parameters by name, as far as they are short: which one was changed between a call that failed and one that
 * worked is a lesson. Long ones are the work itself; of them only that they were there is told.
 */
import type { EndedCall } from '../base/event.ts';

const MAX_CHARS = 120;
const MAX_COUNT = 24;
const LONG = '…';
/** Nobody has cleaned names. */
const NAME = /^[A-Za-z_][\w.-]{0,59}$/;
/** Told elsewhere. */
const TOLD = new Set(['command', 'cmd']);

export function toParameters({ tool, input, result }: EndedCall): Readonly<Record<string, string>> | undefined {
  // Of a file tool that worked there is nothing to learn here, and its input may be a whole file.
  if (tool !== 'shell' && !tool.startsWith('mcp:') && !result.isError) return undefined;
  const given = { ...parseObject(input.json), ...parseObject(input.more ?? '') };
  const names = Object.keys(given).filter((name) => NAME.test(name) && !TOLD.has(name));
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.slice(0, MAX_COUNT).map((name) => [name, toText(given[name])]));
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
  return text.length > MAX_CHARS ? LONG : text;
}
