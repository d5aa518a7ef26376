/** Whether a user's turn was typed by a person: Claude Code also speaks to the model in the user's name. */

/** Task notifications, slash commands, shell escapes and reminders come in tags. */
const HARNESS_TEXT = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user|Operation stopped by hook)/;

/** Values of `source` of UserPromptSubmit that are no person. */
const HARNESS_SOURCES = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);

export function isHumanPrompt(text: string, source?: string): boolean {
  return text.trim() !== '' && !HARNESS_TEXT.test(text) && !(source !== undefined && HARNESS_SOURCES.has(source));
}
