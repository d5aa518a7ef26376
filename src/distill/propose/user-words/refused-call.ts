/**
 * A call that the user refused with a rule: a thing not to do, one to do first, one to do instead. What is said about this
 * moment or this piece of work ("wait", "not this one", a question) is no rule.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toOperands, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { isDoing } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import { type FailureWindow, makePairDetector } from '../../episodes/make-finding.ts';
import { toSaidRemedy, USER_RULE } from '../../lessons/same-rule.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 6;
const MAX_WORDS_CHARS = 120;
const NEVER =
  /^(?:(?:no|nope|stop|please|hey)[,.!: ]+)*(?:do not|don'?t|never|you (?:should|must)(?: not|n'?t)|i did(?: not|n'?t) (?:say|ask|tell)|we (?:do not|don'?t|never))\b/i;
const FIRST = /\bfirst[.!]*$|^(?:first|before)\b/i;
const INSTEAD = /^(?:please |always |just )*(?:use|prefer|reply)\b/i;
/** Said about what lies on the table now. */
const MOMENTARY = /\?|\b(?:this|these|that|those|it|now|yet|wait|worry|actually|maybe|already|let me|i'?ll)\b/i;

export const refusedCall = makePairDetector({
  name: 'distill/refused-call@1',
  kind: 'refused-by-user',
  maxSteps: MAX_STEPS,
  signals: ['user-corrected'],
  isCandidate: ({ outcome, outcomeType, message }) =>
    outcome === 'denied' && outcomeType === 'user-refusal' && message !== undefined,
  findFix(trouble) {
    const words = toRule(trouble.call.message ?? '');
    if (words === undefined) return undefined;
    if (FIRST.test(words)) return findFirst(trouble, words);
    if (trouble.call.tool !== 'shell') return undefined;
    return NEVER.test(words) || INSTEAD.test(words) ? findInstead(trouble, words) : undefined;
  },
});

/** One short sentence or two; links are about the case at hand. */
function toRule(said: string): string | undefined {
  const words = said.trim().replace(/https?:\/\/\S+/g, '…');
  if (words.length > MAX_WORDS_CHARS || words.includes('\n') || MOMENTARY.test(words)) return undefined;
  return words;
}

function findInstead(trouble: FailureWindow, words: string) {
  const refused = findMeant(trouble.commands, words);
  const next = trouble.calls.findIndex((one, at) => at > trouble.index && one.outcome === 'success');
  // A program that does one thing only was refused for what it was to do it with.
  if (refused === undefined || next < 0 || toPlainSubCommand(refused).length === 0) return undefined;
  return {
    index: next,
    text: {
      summary: `The user refused \`${toShortCommand(refused, 60)}\`: "${words}"`,
      mistake: `\`${toShortCommand(refused, 200)}\` was refused by the user`,
      remediation: toSaidRemedy(words),
      tags: [`tool:${refused.program}`, USER_RULE],
    },
    triggers: { tools: ['shell'] as const, programs: [{ ...toProgramTrigger(refused), ...toNamed(refused, words) }] },
  };
}

/** `main` of `git push origin main`, when the user said "never push to main". */
function toNamed(refused: SimpleCommand, words: string): Pick<ProgramTrigger, 'args'> {
  const named = toOperands(refused).filter((word) => words.split(/[^\w./-]+/).includes(word));
  return named.length === 0 ? {} : { args: { all: named } };
}

/** What was asked for ran, and then the refused call went through. */
function findFirst(trouble: FailureWindow, words: string) {
  const { call, calls, index, commands, commandsOf } = trouble;
  const refused = commands.filter(isDoing).at(-1);
  const isAgain = (one: LiveCall, at: number): boolean => {
    if (one.outcome !== 'success') return false;
    if (refused === undefined) return call.tool !== 'shell' && one.tool === call.tool;
    return commandsOf(at).some((other) => isSameSubCommand(refused, other));
  };
  const again = calls.findIndex((one, at) => at > index && isAgain(one, at));
  const isNext = (at: number): boolean => at > index && at < again && calls[at]?.outcome === 'success';
  const found = calls.findIndex((_, at) => isNext(at) && commandsOf(at).some(isDoing));
  const first = commandsOf(found).filter(isDoing).at(-1);
  if (again < 0 || found < 0 || first === undefined) return undefined;
  const what = refused === undefined ? `the first ${call.tool}` : `\`${toCommandName(refused)}\``;
  const session = { unless: [{ ran: toCommandName(first) }] };
  return {
    index: found,
    provenAt: again,
    text: {
      summary: `Before ${what}, the user wants: "${words}" (\`${toShortCommand(first, 60)}\`)`,
      mistake: `The user refused ${what}: "${words}"`,
      remediation: `Run \`${toShortCommand(first, 120)}\` first`,
      tags: [USER_RULE],
    },
    triggers:
      refused === undefined
        ? { tools: ['edit', 'write'] as const, session }
        : { tools: ['shell'] as const, programs: [toProgramTrigger(refused)], session },
    ...(refused === undefined ? { intentKey: call.tool } : {}),
    signals: ['fix-confirmed'] as const,
  };
}

/** The command of the line that the user speaks of; else the last that does something. */
function findMeant(commands: readonly SimpleCommand[], words: string): SimpleCommand | undefined {
  const doing = commands.filter(isDoing);
  const said = new Set(words.toLowerCase().split(/[^a-z0-9]+/));
  return doing.find((one) => toPlainSubCommand(one).some((word) => said.has(word))) ?? doing.at(-1);
}
