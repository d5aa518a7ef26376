/**
 * The same command with an option more: the error asked for it (`use -u`, `required flag "base"`), or is one that only
 * an option mends (a build tag, a target that cannot run here). Options that silence or force are never a lesson.
 */

import { toCommandName, toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { findFacts } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPatternFolder } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { isNamedIn } from '../../episodes/cure-step.ts';
import { findLater, type Later } from '../../episodes/find-later.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { isForcing } from '../../gate/risky-remedies/is-forcing.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 4;
const NEEDS =
  /build constraints exclude all|exec format error|need to specify how|has no upstream branch|role "[^"]+" does not exist|connection to server on socket|required (?:flags?|options?)|(?:flags?|options?|arguments?) (?:is|are|were) (?:required|not provided|not set|missing)|missing (?:required )?(?:flag|option|argument)|\bmust (?:specify|provide|pass|be (?:given|specified|provided))\b/i;

export const missingOption = makePairDetector({
  name: 'distill/missing-option@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const line = trouble.toLines().find((one) => NEEDS.test(one) || ASKS.test(one));
    if (line === undefined || trouble.call.masked) return undefined;
    for (const failed of trouble.commands) {
      const later = findLater(trouble, MAX_STEPS, (one) => isExtended(failed, one, trouble));
      if (later !== undefined) return toCure(failed, later, line, trouble.call.output ?? '');
    }
    return undefined;
  },
});

/** An option in the words of the error itself. */
const ASKS = /\b(?:use|using|try|add|pass|with|set|supply|specify|run)\b[^.]{0,60}\s[`'"]?--?[a-z]/i;

function hasAllOf(failed: SimpleCommand, later: SimpleCommand): boolean {
  const given = later.args.map(({ value }) => value);
  return failed.args.every(({ value }) => given.includes(value));
}

function toCure(failed: SimpleCommand, later: Later, line: string, output: string) {
  const name = toCommandName(failed);
  const needed = findNeeded(failed, later.command, output);
  // Which of several options made it work is not known: then they are told as what happened, not as what to do.
  const added = needed.length > 0 ? needed : toAdded(failed, later.command);
  const all = added.map((option) => `\`${option}\``).join(' and ');
  return {
    index: later.index,
    text: toEditText({
      claim: needed.length > 0 ? `\`${name}\` needs ${all} here` : `\`${name}\` needs another option here`,
      ...{ failed, fixing: toAnywhere(later.command, line), said: line },
      tags: [`tool:${failed.program}`, 'topic:missing-option'],
      points: { words: needed, told: output },
      lasting: ['HEAD'],
      otherwise: needed.length > 0 ? `give it ${all}` : `look for the option it needs: it worked with ${all}`,
    }),
    triggers: toTriggers(failed, added, line),
    signals: later.signals,
  };
}

const NO_UPSTREAM = /current branch (\S+) has no upstream/;

/** What was the current branch then is another one at the next call: git has a word for it. */
function toAnywhere(command: SimpleCommand, line: string): SimpleCommand {
  const branch = NO_UPSTREAM.exec(line)?.[1];
  if (command.program !== 'git' || branch === undefined) return command;
  const args = command.args.map((arg) => (arg.value === branch ? { ...arg, value: 'HEAD', text: 'HEAD' } : arg));
  return { ...command, args };
}

function toTriggers(failed: SimpleCommand, added: readonly string[], line: string): Triggers {
  const [variable] = toVariables(failed).filter((one) => /^\w+=[\w.-]+$/.test(one));
  const [place] = toOperands(failed)
    .map(toPatternFolder)
    .filter((word) => word !== '');
  const needed = variable ?? place;
  const none = added.flatMap((option) => toSameOptions(toCommandName(failed), option));
  const text = needed === undefined ? undefined : { match: [`(?:^|[\\s/])${toLiteral(needed)}(?:[/\\s]|$)`] };
  const command = NO_UPSTREAM.test(line) ? { ...text, unless: [NAMES_BRANCH] } : text;
  return {
    tools: ['shell'],
    programs: [{ ...toProgramTrigger(failed), args: { none } }],
    ...(command === undefined ? {} : { command }),
  };
}

/** Who says what to push where needs no upstream. */
const NAMES_BRANCH = '\\spush\\s+(?:-\\S+\\s+)*[A-Za-z_][\\w./-]*\\s+[A-Za-z_+:]';

/** Those set for it alone: `GOOS=windows go test`. */
function toVariables({ text }: SimpleCommand): readonly string[] {
  return /^(?:[A-Za-z_]\w*=\S* +)+/.exec(text)?.[0].trim().split(/ +/) ?? [];
}

function toAdded(failed: SimpleCommand, later: SimpleCommand): readonly string[] {
  const had = toOptions(failed).flatMap((option) => toSameOptions(toCommandName(failed), option));
  return toOptions(later).filter((option) => !had.includes(option));
}

/** Of the options that came, those that the error names, or the only one. Empty where nobody can tell. */
function findNeeded(failed: SimpleCommand, later: SimpleCommand, output: string): readonly string[] {
  const added = toAdded(failed, later);
  const named = added.filter((option) =>
    toSameOptions(toCommandName(failed), option).some((name) => isNamedIn(output, name)),
  );
  if (named.length > 0) return named;
  return added.length === 1 && NEEDS.test(output) ? added : [];
}

function isExtended(failed: SimpleCommand, later: SimpleCommand, { call }: Trouble): boolean {
  if (!isSameSubCommand(failed, later)) return false;
  if (toAdded(failed, later).some(isForcing) || !hasAllOf(failed, later)) return false;
  const output = call.output ?? '';
  return findNeeded(failed, later, output).length > 0 || (toAdded(failed, later).length > 0 && NEEDS.test(output));
}

/**
 * Options with two names: a lesson that asks for one is silent at the other. The option itself, and its other name if
 * it has one. `name`: the program with its sub-command.
 */
function toSameOptions(name: string, option: string): readonly string[] {
  const [program = '', sub = ''] = name.split(' ');
  const twins = findFacts(program)?.twins ?? {};
  for (const key of [sub, '']) {
    const names = Object.hasOwn(twins, key) ? (twins[key]?.split(' ') ?? []) : [];
    const at = names.indexOf(option);
    const other = names[at % 2 === 0 ? at + 1 : at - 1];
    if (at >= 0 && other !== undefined) return [option, other];
  }
  return [option];
}
