/** More words than the program takes: `gh pr diff 12 -- src` where it knows no path filter. The error gives numbers only. */

import { toCommandName, toOperands, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 4;
const COUNTS = [
  /accepts (?:at most |no more than |up to )?(\d+) arg(?:\(s\)|s|ument\(?s?\)?)?,? (?:but )?received (\d+)/i,
  /expected (?:at most |no more than |up to )?(\d+) (?:positional )?arg(?:ument)?s?,? (?:but )?(?:got|received|found) (\d+)/i,
  /takes (?:at most |from \d+ to )?(\d+) (?:positional )?arguments? but (\d+) (?:were|was) given/i,
];

export const tooManyWords = makePairDetector({
  name: 'distill/too-many-words@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const found = trouble.toLines().flatMap((line) => COUNTS.flatMap((pattern) => pattern.exec(line) ?? []));
    const [message = '', taken = 0, given = 0] = [found[0], Number(found[1]), Number(found[2])];
    if (message === '' || !(given > taken)) return undefined;
    const meant = trouble.commands.filter(
      (command) => countWords(command) === given && toPlainSubCommand(command).length > 0,
    );
    const [failed] = meant;
    if (failed === undefined || meant.some((one) => !isSameSubCommand(one, failed))) return undefined;
    const later = findLater(trouble, MAX_STEPS, (one) => isLess(failed, one, taken));
    if (later === undefined) return undefined;
    const name = toCommandName(failed);
    const some = taken === 1 ? 'one argument' : `${taken} arguments`;
    return {
      index: later.index,
      text: toEditText({
        claim: `\`${name}\` takes at most ${some}${hasEnd(failed) ? ' and nothing after `--`' : ''}`,
        ...{ failed, fixing: later.command, said: message, tags: [`tool:${failed.program}`, 'topic:cli-words'] },
        points: { surplus: true },
        otherwise: `give it at most ${some}`,
      }),
      triggers: { tools: ['shell'], programs: [toTrigger(failed, taken)] },
      signals: later.signals,
    };
  },
});

function toTrigger(failed: SimpleCommand, taken: number): ProgramTrigger {
  const base = toProgramTrigger(failed);
  return hasEnd(failed)
    ? { ...base, args: { all: ['--'] } }
    : { ...base, words: toPlainSubCommand(failed).length + taken + 1 };
}

function hasEnd({ args }: SimpleCommand): boolean {
  return args.some(({ value }) => value === '--');
}

/** Values of options that stand apart are no words of their own: such a command is not the one that was counted. */
function countWords(command: SimpleCommand): number {
  return toOperands(command).length;
}

/** The same thing with fewer words, or the same object asked for in another way. */
function isLess(failed: SimpleCommand, later: SimpleCommand, taken: number): boolean {
  const [object] = toOperands(failed);
  if (later.program !== failed.program || object === undefined) return false;
  if (isSameSubCommand(failed, later)) return countWords(later) <= taken && !hasEnd(later);
  return later.args.some(({ value }) => !isOption(value) && value.split(/[/:#]/).includes(object));
}
