/** What a person typed, from a message in the user's name; undefined when the harness speaks in it. */
import { findText, toWires, type Wire } from '../wire.ts';

/** Context of the session and of hooks, summaries and reminders come in tags. */
const HARNESS_TAG = /^<[a-z][\w-]*[\s>]/;
/** A nudge after a loop was found, and the one to a model that stopped in the middle. */
const HARNESS_TEXT = /^(?:System: |Please continue\.$)/;
/** A command to the client that went unrecognised. */
const SLASH_COMMAND = /^\/[a-z][\w:-]*(?:\s|$)/;

export function findPrompt(message: Wire): string | undefined {
  if (toWires(message.content).some((part) => part.functionResponse !== undefined)) return undefined;
  // What stands in the box of the screen, where files or hooks added to it.
  const text = withoutHooks(toText(message.displayContent ?? message.content));
  const isHarness = HARNESS_TAG.test(text) || HARNESS_TEXT.test(text) || SLASH_COMMAND.test(text);
  return text === '' || isHarness ? undefined : text;
}

/** A text, or the texts of a list of parts; thoughts and answers of tools are none. */
export function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toWires(content)
    .map((part) => (part.thought === true ? '' : (findText(part, 'text') ?? '')))
    .filter((text) => text !== '')
    .join('\n');
}

const OPEN = '<hook_context>';
const CLOSE = '</hook_context>';

function withoutHooks(text: string): string {
  const [first = '', ...rest] = text.split(OPEN);
  const kept = rest.map((piece) => {
    const end = piece.indexOf(CLOSE);
    return end === -1 ? OPEN + piece : piece.slice(end + CLOSE.length);
  });
  return [first, ...kept].join('').trim();
}
