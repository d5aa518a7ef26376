/**
 * The one word that made the difference: the line that failed and the line that worked are the same but for it. Then the
 * fix is a pure replacement, which a line like it can be given before it runs.
 */
import type { LiveCall } from '../base/call.ts';
import type { TokenReplacement } from '../base/lesson.ts';
import { parseCommand } from '../base/parse-command.ts';
import { isPlainWord, replaceToken } from '../base/replace-token.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import type { Triggers } from '../base/trigger.ts';
import { isSameDeed, toSub } from './command-shape.ts';

export function findReplacement(failing: LiveCall, fixing: LiveCall, triggers: Triggers): TokenReplacement | undefined {
  if (failing.outcome !== 'failure' || fixing.outcome !== 'success') return undefined;
  const [wrong, right] = [failing.command?.trim() ?? '', fixing.command?.trim() ?? ''];
  const [before, after] = [parseCommand(wrong), parseCommand(right)];
  if (before.length !== after.length) return undefined;
  const found = before.map((command, i) => findSwap(command, after[i])).find((one) => one !== undefined);
  if (found === undefined || !isMeant(found, triggers)) return undefined;
  return replaceToken(wrong, found) === right ? found : undefined;
}

/** Behind a pipe or the like nobody knows whether the other word worked. */
function findSwap(wrong: SimpleCommand, right: SimpleCommand | undefined): TokenReplacement | undefined {
  if (right === undefined || right.hidden === true || !isSameDeed(wrong, right)) return undefined;
  const at = wrong.args.findIndex(({ text }, i) => text !== right.args[i]?.text);
  const [from = '', to = ''] = [wrong.args[at]?.text, right.args[at]?.text];
  const sub = toSub(wrong);
  if (!isPlainWord(from) || !isPlainWord(to)) return undefined;
  return { program: wrong.program, ...(sub.length === 0 ? {} : { sub }), from, to };
}

/** The lesson speaks of this very word: a number or a name that changed beside it corrects nothing. */
function isMeant({ program, from }: TokenReplacement, { programs = [] }: Triggers): boolean {
  return programs.some(
    ({ name, args }) => name === program && [...(args?.any ?? []), ...(args?.all ?? [])].includes(from),
  );
}
