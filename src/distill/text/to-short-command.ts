/**
 * A simple command as a lesson shows it: with the kinds of the objects in it, not with the objects of one day, and never
 * cut. What has no room is left out whole.
 */

import type { EditWord } from '../../base/shell/command-edit.ts';
import { toCommandName, toPlainSubCommand } from '../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { renderWords, toTemplate, toTypedWords } from '../episodes/find-edit.ts';

/** `objects`: words that are objects whatever they look like. All values of options, where it says nothing. */
export function toShortCommand(
  command: SimpleCommand,
  maxChars: number,
  objects: readonly string[] = command.args.map(({ value }) => value),
): string {
  const template = toTemplate(command, objects);
  const sub = toPlainSubCommand(command);
  const isOwn = (word: EditWord): boolean => typeof word === 'string' && (isOption(word) || sub.includes(word));
  const options = template.filter((word, i) => i === 0 || isOwn(word));
  const [head] = toTypedWords(command);
  const forms = [renderWords(template), renderWords(options), toCommandName(command), head?.text ?? command.program];
  return forms.find((form) => form.length <= maxChars) ?? command.program;
}

const MAX_OBJECT_CHARS = 60;

/** With its objects, for evidence. Long ones are told by their kind. */
export function toExampleCommand(command: SimpleCommand, maxChars: number): string {
  const typed = toTypedWords(command).map(({ text }) => text);
  const template = toTemplate(command).map((word) => renderWords([word]));
  const isLong = (word: string): boolean => word.length > MAX_OBJECT_CHARS || /\s*\n\s*/.test(word);
  const shown = typed.map((word, i) => (isLong(word) ? (template[i] ?? '<text>') : word)).join(' ');
  return shown.length <= maxChars ? shown : toShortCommand(command, maxChars);
}
