/** When a lesson about a culprit speaks: on that word in that role of that program, and on nothing else. */

import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption, toPositionals } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { isNamedCommand } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import type { Culprit } from './culprit.ts';
import { SETS_UP } from './set-up.ts';

export function toTriggers(culprit: Culprit): Triggers {
  const match = toMatch(culprit);
  const unless = toUnless(culprit);
  return {
    tools: ['shell'],
    programs: [toProgramTrigger(culprit)],
    ...(match === undefined && unless === undefined
      ? {}
      : {
          command: {
            ...(match === undefined ? {} : { match: [match] }),
            ...(unless === undefined ? {} : { unless: [unless] }),
          },
        }),
    // Once its PATH is set, the program is there.
    ...(culprit.role === 'program' ? { line: { unless: [SETS_UP] } } : {}),
  };
}

/**
 * What is asked for by a name may be meant in another way with other options: `git checkout main` is not
 * `git checkout -b fix main` nor `git checkout main -- file`. A script or target is the same whatever the options are.
 */
function toUnless(culprit: Culprit): string | undefined {
  return isThing(culprit) && !culprit.command.args.some(({ value }) => isOption(value)) ? '\\s-' : undefined;
}

/** Something that comes and goes, or that another one has: not a word of the program or of the project's own tasks. */
function isThing({ role, absent, message }: Culprit): boolean {
  return role === 'word' && (absent === true || /already/.test(message));
}

function toProgramTrigger(culprit: Culprit): ProgramTrigger {
  const { role, word, option, sub } = culprit;
  const name = culprit.command.program;
  if (role === 'program') return { name };
  if (role === 'sub-command') return { name, sub: [...sub, word] };
  // It has to stand where it stood: `fix main` is about `fix`.
  if (isThing(culprit) && toPositionals(culprit.command)[sub.length] === word) return { name, sub: [...sub, word] };
  const base = sub.length > 0 ? { name, sub } : { name };
  if (role !== 'value' || option === undefined) {
    return { ...base, args: { any: culprit.cluster === undefined ? [word] : [word, culprit.cluster] } };
  }
  return culprit.embedded ? { ...base, args: { any: [option] } } : { ...base, args: { all: [option, word] } };
}

/**
 * Linear-time by construction: no look-around, no backreference, no counts.
 * A missing program: only the bare name is wrong, `.venv/bin/pytest` is a fix of `pytest`.
 */
function toMatch({ role, word, option, embedded }: Culprit): string | undefined {
  if (role === 'program') return `(?:^|\\s)${toLiteral(word)}(?:\\s|$)`;
  if (role !== 'value' || !embedded || option === undefined) return undefined;
  return `${toLiteral(option)}[=\\s]*["']?(?:[^\\s,"']+,)*${toLiteral(word)}(?:[,"'\\s]|$)`;
}

/** Whether a lesson with the culprit's triggers would fire on this command. */
export function isCulpritIn(culprit: Culprit, command: SimpleCommand): boolean {
  return isNamedCommand(toTriggers(culprit), command);
}
