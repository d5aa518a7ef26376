/**
 * A relative path from the wrong place: `cd src/api` when the shell is there already, `go test ./src/api` from inside it.
 * Agents forget that the directory outlives the call.
 */
import type { LiveCall } from '../../base/call.ts';
import { namesPlace } from '../../base/names-place.ts';
import type { SimpleCommand } from '../../base/simple-command.ts';
import { toName, toProgramTrigger } from '../command-shape.ts';
import { findLater } from '../find-later.ts';
import { makePairDetector } from '../make-pair-detector.ts';
import { toShortCommand } from '../to-short-command.ts';

const MAX_STEPS = 8;
const ABSENT = /no such file or directory|directory not found|cannot find the path|not a directory|does not exist/i;

export const wrongDirectory = makePairDetector({
  name: 'distill/wrong-directory@1',
  kind: 'wrong-directory',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const { call, commands } = trouble;
    const cwd = call.cwd ?? '';
    const moved = commands.findIndex(({ program }) => program === 'cd' || program === 'pushd');
    const near = moved < 0 ? commands : commands.slice(0, moved + 1);
    const failed = near.find((command) => namesPlace(command, cwd));
    if (failed === undefined || cwd === '') return undefined;
    const line = trouble
      .toLines()
      .find((one) => ABSENT.test(one) && failed.args.some(({ value }) => one.includes(bare(value))));
    if (line === undefined) return undefined;
    const later = findLater(trouble, MAX_STEPS, (one, other) => isElsewhere(failed, commands, one, other));
    if (later === undefined) return undefined;
    const shown = toShortCommand(failed, 80);
    return {
      index: later.index,
      text: {
        summary: `The shell stays where the last \`cd\` went: \`${shown}\` fails when it is already there. Check \`pwd\` or use absolute paths`,
        mistake: `\`${toShortCommand(failed, 200)}\` failed: ${line.slice(0, 120)}`,
        remediation: toShortCommand(later.command, 200),
        tags: [`tool:${failed.program}`, 'topic:working-directory'],
      },
      triggers: { tools: ['shell'], programs: [toProgramTrigger(failed)], directory: 'argument' },
      intentKey: toName(failed),
      signals: later.signals,
    };
  },
});

/** The same program, or what stood behind the `cd`, on a path that is right from there. */
function isElsewhere(
  failed: SimpleCommand,
  commands: readonly SimpleCommand[],
  later: SimpleCommand,
  call: LiveCall,
): boolean {
  const wanted = failed.program === 'cd' ? commands.filter((one) => one !== failed) : [failed];
  return wanted.some(({ program }) => program === later.program) && !namesPlace(later, call.cwd ?? '');
}

function bare(word: string): string {
  return word.replace(/^\.\//, '').replace(/\/?(?:\.\.\.)?$/, '');
}
