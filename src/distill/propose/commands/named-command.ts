/**
 * The error names another command of the same program (`run npm install`), and that one did it. What the error says only
 * counts because the agent ran it and it worked.
 */
import { toCommandName, toOperands, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { findLater } from '../../episodes/find-later.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 3;

export const namedCommand = makePairDetector({
  name: 'distill/named-command@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const output = trouble.call.output ?? '';
    const [failed, ...more] = trouble.commands;
    if (failed === undefined || more.length > 0 || isVerdict(output) || isWorld(output)) return undefined;
    // Its hints tell the next step, not another way.
    if (failed.program === 'git' || toPlainSubCommand(failed).length === 0 || isLooking(failed)) return undefined;
    const name = toCommandName(failed);
    const later = findLater(
      trouble,
      MAX_STEPS,
      (one) => one.program === failed.program && isAnother(one, failed) && isTold(output, toCommandName(one)),
    );
    // That the failed one is named as well is usual; that it is tried again says that the other was a step to it.
    if (later === undefined || isTriedAgain(trouble.calls.slice(later.index), name)) return undefined;
    return {
      index: later.index,
      text: toEditText({
        claim: `\`${name}\` does not work here`,
        ...{ failed, fixing: later.command, said: trouble.call.message ?? '' },
        tags: [`tool:${failed.program}`, 'topic:other-command'],
        points: {
          words: toPlainSubCommand(later.command).filter((word) => !toPlainSubCommand(failed).includes(word)),
          told: output,
        },
      }),
      triggers: { tools: ['shell'], programs: [toProgramTrigger(failed)] },
      signals: later.signals,
      // Whoever writes the error would write the lesson.
      caution: 'the error itself named its remedy',
    };
  },
});

/** Another of the program's own commands for the same things: a script of the project (`run deploy`) is other work. */
function isAnother(one: SimpleCommand, failed: SimpleCommand): boolean {
  if (isSameSubCommand(one, failed) || toPlainSubCommand(one).length === 0 || /\brun\b/.test(toCommandName(one)))
    return false;
  const given = toOperands(one);
  return toOperands(failed).every((word) => given.includes(word)) && given.length === toOperands(failed).length;
}

/** Between quotes, or after a word that asks for it. */
function isTold(output: string, name: string): boolean {
  const at = output.indexOf(name);
  return at > 0 && /[`'"]$|\b(?:run|running|use|using|try|with)\s+$/i.test(output.slice(Math.max(0, at - 12), at));
}

function isTriedAgain(calls: readonly { readonly command?: string }[], name: string): boolean {
  return calls.slice(1).some(({ command = '' }) => command.includes(name));
}
