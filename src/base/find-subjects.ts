/**
 * The commands of a line that it is about. One that failed failed in one of them; one that worked did all of them.
 * `cd`, `echo` and what only looks count where there is nothing else.
 */
import { isLooking, isPreparing } from './is-looking.ts';
import type { SimpleCommand } from './simple-command.ts';

/** What is known about the end of the line. */
export interface LineEnd {
  readonly failed: boolean;
  /** The program whose failure the line hid. */
  readonly hiddenProgram?: string;
  readonly output?: string;
}

/** Programs say at the beginning of a line that it was them; what comes later is what they show. */
const MAX_OUTPUT_CHARS = 20_000;

/** In the order of the line. None only for a line without any program that can be named. */
export function findSubjects(commands: readonly SimpleCommand[], end: LineEnd): readonly SimpleCommand[] {
  const named = commands.filter(({ program }) => program !== '');
  if (!end.failed) return toWeightiest(named);
  const failing =
    findHidden(named, end) ?? findSpeaking(toVisible(named), end) ?? toWeightiest(toVisible(named)).at(-1);
  return failing === undefined ? [] : [failing];
}

function findHidden(commands: readonly SimpleCommand[], { hiddenProgram }: LineEnd): SimpleCommand | undefined {
  return hiddenProgram === undefined ? undefined : commands.findLast(({ program }) => program === hiddenProgram);
}

/** Those whose code can be the code of the line. */
function toVisible(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const visible = commands.filter(({ hidden }) => hidden !== true);
  return visible.some((command) => toWeight(command) === MAX_WEIGHT) ? visible : commands;
}

/** `ls: cannot access …` of `ls x && npm run build`: the build was never reached. */
function findSpeaking(commands: readonly SimpleCommand[], { output = '' }: LineEnd): SimpleCommand | undefined {
  if (new Set(commands.map(({ program }) => program)).size < 2) return undefined;
  const lines = output.slice(0, MAX_OUTPUT_CHARS).split('\n');
  return commands.findLast(({ program }) =>
    lines.some((line) => line.startsWith(`${program}: `) || line.startsWith(`${program} ERR!`)),
  );
}

const MAX_WEIGHT = 2;

function toWeight(command: SimpleCommand): number {
  if (isPreparing(command)) return 0;
  return isLooking(command) ? 1 : MAX_WEIGHT;
}

function toWeightiest(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const weights = commands.map(toWeight);
  const most = Math.max(...weights);
  return commands.filter((_, i) => weights[i] === most);
}
