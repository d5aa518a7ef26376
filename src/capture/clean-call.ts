/** A call that is kept in memory, without what turned out to be a secret later. Itself where it holds none, as nearly all. */
import type { LiveCall } from '../base/call.ts';

const TEXTS = ['command', 'output', 'message', 'inputSummary', 'outputSummary', 'targetPath', 'intentKey'] as const;

export function cleanCall(call: LiveCall, clean: (text: string) => string): LiveCall {
  let cleaned = call;
  for (const field of TEXTS) {
    const text = call[field];
    const after = text === undefined ? undefined : clean(text);
    if (after !== undefined && after !== text) cleaned = { ...cleaned, [field]: after };
  }
  const parameters = Object.entries(call.parameters ?? {}).map(([name, text]) => [name, clean(text)] as const);
  const isChanged = parameters.some(([name, text]) => text !== call.parameters?.[name]);
  return isChanged ? { ...cleaned, parameters: Object.fromEntries(parameters) } : cleaned;
}
