/** Tells text that a person typed from text that Gemini CLI or a hook put into a message. */
import { findText, toWires, type Wire } from '../wire.ts';

/** Context of the session and of hooks, summaries and reminders are in tags. */
const HARNESS_TAG = /^<[a-z][\w-]*[\s>]/;
/** Nudges after a detected loop, and to a model that stopped in the middle. */
const HARNESS_TEXT = /^(?:System: |Please continue\.$)/;
/** A command to the client that was not recognized. */
const SLASH_COMMAND = /^\/[a-z][\w:-]*(?:\s|$)/;

/** Text that a person typed, from a message in the user's name; undefined if Gemini CLI wrote it. */
export function findPrompt(message: Wire): string | undefined {
  if (toWires(message.content).some((part) => part.functionResponse !== undefined)) return undefined;
  // The text in the input box, if files or hooks added to the message.
  const text = withoutHooks(toText(message.displayContent ?? message.content));
  const isHarness = HARNESS_TAG.test(text) || HARNESS_TEXT.test(text) || SLASH_COMMAND.test(text);
  return text === '' || isHarness ? undefined : text;
}

/** A text, or the texts of a list of parts, without thoughts and answers of tools. */
export function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toWires(content)
    .map((part) => (part.thought === true ? '' : (findText(part, 'text') ?? '')))
    .filter((text) => text !== '')
    .join('\n');
}

const HOOK_OPEN = '<hook_context>';
const HOOK_CLOSE = '</hook_context>';

function withoutHooks(text: string): string {
  const [first = '', ...rest] = text.split(HOOK_OPEN);
  const kept = rest.map((piece) => {
    const end = piece.indexOf(HOOK_CLOSE);
    return end === -1 ? HOOK_OPEN + piece : piece.slice(end + HOOK_CLOSE.length);
  });
  return [first, ...kept].join('').trim();
}
