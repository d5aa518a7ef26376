/** What a person typed, from a transcript row; undefined when the row is the harness speaking. */
import { isHumanPrompt } from './is-human-prompt.ts';
import { findText, findWire, type RowWire, toWires, type Wire } from './wire.ts';

export function findPrompt(row: RowWire): string | undefined {
  const text = row.type === 'attachment' ? findQueued(row) : findTyped(row);
  return text !== undefined && isHumanPrompt(text) ? text : undefined;
}

function findTyped(row: RowWire): string | undefined {
  if (row.isMeta === true || row.isCompactSummary === true || row.isSidechain === true) return undefined;
  if (row.toolUseResult !== undefined || !isByHuman(row)) return undefined;
  const content = findWire(row, 'message')?.content;
  if (typeof content === 'string') return content;
  return toWires(content)
    .map((block) => findText(block, 'text') ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** Typed while the agent was working. */
function findQueued(row: RowWire): string | undefined {
  const queued = findWire(row, 'attachment');
  if (queued?.type !== 'queued_command' || !isByHuman(queued)) return undefined;
  return (queued.commandMode ?? 'prompt') === 'prompt' ? findText(queued, 'prompt') : undefined;
}

function isByHuman(wire: Wire): boolean {
  const origin = findWire(wire, 'origin');
  return origin === undefined || origin.kind === 'human';
}
