/**
 * A relative path from the wrong place: `cd src/api` when the shell is there already, `go test ./src/api` from inside it,
 * `git add web/app.ts` in `web`. Agents forget that the directory outlives the call.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasHalfOf, toOperands, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toBaseName, toPatternFolder, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { namesOwnFolder } from '../../../base/triggers/trigger.ts';
import { findLater, type Later } from '../../episodes/find-later.ts';
import { type FailureWindow, type FoundFix, makePairDetector } from '../../episodes/make-finding.ts';
import { isMoving, toStand } from '../../episodes/to-stand.ts';
import { toExample, toMistake } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 8;
const ABSENT =
  /no such file|not found|cannot find|can't (?:open|read)|not a directory|does not exist|did not match any file/i;

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
    const words = failed.args.map(({ value }) => toPatternFolder(value));
    const line = findAbsent(failure, words);
    if (line === undefined) return undefined;
    const later = findLater(failure, MAX_STEPS, (one, other) => {
      const ran = failure.commandsOf(failure.calls.indexOf(other));
      return !namesOwnFolder(one, toStand(one, ran, other.cwd ?? '')) && runsAgain(failed, commands, one);
    });
    return later === undefined ? undefined : toFix(failed, later, line);
  },
});

/** The line that calls one of the words missing. */
function findAbsent({ toLines }: FailureWindow, words: readonly string[]): string | undefined {
  return toLines().find((line) => ABSENT.test(line) && words.some((word) => line.includes(word)));
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

/** As a trigger's `unless`: a command that throws its errors away expects to fail, so the lesson would not help. */
const DISCARDS_ERRORS = '(?:2|&)> ?/dev/null';

/**
 * A path that is right from above, given inside its own first folder: `git add web/app.ts` in `web`. A folder of that
 * name may well be in itself, so this is learned of the one folder only where the very path worked from above, or what
 * is left of it worked from within.
 */
export const doubledFolder = makePairDetector({
  name: 'distill/doubled-folder@1',
  kind: 'wrong-directory',
  maxSteps: MAX_STEPS,
  findFix(failure) {
    const { call, calls, commands, commandsOf } = failure;
    const cwd = call.cwd ?? '';
    const folder = toBaseName(cwd);
    if (folder === '' || !(call.command ?? '').includes(`${folder}/`)) return undefined;
    const failed = commands.find((one) => findWord(one, folder) !== undefined);
    const word = failed === undefined ? undefined : findWord(failed, folder);
    const place = toPlace(calls, cwd);
    // Alone, the name of a folder may be the name of the project, too.
    if (failed === undefined || word === undefined || place?.includes('/') !== true) return undefined;
    if (toStand(failed, commands, cwd) !== cwd || findAbsent(failure, [word]) === undefined) return undefined;
    const within = word.slice(folder.length + 1);
    const later = findLater(failure, MAX_STEPS, (one, other) => {
      if (!isSameSubCommand(failed, one) || isMoving(one)) return false;
      const stand = toStand(one, commandsOf(calls.indexOf(other)), other.cwd ?? '');
      const given = toOperands(one).map(toPlainPath);
      return stand === cwd
        ? within !== '' && given.includes(within)
        : given.includes(word) && cwd.startsWith(`${stand}/`);
    });
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: {
        summary: `The shell is in \`${folder}\` already: from there \`${toShortCommand(failed, 60)}\` finds no \`${folder}/\`. Leave it out, or \`cd\` up first`,
        mistake: `\`${toShortCommand(failed, 200)}\` failed in \`${place}\`: there is no \`${folder}/\` in it`,
        remediation: `Inside \`${place}\` name files without \`${folder}/\`, or give their absolute paths`,
        tags: [`tool:${failed.program}`, 'topic:project-folder'],
      },
      triggers: {
        tools: ['shell'],
        programs: [toProgramTrigger(failed)],
        command: { match: [`[\\s"'](?:\\./)?${toLiteral(folder)}/`], unless: [DISCARDS_ERRORS] },
        directory: { in: place },
      },
      signals: later.signals,
    };
  },
});

/** Deeper than the folder itself, which may be given for what is beside it. */
function findWord(command: SimpleCommand, folder: string): string | undefined {
  return toOperands(command)
    .map(toPlainPath)
    .find((word) => word.startsWith(`${folder}/`) && !/[*?$`{]/.test(word));
}

/** The name of a person, and of no project. */
const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/root|\/(?:home|Users|tmp|private|var|opt|mnt|srv|work))?$/;

/**
 * A folder by its end, as far as nothing of the machine is in it: from the name of the highest folder that the session was
 * seen in. Another clone has the same end, a folder of the same name elsewhere in the project has not.
 */
export function toPlace(calls: readonly LiveCall[], cwd: string | undefined): string | undefined {
  const own = toPlainPath(cwd ?? '');
  if (!own.startsWith('/') || HOME.test(own)) return undefined;
  const above = calls
    .map((call) => toPlainPath(call.cwd ?? ''))
    .filter((one) => !HOME.test(one) && `${own}/`.startsWith(`${one}/`));
  const root = [own, ...above].reduce((a, b) => (b.length < a.length ? b : a));
  const place = own.slice(root.lastIndexOf('/') + 1);
  return /[$*?`\s[\]{}]/.test(place) ? undefined : place;
}
