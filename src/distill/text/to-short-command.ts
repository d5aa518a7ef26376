/**
 * A simple command as a lesson shows it: with the kinds of the objects in it, not with the objects of one day, and never
 * cut. What has no room is left out whole.
 */

import { type CommandEdit, type EditStep, type EditWord, editWords } from '../../base/shell/command-edit.ts';
import { toCommandName, toPlainSubCommand } from '../../base/shell/command-words.ts';
import { findObjectKind, isSymbolic } from '../../base/shell/object-kind.ts';
import { findFacts, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type Argument, isOption, type SimpleCommand } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { toTemplate, toTypedWords } from '../episodes/find-edit.ts';
import { renderWord, renderWords } from './render-edit.ts';

/** `objects`: words that are objects whatever they look like. All values of options, where it says nothing. */
export function toShortCommand(
  command: SimpleCommand,
  maxChars: number,
  objects: readonly string[] = command.args.map(({ value }) => value).filter((value) => !isSymbolic(value)),
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

const MAX_LEAD = 4;

/**
 * The first words that say what is done. Of a program that the catalogue does not know, and of a script or a program that
 * another one runs, these go as far as the last word that programs call an action: `dolt status`, but not `find billing`.
 */
export function listLead(command: SimpleCommand): readonly string[] {
  const own = toPlainSubCommand(command);
  const inner = unwrapRunner(command);
  const words = inner.args.map(({ value }) => value);
  const isScript = isKnownAs(inner.program, 'runner', 'interpreter') && SCRIPT.test(words[0] ?? '');
  const isNamed = isKnownAs(inner.program, 'direct') && own.length === 1 && !ACTIONS.has(own[0] ?? '');
  if (!isScript && !isNamed && findFacts(inner.program) !== undefined) return own;
  const end = words.findIndex((word, i) => (i > 0 || !isScript) && !isVocabulary(word));
  const plain = words.slice(0, Math.min(end < 0 ? words.length : end, MAX_LEAD));
  const last = plain.findLastIndex((word) => ACTIONS.has(word));
  return [...new Set([...own, ...plain.slice(0, Math.max(last + 1, isScript ? 1 : 0))])];
}

/** What programs call the things that they do. */
const ACTIONS = new Set(
  (
    'add apply attach build cancel capture check clean clone close commit compare config copy create delete deploy ' +
    'describe diff disable download edit enable eval exec export fetch fix format generate get grep import info init inspect ' +
    'install kill link lint list load log login logout logs ls merge migrate move new open pack plan preview prune ' +
    'publish pull push query read rebuild reload remove rename render replace report reset resolve restart restore resume ' +
    'retry rm run save scan search seed send serve set show start stat status stop switch sync tag tail test trace uninstall ' +
    'update upgrade upload use validate verify version view wait watch write'
  ).split(' '),
);

/** A file of the project. */
const SCRIPT = /^(?:\.\/)?\w[\w.-]*(?:\/[\w.-]+)*\.\w+$/;

function isVocabulary(word: string): boolean {
  return /^[a-z]/.test(word) && findObjectKind({ text: word, value: word }) === undefined;
}

/**
 * The failed command with the edit made, as a lesson shows it: `workmux send <name> --file <path>`. Undefined where it is
 * too long, or where the edit cannot be made to it.
 */
export function toEditedCommand(edit: CommandEdit, failed: SimpleCommand, maxChars: number): string | undefined {
  if (edit.others !== undefined || edit.steps.some((step) => 'make' in step)) return undefined;
  const objects = failed.args.map(({ value }) => value).filter((value) => !isSymbolic(value));
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
