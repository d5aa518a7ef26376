/** The same command works once a variable is set for it: `GOCACHE=/tmp/cache go list` where the cache is not writable. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameCommand } from '../../../base/shell/intent.ts';
import { isPreparing } from '../../../base/shell/program-kinds.ts';
import { findLater } from '../../episodes/find-later.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 8;
const ASSIGNED = /(?:^|[\s;&|(])([A-Z][A-Z0-9_]{2,})=([^\s;&|$`"'()]+)\s+(?=\S)/g;
const SECRET = /TOKEN|KEY|SECRET|PASS|AUTH|CREDENTIAL/;
/** It makes a program say more, and mends nothing. */
const TELLING = /TRACE|DEBUG|VERBOSE|(?:^|_)LOG|COLOR/;
/** Of a longer line nobody knows which command the variable was for. */
const MAX_COMMANDS = 3;

export const missingVariable = makePairDetector({
  name: 'distill/missing-variable@1',
  kind: 'missing-precondition',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const output = trouble.call.output ?? '';
    if (trouble.call.masked || isVerdict(output) || isWorld(output)) return undefined;
    if (trouble.commands.length > MAX_COMMANDS) return undefined;
    for (const failed of trouble.commands.filter((one) => !isPreparing(one) && one.program !== 'eval')) {
      const later = findLater(
        trouble,
        MAX_STEPS,
        (one, call) =>
          failed.args.length > 0 && isSameCommand(failed, one) && findNewVariable(trouble.call, call) !== undefined,
      );
      const added = later === undefined ? undefined : findNewVariable(trouble.call, later.call);
      if (later === undefined || added === undefined) continue;
      const name = toCommandName(failed);
      return {
        index: later.index,
        text: toEditText({
          claim: `\`${name}\` needs \`${added.name}\` here`,
          ...{ failed, fixing: failed, around: { set: added }, points: { around: true, told: output } },
          said: trouble.call.message ?? trouble.toLines()[0] ?? '',
          tags: [`tool:${failed.program}`, 'topic:environment'],
        }),
        triggers: {
          tools: ['shell'],
          programs: [toProgramTrigger(failed)],
          line: { unless: [`${added.name}=`] },
        },
        signals: later.signals,
      };
    }
    return undefined;
  },
});

interface Variable {
  readonly name: string;
  readonly value: string;
}

function toVariables({ command = '' }: LiveCall): readonly Variable[] {
  return [...command.matchAll(ASSIGNED)].map(([, name = '', value = '']) => ({ name, value }));
}

/** A variable that the later line sets and the earlier one does not. */
export function findNewVariable(earlier: LiveCall, later: LiveCall): Variable | undefined {
  const had = toVariables(earlier);
  return toVariables(later).find(
    ({ name }) => !SECRET.test(name) && !TELLING.test(name) && !had.some((one) => one.name === name),
  );
}
