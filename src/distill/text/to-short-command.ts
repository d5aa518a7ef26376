/**
 * A simple command as a lesson shows it: with the kinds of the objects in it, not with the objects of one day, and never
 * cut. What has no room is left out whole.
 */

import { type CommandEdit, type EditStep, type EditWord, editWords } from '../../base/shell/command-edit.ts';
import { toCommandName, toPlainSubCommand } from '../../base/shell/command-words.ts';
import { isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type Argument, isOption, type SimpleCommand } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { toTemplate, toTypedWords } from '../episodes/find-edit.ts';
import { renderWord, renderWords } from './render-edit.ts';

/** `objects`: words that are objects whatever they look like. All values of options, where it says nothing. */
export function toShortCommand(
  command: SimpleCommand,
  maxChars: number,
  objects: readonly string[] = command.args.map(({ value }) => value),
): string {
  const lead = listLead(command);
  const template = toTemplate(command, objects, lead);
  const isOwn = (word: EditWord): boolean => typeof word === 'string' && (isOption(word) || lead.includes(word));
  const options = template.filter((word, i) => i === 0 || isOwn(word));
  const [head] = toTypedWords(command);
  const names = [toLeadName(command), toCommandName(command), head?.text ?? command.program];
  const forms = [renderWords(template), renderWords(options), ...names];
  return forms.find((form) => form.length <= maxChars) ?? command.program;
}

/** The program and the words that say what it does: `bd dolt status` of `bd dolt status --short`. */
export function toLeadName(command: SimpleCommand, culprit?: string): string {
  const lead = listLead(command);
  const end = culprit === undefined ? -1 : lead.indexOf(culprit);
  return [command.program, ...(end < 0 ? lead : lead.slice(0, end))].join(' ');
}

/** The words that say what is done: the sub-command, and the script that a runner or an interpreter runs. */
export function listLead(command: SimpleCommand): readonly string[] {
  const own = toPlainSubCommand(command);
  const { program, args } = unwrapRunner(command);
  const script = args[0]?.value ?? '';
  const isScript = isKnownAs(program, 'runner', 'interpreter') && SCRIPT.test(script) && !own.includes(script);
  return isScript ? [...own, script] : own;
}

/** A file of the project. */
const SCRIPT = /^(?:\.\/)?\w[\w.-]*(?:\/[\w.-]+)*\.\w+$/;

/**
 * The failed command with the edit made, as a lesson shows it: `workmux send <name> --file <path>`. Undefined where it is
 * too long, or where the edit cannot be made to it.
 */
export function toEditedCommand(edit: CommandEdit, failed: SimpleCommand, maxChars: number): string | undefined {
  if (edit.others !== undefined || edit.steps.some((step) => 'make' in step)) return undefined;
  const objects = failed.args.map(({ value }) => value);
  const typed = toTypedWords(failed);
  const template = toTemplate(failed, objects, listLead(failed)).map(renderWord);
  const steps = edit.steps.filter((step) => 'from' in step).map((step) => ({ ...step, to: step.to.map(toShownHole) }));
  const made = steps.length === 0 ? typed : editWords({ ...edit, steps }, typed);
  if (made === undefined) return undefined;
  const words = made.map((word) => renderMade(word, { typed, template, edit }));
  const first = edit.steps.flatMap((step) => ('first' in step ? [`${renderWords(step.first)} && `] : []));
  const shown = `${first.join('')}${renderWords(words)}`;
  return shown.length > maxChars || shown === renderWords(template) ? undefined : shown;
}

/** An added object of the next call is told by its kind. */
function toShownHole(word: EditWord): EditWord {
  return typeof word === 'string' || word.copy !== undefined ? word : { ...word, object: `<${word.any}>` };
}

interface Shown {
  readonly typed: readonly Argument[];
  readonly template: readonly string[];
  readonly edit: CommandEdit;
}

/** Words that stay are told as before, also where the edit moves them. */
function renderMade(word: Argument, { typed, template, edit }: Shown): string {
  const at = typed.indexOf(word);
  const moved = at < 0 ? typed.findIndex(({ text }) => text === word.text) : at;
  if (moved < 0) return word.text;
  return edit.steps.reduce((shown, step) => renderInWord(step, typed[moved]?.text ?? '', shown), template[moved] ?? '');
}

const MAX_LIST = 60;

function renderInWord(step: EditStep, text: string, shown: string): string {
  if ('quote' in step) {
    const isBare = [...step.quote].some((sign) => text.includes(sign)) && !/["']/.test(text);
    const isMeant = isBare && text.startsWith(step.prefix ?? '');
    return isMeant ? `${step.prefix ?? ''}'${shown.slice(step.prefix?.length ?? 0)}'` : shown;
  }
  if (!('list' in step)) return shown;
  const start = text.slice(0, text.indexOf('=') + 1);
  const members = text.slice(start.length).split(',');
  if (!step.list.every((one) => members.includes(one))) return shown;
  const list = [...members.filter((one) => !step.list.includes(one)), ...step.by].join(',');
  return start + (list.length > MAX_LIST ? '…' : list);
}

const MAX_OBJECT_CHARS = 60;

/** With its objects, for evidence. Long ones are told by their kind. */
export function toExampleCommand(command: SimpleCommand, maxChars: number): string {
  const typed = toTypedWords(command).map(({ text }) => text);
  const template = toTemplate(command).map(renderWord);
  const isLong = (word: string): boolean => word.length > MAX_OBJECT_CHARS || /\s*\n\s*/.test(word);
  const shown = typed.map((word, i) => (isLong(word) ? (template[i] ?? '<text>') : word)).join(' ');
  return shown.length <= maxChars ? shown : toShortCommand(command, maxChars);
}
