/** One simple command that a shell command line runs: a program and its words. */
export interface SimpleCommand {
  /** Base name of the program; the empty string when only the shell can know it (`$CMD x`). */
  readonly program: string;
  readonly args: readonly Argument[];
  /** The source text of this command alone. */
  readonly text: string;
  /** The line can end with success although this command failed: a pipe, `||`, a later command, a background start. */
  readonly hidden?: true;
  /** It reads what another command prints. */
  readonly piped?: true;
}

export interface Argument {
  /** The word after the shell removed its quotes. */
  readonly value: string;
  /** As it was typed. */
  readonly text: string;
}
