/**
 * A program that only runs another one (`timeout`, `nice`, `xvfb-run`) is not on this machine, and the other one then ran
 * without it. The parser looks through such programs, so the typed line tells whether one is there.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { isSameCommand } from '../../../base/shell/intent.ts';
import { findFacts } from '../../../base/shell/programs/all-facts.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { isFailedCommand, makePairDetector } from '../../episodes/make-finding.ts';
import { isOnEveryMachine } from '../../episodes/passing-program.ts';
import { SETS_UP } from '../../episodes/set-up.ts';
import { toExample } from '../../text/edit-text.ts';

const MAX_STEPS = 6;

export const missingWrapper = makePairDetector({
  name: 'distill/missing-wrapper@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  isCandidate: (call) => isFailedCommand(call) && findMissing(call) !== undefined,
  findFix(failure) {
    const name = findMissing(failure.call);
    if (name === undefined) return undefined;
    const typed = toTyped(name);
    const isWithout = ({ command = '' }: LiveCall): boolean => !new RegExp(typed).test(command);
    const later = findLater(
      failure,
      MAX_STEPS,
      (one, call) => isWithout(call) && failure.commands.some((failed) => isSameCommand(failed, one)),
    );
    // It was found after all, so its absence was an accident.
    const isThere = failure.calls.some((call) => call.outcome === 'success' && !isWithout(call));
    if (later === undefined || isThere) return undefined;
    const failed = failure.commands.find((one) => isSameCommand(one, later.command)) ?? later.command;
    return {
      index: later.index,
      text: {
        summary: `\`${name}\` is not on this machine: run the command without it`,
        mistake: `\`${name}\` is not on this machine`,
        remediation: `Run the command without \`${name}\``,
        tags: [`tool:${name}`, 'topic:missing-program'],
        example: toExample({ ...failed, text: `${name} ${failed.text}` }, later.command, failure.call.message ?? ''),
      },
      intentKey: name,
      triggers: { tools: ['shell'], line: { match: [typed], unless: [SETS_UP] } },
      signals: later.signals,
    };
  },
});

const UNFOUND = /(?:command not found: |: )([\w.+-]{2,40})(?:: (?:command )?not found)?$/m;

/** The program that the shell did not find, if it only runs other ones. */
function findMissing({ message = '', command = '' }: LiveCall): string | undefined {
  const name = /not found/.test(message) ? UNFOUND.exec(message.trim())?.[1] : undefined;
  if (name === undefined || findFacts(name)?.wraps === undefined || isOnEveryMachine(name)) return undefined;
  return new RegExp(toTyped(name)).test(command) ? name : undefined;
}

/** Where a command begins, behind variables. */
function toTyped(name: string): string {
  return `(?:^|[;&|(\\n]\\s*)(?:[A-Za-z_]\\w*=\\S*\\s+)*${toLiteral(name)}\\s`;
}
