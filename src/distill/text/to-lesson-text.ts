/**
 * A corrected command in plain words. Only the agent's own commands and the few words in which the program named the
 * culprit go into the text: the rest of an output is evidence, it must never read like an instruction.
 */

import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { type Culprit, type CulpritRole, toFailedName } from '../propose/rejected-words/find-culprit.ts';
import { toSameRun } from '../propose/rejected-words/runs-program.ts';
import { type LessonText, toEditText, toSentence } from './edit-text.ts';
import { toLeadName } from './to-short-command.ts';

const TOPICS: Readonly<Record<CulpritRole, string>> = {
  program: 'missing-program',
  'sub-command': 'cli-command',
  option: 'cli-flag',
  value: 'cli-value',
  word: 'missing-target',
};

/** Undefined where the two commands do not show what to do without the word: "do it otherwise" is no lesson. */
export function toLessonText(culprit: Culprit, fixing: SimpleCommand, setUp?: string): LessonText | undefined {
  const { role, command: failed, message: said } = culprit;
  const fix = toRemedy(culprit, fixing);
  const tags = toTags(culprit, fixing, setUp);
  const isProgram = role === 'program';
  const told = toEditText({
    ...{ claim: toClaim(culprit), failed, fixing: fix, said, tags },
    points: isProgram ? { program: true, told: said } : { culprit },
    otherwise: toOtherwise(culprit),
  });
  if (setUp === undefined) return told.remediation === '' ? undefined : told;
  // The program was found because the line said where.
  const how = `run \`${setUp}\` first, in the same line`;
  const { edit: _, ...rest } = told;
  return { ...rest, summary: `${toClaim(culprit)}: ${how}`, remediation: toSentence(how) };
}

/** What follows from the message alone. */
function toOtherwise({ role, word, embedded }: Culprit): string {
  if (role === 'program') return `find out first where \`${word}\` is`;
  return role === 'option' || embedded ? `leave out \`${word}\`` : '';
}

/** What is on the machine was not on the PATH of this session: another one may well have it. */
export const LOST_PATH = 'topic:search-path';

export function toTags({ role, word, command }: Culprit, fixing?: SimpleCommand, setUp = ''): readonly string[] {
  const isOnMachine = fixing?.program === word && /^(?:~|\/)/.test(fixing.text);
  const isLost = role === 'program' && (isOnMachine || setUp.includes('PATH='));
  return [`tool:${command.program}`, isLost ? LOST_PATH : `topic:${TOPICS[role]}`];
}

/** Of a missing program the way to run it is the lesson, not what it was asked the next time. */
function toRemedy({ role, command }: Culprit, fixing: SimpleCommand): SimpleCommand {
  const operands = command.args.map(({ value }) => value).filter((word) => !isOption(word));
  const hasOperand = fixing.args.some(({ value }) => operands.includes(value));
  return role === 'program' && !hasOperand ? toSameRun(fixing, command) : fixing;
}

export function toClaim(culprit: Culprit): string {
  const { role, word, option, message, command } = culprit;
  const name = role === 'sub-command' || role === 'word' ? toFailedName(culprit) : toLeadName(command, word);
  switch (role) {
    case 'program':
      return `\`${word}\` is not on the PATH here`;
    case 'sub-command':
      return `\`${name}\` has no command \`${word}\``;
    case 'option':
      return `\`${name}\` has no \`${word}\``;
    case 'value':
      return `\`${name} ${option}\` does not take \`${word}\``;
    case 'word':
      if (/already/.test(message)) return `\`${name} ${word}\` is not possible here, another worktree has it`;
      return `\`${name}\` finds no \`${word}\` here`;
  }
}
