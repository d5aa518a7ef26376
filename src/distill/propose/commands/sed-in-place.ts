/** BSD's `sed -i` wants a suffix, if only an empty one: it takes the script for it, and the file for the script. */
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 4;
const MISREAD =
  /^sed: (?:-e|\d+): .*(?:command \w expects|invalid command code|extra characters at the end|undefined label|unterminated|bad flag)/;
const EMPTY = `-i\\s*(?:''|"")`;

export const sedInPlace = makePairDetector({
  name: 'distill/sed-in-place@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const line = trouble.toLines().find((one) => MISREAD.test(one));
    const failed = trouble.commands.find((command) => isInPlace(command) && !hasSuffix(command));
    if (line === undefined || failed === undefined) return undefined;
    const later = findLater(trouble, MAX_STEPS, (one) => isInPlace(one) && hasSuffix(one));
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: toEditText({
        claim: '`sed -i` wants a suffix on this machine, if only an empty one',
        ...{ failed, fixing: later.command, said: line, tags: ['tool:sed', 'topic:shell-dialect'] },
        points: { told: line },
        edit: { program: 'sed', steps: [{ from: ['-i'], to: ['-i', "''"] }] },
      }),
      triggers: {
        tools: ['shell'],
        programs: [{ name: 'sed', args: { any: ['-i'] } }],
        command: { unless: [EMPTY] },
      },
      intentKey: 'sed -i',
      signals: later.signals,
    };
  },
});

function isInPlace({ program, args }: SimpleCommand): boolean {
  return program === 'sed' && args.some(({ value }) => value === '-i');
}

function hasSuffix({ text }: SimpleCommand): boolean {
  return new RegExp(EMPTY).test(text);
}
