/**
 * The later call that did what the failed one wanted, without the culprit. Trusted is the pair of calls alone: a call
 * that worked, or whose only trouble is a verdict on the code (it got past the mistake).
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { isProbe } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { isVerdict } from '../../episodes/is-verdict.ts';
import { countKept, keepsIntent } from '../../episodes/keeps-intent.ts';
import type { Culprit } from './culprit.ts';
import { findCulprit } from './find-culprit.ts';
import { isStandIn, runsProgram } from './runs-program.ts';
import { findSetUp, setsUp } from './set-up.ts';
import { isCulpritIn } from './to-triggers.ts';

/** Farther away, the same program is used for something else. */
export const MAX_STEPS = 8;

interface Fix {
  readonly index: number;
  readonly command: SimpleCommand;
  /** It succeeded; else it ran and gave a verdict on the code. */
  readonly confirmed: boolean;
  /** The line made the program be found: `PATH=$PATH:/opt/go/bin`. */
  readonly setUp?: string;
}

type ParsedCommands = (index: number) => readonly SimpleCommand[];

export function findFix(
  culprit: Culprit,
  calls: readonly LiveCall[],
  failed: number,
  parsed: ParsedCommands,
): Fix | undefined {
  let fix: Fix | undefined;
  for (let index = failed + 1; index < calls.length; index++) {
    const call = calls[index];
    if (call === undefined || (fix === undefined && index - failed > MAX_STEPS)) break;
    if (fix === undefined && isProgramEdited(culprit, call)) return undefined;
    if (!hasRun(call) || isSameMistake(culprit, parsed(index), call)) continue;
    // The culprit works after all: what was missing was something else.
    if (!isSetUp(culprit, call) && parsed(index).some((command) => isCulpritIn(culprit, command))) return undefined;
    const command = fix === undefined ? findFixing(culprit, parsed(index), index - failed) : undefined;
    if (command !== undefined) fix = toFix(culprit, { index, command, confirmed: call.outcome !== 'failure' }, call);
  }
  return fix;
}

/** That a program is found after its PATH was set says nothing of a line that does not set it. */
function isSetUp({ role }: Culprit, { command = '' }: LiveCall): boolean {
  return role === 'program' && setsUp(command);
}

/** None where it is not seen how the program came to be found. */
function toFix(culprit: Culprit, fix: Fix, call: LiveCall): Fix | undefined {
  if (!isSetUp(culprit, call) || !isCulpritIn(culprit, fix.command)) return fix;
  const setUp = findSetUp(call.command ?? '');
  return setUp === undefined ? undefined : { ...fix, setUp };
}

function hasRun(call: LiveCall): boolean {
  if (call.tool !== 'shell' || call.command === undefined || call.masked) return false;
  if (call.outcome === 'success' || call.outcome === 'partial') return true;
  return call.outcome === 'failure' && isVerdict(call.output ?? '');
}

/** A pipe hid the exit code, the output still tells. */
function isSameMistake(culprit: Culprit, commands: readonly SimpleCommand[], call: LiveCall): boolean {
  if (!commands.some(({ program }) => program === culprit.command.program)) return false;
  return findCulprit(commands, call.output ?? '') !== undefined;
}

function findFixing(culprit: Culprit, commands: readonly SimpleCommand[], steps: number): SimpleCommand | undefined {
  const fitting = commands.filter((command) => isFixing(culprit, command, steps));
  return fitting.sort((a, b) => countKept(culprit, b) - countKept(culprit, a))[0];
}

function isFixing(culprit: Culprit, command: SimpleCommand, steps: number): boolean {
  if (isProbe(command)) return false;
  if (culprit.role === 'program') {
    return runsProgram(command, culprit.word) || isStandIn(command, culprit.command);
  }
  const words = toPositionals(command);
  const sameSub = culprit.sub.every((word, i) => words[i] === word);
  return command.program === culprit.command.program && sameSub && keepsIntent(culprit, command, steps);
}

/** The program is being written in this session: its command line changed, the call was not wrong. */
function isProgramEdited({ command, sub }: Culprit, call: LiveCall): boolean {
  if ((call.tool !== 'edit' && call.tool !== 'write') || call.targetPath === undefined) return false;
  const edited = toBaseName(call.targetPath);
  return edited === command.program || sub.some((word) => toBaseName(word) === edited);
}

function toBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
