/** A field given with the wrong option: `-f in_reply_to=7` sends a text where `-F in_reply_to=7` sends a number. */

import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import { toCommandName, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toExample } from '../../text/edit-text.ts';

const MAX_STEPS = 4;
const WRONG_TYPE =
  /(\w+)\\?["'`]?[,:]? (?:\\?["'`][^"'`]{0,60}["'`] )?(?:is not|must be|should be|expected) (?:an? |of type )?\\?["'`]?(number|integer|boolean|array|object|string)\b/gi;
/** Stands in all of them, and is found far sooner than that none of them is there. */
const HINT = /is not|must be|should be|expected/i;
const MAX_TEXT_CHARS = 4000;

export const swappedOption = makePairDetector({
  name: 'distill/swapped-option@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const output = (trouble.call.output ?? '').slice(0, MAX_TEXT_CHARS);
    if (!HINT.test(output)) return undefined;
    for (const [, field = '', type = ''] of output.matchAll(WRONG_TYPE)) {
      const failed = trouble.commands.find((command) => findOption(command, field) !== undefined);
      const wrong = failed === undefined ? undefined : findOption(failed, field);
      if (failed === undefined || wrong === undefined) continue;
      const later = findLater(trouble, MAX_STEPS, (one) => {
        const option = isSameSubCommand(failed, one) ? findOption(one, field) : undefined;
        return option !== undefined && option !== wrong;
      });
      const right = later === undefined ? undefined : findOption(later.command, field);
      if (later === undefined || right === undefined) continue;
      const name = toCommandName(failed);
      return {
        index: later.index,
        text: {
          summary: `\`${name} ${wrong} ${field}=<text>\` sends what is no ${type}: use \`${right} ${field}=<text>\``,
          mistake: `\`${name} ${wrong} ${field}=<text>\` failed: ${field} is not a ${type}`,
          remediation: `Use \`${right} ${field}=<text>\` instead of \`${wrong} ${field}=<text>\``,
          tags: [`tool:${failed.program}`, 'topic:cli-value'],
          edit: toEdit(failed, field, wrong, right),
          example: toExample(failed, later.command, `${field} is not a ${type}`),
        },
        triggers: {
          tools: ['shell'],
          programs: [{ ...toProgramTrigger(failed), args: { any: [wrong] } }],
          command: { match: [`(?:^|\\s)${toLiteral(wrong)}[=\\s]+["']?${toLiteral(field)}=`] },
        },
        signals: later.signals,
      };
    }
    return undefined;
  },
});

function toEdit(failed: SimpleCommand, field: string, wrong: string, right: string): CommandEdit {
  const hole = { any: 'text', prefix: `${field}=` } as const;
  const sub = toPlainSubCommand(failed);
  const steps = [{ from: [wrong, hole], to: [right, { ...hole, copy: 0 }] }];
  return { program: failed.program, ...(sub.length === 0 ? {} : { sub }), steps };
}

/** The option that gives a field: `-f` of `-f name=value`. */
function findOption({ args }: SimpleCommand, field: string): string | undefined {
  const at = args.findIndex(({ value }) => value.startsWith(`${field}=`));
  const before = args[at - 1]?.value ?? '';
  return at > 0 && isOption(before) ? before : undefined;
}
