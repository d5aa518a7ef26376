/**
 * Triggers that hold for the command that failed and not for the one that worked. The words of the report narrow them,
 * as far as the failed command has them; they never widen.
 */

import { toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { hasWord, isOption } from '../../../base/shell/simple-command.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { isForcing } from '../../gate/risky-remedies/is-forcing.ts';
import { SAFETY } from '../rejected-words/find-fix.ts';

/** Undefined when nothing tells them apart, or what does is no lesson. */
export function separateTriggers(
  failed: SimpleCommand,
  worked: SimpleCommand,
  words: readonly SimpleCommand[],
): Triggers | undefined {
  const added = toOptions(worked).filter((option) => !toOptions(failed).includes(option));
  if (added.some(isForcing)) return undefined;
  const args = isSameSubCommand(failed, worked)
    ? toArgs(failed, worked, { words, added })
    : toAll(toMeant(failed, words));
  return args === undefined ? undefined : { tools: ['shell'], programs: [{ ...toProgramTrigger(failed), ...args }] };
}

type Args = Pick<ProgramTrigger, 'args'>;

interface Parts {
  readonly words: readonly SimpleCommand[];
  readonly added: readonly string[];
}

function toArgs(failed: SimpleCommand, worked: SimpleCommand, { words, added }: Parts): Args | undefined {
  const isGone = (word: string): boolean => !hasWord(worked, word);
  const meant = toMeant(failed, words);
  const gone = [...toOptions(failed), ...meant].filter(isGone);
  // Without it the command does more than was meant: leaving it out is no fix.
  if (added.length === 0 && gone.some((word) => SAFETY.test(word))) return undefined;
  const said = meant.filter(isGone);
  if (gone.length > 0) return toAll(said.length > 0 ? said : [...new Set(gone)]);
  return added.length === 0 ? undefined : { args: { ...toAll(meant.filter(isOption)).args, none: added } };
}

/** What the report names and the failed command has. */
function toMeant(failed: SimpleCommand, words: readonly SimpleCommand[]): readonly string[] {
  const named = words.flatMap((one) => [...toOptions(one), ...toOperands(one)]);
  return [...new Set(named)].filter((word) => word.length > 1 && hasWord(failed, word));
}

function toAll(words: readonly string[]): Args {
  return words.length === 0 ? {} : { args: { all: words } };
}
