/**
 * A corrected command in plain words. Only the agent's own commands and the few words in which the program named the
 * culprit go into the text: the rest of an output is evidence, it must never read like an instruction.
 */

import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import type { Culprit, CulpritRole } from '../propose/rejected-words/culprit.ts';
import { toSameRun } from '../propose/rejected-words/runs-program.ts';
import { type LessonText, toEditText, toSentence } from './edit-text.ts';

const TOPICS: Readonly<Record<CulpritRole, string>> = {
  program: 'missing-program',
  'sub-command': 'cli-command',
  option: 'cli-flag',
  value: 'cli-value',
  word: 'missing-target',
};

export function toLessonText(culprit: Culprit, fixing: SimpleCommand, setUp?: string): LessonText {
  const { role, word, command: failed, message: said } = culprit;
  const fix = toRemedy(culprit, fixing);
  const tags = toTags(culprit, fixing, setUp);
  const isProgram = role === 'program';
  const told = toEditText({
    ...{ claim: toClaim(culprit), failed, fixing: fix, said, tags },
    points: isProgram ? { program: true, told: said } : { culprit },
    otherwise: isProgram ? `find out first where \`${word}\` is` : `do it without \`${word}\``,
  });
  if (setUp === undefined) return told;
  // The program was found because the line said where.
  const how = `run \`${setUp}\` first, in the same line`;
  const { edit: _, ...rest } = told;
  return { ...rest, summary: `${toClaim(culprit)}: ${how}`, remediation: toSentence(how) };
}

/** What is on the machine was not on the PATH of this session: another one may well have it. */
export const LOST_PATH = 'topic:search-path';

export function toTags({ role, word, command, here }: Culprit, fixing?: SimpleCommand, setUp = ''): readonly string[] {
  const isOnMachine = fixing?.program === word && /^(?:~|\/)/.test(fixing.text);
  const isLost = role === 'program' && (isOnMachine || setUp.includes('PATH='));
  return [`tool:${command.program}`, isLost ? LOST_PATH : `topic:${here ? TOPICS.word : TOPICS[role]}`];
}

/** What the agent wanted, without what changed: `gh pr diff`. */
export function toIntentName({ command, sub }: Culprit): string {
  return [command.program, ...sub].join(' ');
}

/** Of a missing program the way to run it is the lesson, not what it was asked the next time. */
function toRemedy({ role, command }: Culprit, fixing: SimpleCommand): SimpleCommand {
  const operands = command.args.map(({ value }) => value).filter((word) => !isOption(word));
  const isSameTask = fixing.args.some(({ value }) => operands.includes(value));
  return role === 'program' && !isSameTask ? toSameRun(fixing, command) : fixing;
}

export function toClaim(culprit: Culprit): string {
  const { role, word, option, message, here } = culprit;
  const intent = toIntentName(culprit);
  switch (role) {
    case 'program':
      return `\`${word}\` is not on the PATH here`;
    case 'sub-command':
      return `\`${intent}\` has no command \`${word}\``;
    case 'option':
      // What is missing is missing here: elsewhere the program takes the option.
      return here ? `\`${intent}\` cannot use \`${word}\` here` : `\`${intent}\` has no \`${word}\``;
    case 'value':
      return `\`${intent} ${option}\` does not take \`${word}\`${here ? ' here' : ''}`;
    case 'word':
      if (/already/.test(message)) return `\`${intent} ${word}\` is not possible here, another worktree has it`;
      return `\`${intent}\` finds no \`${word}\` here`;
  }
}
