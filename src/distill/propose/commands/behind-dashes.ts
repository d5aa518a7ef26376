/** An option that is meant for what the program runs: it is taken only behind `--`, as in `cargo test -- --nocapture`. */

import { END } from '../../../base/shell/command-edit.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toExample, toMistake } from '../../text/edit-text.ts';
import { findCulprit } from '../rejected-words/find-culprit.ts';

const MAX_STEPS = 4;

export const behindDashes = makePairDetector({
  name: 'distill/behind-dashes@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const output = trouble.call.output ?? '';
    if (isVerdict(output) || isWorld(output)) return undefined;
    const culprit = findCulprit(trouble.commands, output);
    if (culprit?.role !== 'option' || isBehind(culprit.command, culprit.word)) return undefined;
    const { command: failed, word } = culprit;
    const later = findLater(trouble, MAX_STEPS, (one) => isSameSubCommand(one, failed) && isBehind(one, word));
    if (later === undefined) return undefined;
    const name = toCommandName(failed);
    return {
      index: later.index,
      text: {
        summary: `\`${name}\` takes \`${word}\` only behind \`--\`: put it there`,
        mistake: toMistake(failed, culprit.message),
        remediation: `Put \`${word}\` behind \`--\``,
        tags: [`tool:${failed.program}`, 'topic:cli-flag'],
        edit: {
          program: failed.program,
          steps: [
            { from: [word], to: [] },
            { from: [], to: ['--', word], at: END },
          ],
        },
        example: toExample(failed, later.command, culprit.message),
      },
      triggers: {
        tools: ['shell'],
        programs: [{ ...toProgramTrigger(failed), args: { any: [word] } }],
        command: { unless: [`\\s--\\s.*${toLiteral(word)}`] },
      },
      signals: later.signals,
    };
  },
});

function isBehind({ args }: SimpleCommand, word: string): boolean {
  const words = args.map(({ value }) => value);
  const dashes = words.indexOf('--');
  return dashes >= 0 && words.slice(dashes).some((one) => one === word || one.startsWith(`${word}=`));
}
