/** The word of a failed command that the program's own error names, with the role that it plays there. */
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';

/**
 * `program`: there is none of that name. `sub-command`, `option`: the program does not know it. `value`: the option
 * does not take it. `word`: a target, script or task of that name does not exist.
 */
export type CulpritRole = 'program' | 'sub-command' | 'option' | 'value' | 'word';

export interface Culprit {
  readonly role: CulpritRole;
  /** The simple command that failed. */
  readonly command: SimpleCommand;
  /** Its leading words that say what it does: `["pr", "diff"]`; without the culprit itself. */
  readonly sub: readonly string[];
  readonly word: string;
  /** Role `option`: the cluster in which a short option was typed, `-oP` for `-P`. */
  readonly cluster?: string;
  /** Role `value`: the option that was given it, as typed. */
  readonly option?: string;
  /** Role `value`: the word stands in `--opt=…`, in a comma list or attached to a short option. */
  readonly embedded?: boolean;
  /** There is nothing of that name: the next one that is asked for is meant instead. */
  readonly absent?: true;
  /** Other words of the same command that the same output rejects. */
  readonly also?: readonly Culprit[];
  /** The program's words about it, and nothing else of its output. */
  readonly message: string;
}

/** The failed command without the culprit: `gh pr diff` of `gh pr diff --stat`. */
export function toFailedName({ command, sub }: Culprit): string {
  return [command.program, ...sub].join(' ');
}
