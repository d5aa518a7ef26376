/** The command table as a commander program. Parsing and help are commander's, the commands are ours. */
import { Command as Program } from 'commander';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';

export type Run = (
  command: Command,
  given: { readonly arguments: readonly string[]; readonly options: Record<string, unknown> },
) => Promise<void>;

const GROUPS: Readonly<Record<string, string>> = {
  config: 'the settings: see, explain and change them',
  daemon: 'the background process that answers hooks',
  lessons: 'what has been learned',
  promote: 'proven lessons for the files that agents always read',
  projects: 'which folders and repositories are known, and which are one',
};

export function makeProgram(version: string, run: Run): Program {
  const program = new Program('oncebitten')
    .description('Your coding agents make each mistake once.')
    .version(version)
    .showSuggestionAfterError()
    .showHelpAfterError('  next: see the commands: oncebitten --help')
    .exitOverride();
  const groups = new Map<string, Program>();
  for (const command of COMMANDS) {
    const [first = '', second] = command.name.split(' ');
    const parent = second === undefined ? program : (groups.get(first) ?? addGroup(program, first));
    if (second !== undefined) groups.set(first, parent);
    addCommand(parent, second ?? first, command, run);
  }
  return program;
}

function addGroup(program: Program, name: string): Program {
  return program
    .command(name)
    .description(GROUPS[name] ?? '')
    .showHelpAfterError(`  next: see the commands: oncebitten ${name} --help`)
    .exitOverride();
}

function addCommand(parent: Program, name: string, command: Command, run: Run): void {
  const sub = parent
    .command(name)
    .description(command.summary)
    .showHelpAfterError(`  next: see the options: oncebitten ${command.name} --help`)
    .exitOverride();
  for (const argument of command.arguments ?? []) {
    const name = argument.many ? `${argument.name}...` : argument.name;
    sub.argument(argument.required ? `<${name}>` : `[${name}]`, argument.help);
  }
  for (const option of command.options ?? []) {
    if (option.many) sub.option(option.flags, option.help, (value: string, all: string[] = []) => [...all, value]);
    else sub.option(option.flags, option.help);
  }
  sub.option('--home <dir>', 'data directory (default ~/.oncebitten)').option('--json', 'print JSON');
  if (command.examples !== undefined)
    sub.addHelpText('after', `\nExamples:\n${command.examples.map((e) => `  ${e}\n`).join('')}`);
  sub.action(() => run(command, { arguments: sub.args, options: sub.opts() }));
}
