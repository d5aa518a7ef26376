/**
 * A relative path from the wrong place: `cd src/api` when the shell is there already, `go test ./src/api` from inside it.
 * Agents forget that the directory outlives the call.
 */

import { hasHalfOf, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPatternFolder } from '../../../base/text/paths.ts';
import { namesOwnFolder } from '../../../base/triggers/trigger.ts';
import { findLater, type Later } from '../../episodes/find-later.ts';
import { type FailureWindow, type FoundFix, makePairDetector } from '../../episodes/make-finding.ts';
import { isMoving, toStand } from '../../episodes/to-stand.ts';
import { toExample, toMistake } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 8;
const ABSENT =
  /no such file or directory|directory not found|cannot find the path|not a directory|does not exist|did not match any file/i;

export const wrongDirectory = makePairDetector({
  name: 'distill/wrong-directory@1',
  kind: 'wrong-directory',
  maxSteps: MAX_STEPS,
  findFix(failure) {
    const { call, commands } = failure;
    const cwd = call.cwd ?? '';
    const moved = commands.findIndex(isMoving);
    const near = moved < 0 ? commands : commands.slice(0, moved + 1);
    const failed = near.find((command) => namesOwnFolder(command, cwd));
    if (failed === undefined || cwd === '') return undefined;
    const line = findAbsent(failure, failed);
    if (line === undefined) return undefined;
    const later = findLater(failure, MAX_STEPS, (one, other) => {
      const ran = failure.commandsOf(failure.calls.indexOf(other));
      return !namesOwnFolder(one, toStand(one, ran, other.cwd ?? '')) && runsAgain(failed, commands, one);
    });
    return later === undefined ? undefined : toFix(failed, later, line);
  },
});

function findAbsent(failure: FailureWindow, failed: SimpleCommand): string | undefined {
  return failure
    .toLines()
    .find((one) => ABSENT.test(one) && failed.args.some(({ value }) => one.includes(toPatternFolder(value))));
}

function toFix(failed: SimpleCommand, later: Later, line: string): FoundFix {
  const shown = toShortCommand(failed, 80);
  return {
    index: later.index,
    text: {
      summary: `An earlier \`cd\` still applies, so \`${shown}\` finds nothing: check \`pwd\` first, or use an absolute path`,
      mistake: toMistake(failed, line),
      remediation: 'Check `pwd` first and name the path from there, or use an absolute path',
      tags: [`tool:${failed.program}`, 'topic:working-directory'],
      example: toExample(failed, later.command, line),
    },
    triggers: { tools: ['shell'], programs: [toProgramTrigger(failed)], directory: 'argument' },
    signals: later.signals,
  };
}

/** Does the later command try the failed one again? Of a failed `cd` it is the command behind the `cd` that is tried again. */
function runsAgain(failed: SimpleCommand, commands: readonly SimpleCommand[], later: SimpleCommand): boolean {
  if (!isMoving(failed)) return isSameSubCommand(failed, later);
  return commands.some((one) => one !== failed && isSameSubCommand(one, later) && hasHalfOf(toWords(one), later));
}

/** Without those that say what is done: they are the same already. */
function toWords(command: SimpleCommand): readonly string[] {
  const sub = toPlainSubCommand(command);
  return command.args.map(({ value }) => value).filter((word) => !sub.includes(word));
}
