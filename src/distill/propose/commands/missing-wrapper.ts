/** A program that only runs another one (`timeout 10 npm test`) is not there: the line works without it, or by another name. */
import { hasHalfOf } from '../../../base/shell/command-words.ts';
import { listPrograms, listProgramsWith } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toExample } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { toCommandStart } from './unquoted.ts';

const MAX_STEPS = 4;
const WRAPPERS = listPrograms('decorates').join('|');
/** They may stand before it, or it behind one of them. */
const LEADING = ['!', 'xvfb-run', ...listProgramsWith('wraps')].join('|');
const MISSING = new RegExp(`(?:command not found: (${WRAPPERS})$|(?:^|[\\s:])(${WRAPPERS}): (?:command )?not found$)`);

export const missingWrapper = makePairDetector({
  name: 'distill/missing-wrapper@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const found = trouble.toLines().flatMap((line) => MISSING.exec(line)?.slice(1).filter(Boolean) ?? []);
    const [wrapper] = found;
    const line = trouble.call.command ?? '';
    const match = wrapper === undefined ? '' : toWrapping(wrapper);
    const from = wrapper === undefined ? -1 : findEnd(line, match);
    const wrapped = trouble.commands.find(({ text }) => from >= 0 && line.indexOf(text, from) >= from);
    if (wrapper === undefined || wrapped === undefined) return undefined;
    const isFree = (text: string): boolean => findEnd(text, match) < 0;
    const later = findLater(
      trouble,
      MAX_STEPS,
      (one, call) =>
        isFree(call.command ?? '') &&
        runsProgram(one, wrapped) &&
        hasHalfOf(
          wrapped.args.map(({ value }) => value),
          one,
        ),
    );
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: {
        summary: `\`${wrapper}\` is not on the PATH here: run the command without it`,
        mistake: `\`${wrapper} ${toShortCommand(wrapped, 100)}\` failed: \`${wrapper}\` was not found`,
        remediation: `Run the command without \`${wrapper}\``,
        example: toExample(wrapped, later.command, `\`${wrapper}\` was not found`),
        tags: [`tool:${wrapper}`, 'topic:missing-wrapper'],
      },
      triggers: { tools: ['shell'], line: { match: [match] } },
      intentKey: wrapper,
      signals: later.signals,
    };
  },
});

/** Where it is what is run: as a word of a search or a message it does no harm. */
function toWrapping(wrapper: string): string {
  return `${toCommandStart(LEADING)}${wrapper}\\s`;
}

/** Behind the wrapper; -1 where there is none. */
function findEnd(line: string, match: string): number {
  return new RegExp(match).exec(line)?.[0].length ?? -1;
}

function runsProgram({ program, args }: SimpleCommand, wrapped: SimpleCommand): boolean {
  return program === wrapped.program || args.some(({ value }) => value === wrapped.program);
}
