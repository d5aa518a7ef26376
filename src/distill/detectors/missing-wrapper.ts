/** A program that only runs another one (`timeout 10 npm test`) is not there: the line works without it, or by another name. */
import type { SimpleCommand } from '../../base/simple-command.ts';
import { keepsHalf } from '../command-shape.ts';
import { findLater } from '../find-later.ts';
import { makePairDetector } from '../make-pair-detector.ts';
import { toShortCommand } from '../to-short-command.ts';

const MAX_STEPS = 4;
const WRAPPERS = 'timeout|nice|ionice|nohup|stdbuf|setsid|unbuffer|chronic|xvfb-run';
const MISSING = new RegExp(`(?:command not found: (${WRAPPERS})$|(?:^|[\\s:])(${WRAPPERS}): (?:command )?not found$)`);

export const missingWrapper = makePairDetector({
  name: 'distill/missing-wrapper@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const found = trouble.toLines().flatMap((line) => MISSING.exec(line)?.slice(1).filter(Boolean) ?? []);
    const [wrapper] = found;
    const line = trouble.call.command ?? '';
    const from = wrapper === undefined ? -1 : line.search(new RegExp(`(?:^|[\\s;&|(])${wrapper}\\s`));
    const wrapped = trouble.commands.find(({ text }) => from >= 0 && line.indexOf(text) > from);
    if (wrapper === undefined || wrapped === undefined) return undefined;
    const isFree = (text: string): boolean => !new RegExp(`(?:^|[\\s;&|(])${wrapper}\\s`).test(text);
    const later = findLater(
      trouble,
      MAX_STEPS,
      (one, call) =>
        isFree(call.command ?? '') &&
        runsProgram(one, wrapped) &&
        keepsHalf(
          wrapped.args.map(({ value }) => value),
          one,
        ),
    );
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: {
        summary: `\`${wrapper}\` is not on the PATH here: use \`${toShortCommand(later.command, 80)}\``,
        mistake: `\`${line.slice(0, 160)}\` failed: \`${wrapper}\` was not found`,
        remediation: toShortCommand(later.command, 200),
        tags: [`tool:${wrapper}`, 'topic:missing-wrapper'],
      },
      triggers: { tools: ['shell'], line: { match: [`(?:^|[\\s;&|(])${wrapper}\\s`] } },
      intentKey: wrapper,
      signals: later.signals,
    };
  },
});

function runsProgram({ program, args }: SimpleCommand, wrapped: SimpleCommand): boolean {
  return program === wrapped.program || args.some(({ value }) => value === wrapped.program);
}
