/**
 * The one word that made the difference: the line that failed and the line that worked are the same but for it. Then the
 * fix is a pure replacement, which a line like it can be given before it runs. Only of a word that the program calls wrong
 * in itself (an option it does not know, a value that is none of those it lists): the name of a branch, a pod or a file that
 * is not there was another thing, and the next one that was asked for is no correction of it.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { TokenReplacement } from '../../base/model/lesson.ts';
import { applyEdit, toReplacementEdit } from '../../base/shell/command-edit.ts';
import { toPlainSubCommand } from '../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../base/shell/intent.ts';
import { isPlainWord } from '../../base/shell/object-kind.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { findCulprit } from '../propose/rejected-words/find-culprit.ts';

interface FoundReplacement {
  readonly replacement: TokenReplacement;
  readonly isSuggested?: true;
}

export function findReplacement(failing: LiveCall, fixing: LiveCall, triggers: Triggers): FoundReplacement | undefined {
  if (failing.outcome !== 'failure' || fixing.outcome !== 'success') return undefined;
  const [wrong, right] = [failing.command?.trim() ?? '', fixing.command?.trim() ?? ''];
  const [before, after] = [parseCommand(wrong, failing), parseCommand(right, fixing)];
  if (before.length !== after.length) return undefined;
  const found = before.map((command, i) => findSwap(command, after[i])).find((one) => one !== undefined);
  if (found === undefined || !isMeant(found, triggers)) return undefined;
  const output = failing.output ?? '';
  if (!isWrongInItself(found, before, output) || applyEdit(toReplacementEdit(found), wrong, true) !== right)
    return undefined;
  return { replacement: found, ...(isSuggested(found, output) ? { isSuggested: true } : {}) };
}

function isWrongInItself(found: TokenReplacement, commands: readonly SimpleCommand[], output: string): boolean {
  const culprit = findCulprit(commands, output);
  if (culprit === undefined || culprit.word !== found.from || culprit.absent === true) return false;
  if (culprit.role === 'value') return isListed(found.to, output);
  return culprit.role === 'option' || culprit.role === 'sub-command';
}

/** `Did you mean --name-only?`, `choose from 'json', 'yaml'`. A whole page of usage suggests nothing. */
const OFFERING =
  /did you mean|most similar|similar (?:command|option|flag|argument)|perhaps|instead|choose from|one of|possible values|available|valid (?:values|options|choices)|expected|was (?:replaced|renamed)|tip:/i;

function isSuggested(found: TokenReplacement, output: string): boolean {
  const lines = output.split('\n', MAX_LINES);
  return lines.some(
    (line, at) => isListed(found.to, line) && (OFFERING.test(line) || OFFERING.test(lines[at - 1] ?? '')),
  );
}

function isListed(word: string, text: string): boolean {
  return new RegExp(`(?:^|[\\s'"\`‘“(\\[{,:|])${toLiteral(word)}(?:[\\s'"\`’”)\\]},;:|?.]|$)`, 'm').test(text);
}

const MAX_LINES = 120;

/** Behind a pipe or the like nobody knows whether the other word worked. */
function findSwap(wrong: SimpleCommand, right: SimpleCommand | undefined): TokenReplacement | undefined {
  if (right === undefined || right.hidden === true || !isSameSubCommand(wrong, right)) return undefined;
  const at = wrong.args.findIndex(({ text }, i) => text !== right.args[i]?.text);
  const [from = '', to = ''] = [wrong.args[at]?.text, right.args[at]?.text];
  const sub = toPlainSubCommand(wrong);
  if (!isPlainWord(from) || !isPlainWord(to)) return undefined;
  return { program: wrong.program, ...(sub.length === 0 ? {} : { sub }), from, to };
}

/** The lesson speaks of this very word: a number or a name that changed beside it corrects nothing. */
function isMeant({ program, from }: TokenReplacement, { programs = [] }: Triggers): boolean {
  return programs.some(
    ({ name, args }) => name === program && [...(args?.any ?? []), ...(args?.all ?? [])].includes(from),
  );
}
