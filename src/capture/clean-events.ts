/**
 * Events without secrets: whatever comes after works on these, so that nothing else has to think of it. Every text is
 * cleaned but those named here, so that a new kind of event is clean before anybody thinks of it.
 */
import type { AgentEvent } from '../base/event.ts';
import { cleanTexts } from './clean-texts.ts';
import type { SecretScan } from './scan-secrets.ts';

/** The agent's own words and keys, our own words, times, and where a file lies. */
const KEPT = new Set([
  'agent',
  'agentVersion',
  'at',
  'by',
  'callId',
  'contextId',
  'host',
  'kind',
  'model',
  'rawTool',
  'sessionId',
  'source',
  'start',
  'subagentType',
  'tool',
  'transcriptPath',
]);

export async function cleanEvents(events: readonly AgentEvent[], scan: SecretScan): Promise<readonly AgentEvent[]> {
  const texts = new Set<string>();
  const note = (text: string): string => {
    texts.add(text);
    return text;
  };
  for (const event of events) mapTexts(event, note);
  const clean = await cleanTexts(texts, scan);
  return events.map((event) => mapTexts(event, (text) => clean.get(text) ?? ''));
}

/** The same shape with other texts. */
function mapTexts<T>(value: T, map: (text: string) => string): T;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, KEPT.has(key) ? inner : mapTexts(inner, map)]),
  );
}
