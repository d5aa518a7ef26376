/** The slash command of a user's turn: Claude Code writes it in tags, in either order. */

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** As the user typed it. */
  readonly text: string;
}

const NAME = /<command-name>\s*\/?([^<\s]{1,200})\s*<\/command-name>/;
const ARGS = /<command-args>([\s\S]*)<\/command-args>/;
const START = /^\s*<command-(?:name|message|args)>/;
/** What a command prints that Claude Code runs itself (`/copy`): nothing is followed then. */
const PRINTED = /^\s*<local-command-(?:stdout|stderr)>/;

export function findCommand(text: string): SlashCommand | undefined {
  const name = START.test(text) ? NAME.exec(text)?.[1] : undefined;
  if (name === undefined) return undefined;
  return { name, text: `/${name} ${ARGS.exec(text)?.[1] ?? ''}`.trim() };
}

export function isCommandOutput(text: string): boolean {
  return PRINTED.test(text);
}
