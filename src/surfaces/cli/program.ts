/** The command table as a commander program. Parsing and help are commander's, the commands are ours. */
import { type CommanderError, Command as Program } from 'commander';
import type { Command, CommandOption } from './command.ts';
import { COMMANDS } from './commands.ts';
import { UsageError } from './errors.ts';

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

/** Where help goes. What is wrong with a command line is thrown: a UsageError, as for every other mistake in it. */
interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function makeProgram(version: string, run: Run, { out, err }: ProgramOutput): Program {
  const program = new Program('oncebitten')
    .description('Your coding agents make each mistake once.')
    .version(version)
    .showSuggestionAfterError()
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => {} })
    .exitOverride(makeThrow('the command line', 'see the commands: oncebitten --help'));
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
    .exitOverride(makeThrow(name, `use ${listNames(name).join(', ')}; see oncebitten ${name} --help`));
}

function listNames(group: string): readonly string[] {
  return COMMANDS.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
}

function addCommand(parent: Program, name: string, command: Command, run: Run): void {
  const sub = parent
    .command(name)
    .description(command.summary)
    .exitOverride(makeThrow(command.name, `see the options: oncebitten ${command.name} --help`));
  for (const argument of command.arguments ?? []) {
    const name = argument.many ? `${argument.name}...` : argument.name;
    sub.argument(argument.required ? `<${name}>` : `[${name}]`, argument.help);
  }
  for (const option of [...(command.options ?? []), ...OF_ALL]) addOption(sub, command, option);
  if (command.examples !== undefined)
    sub.addHelpText('after', `\nExamples:\n${command.examples.map((e) => `  ${e}\n`).join('')}`);
  sub.action(() => run(command, { arguments: sub.args, options: sub.opts() }));
}

const OF_ALL: readonly CommandOption[] = [
  { flags: '--home <dir>', help: 'data directory (default ~/.oncebitten)' },
  { flags: '--json', help: 'print JSON' },
];

function addOption(sub: Program, command: Command, option: CommandOption): void {
  const { flags, help, many, mayBeOption } = option;
  if (!flags.includes('<')) {
    sub.option(flags, help);
    return;
  }
  sub.option<unknown>(flags, help, (value, all) => {
    if (!mayBeOption) checkValue(sub, command, flags, value);
    return many ? [...((all as readonly string[] | undefined) ?? []), value] : value;
  });
}

/** `--tag --json`: the value was forgotten, and the next option is none. Who means it writes `--tag=--json`. */
function checkValue(sub: Program, { name }: Command, flags: string, value: string): void {
  const [option = ''] = flags.split(' ');
  const isOption = sub.options.some(({ long, short }) => value === long || value === short);
  if (!isOption || toRoot(sub).rawArgs.includes(`${option}=${value}`)) return;
  const reason = `option '${flags}' needs a value, and ${value} is an option`;
  throw new UsageError({ subject: name, reason, next: `give one; if it is meant: ${option}=${value}` });
}

function toRoot(sub: Program): Program & { readonly rawArgs: readonly string[] } {
  let root = sub;
  while (root.parent !== null) root = root.parent;
  return root as Program & { readonly rawArgs: readonly string[] };
}

/** Help that was asked for, or is all there is to say to a group alone, is no mistake of ours to tell. */
function makeThrow(subject: string, next: string): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const reason = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
    throw new UsageError({ subject, reason, next, cause: error });
  };
}
