/** A command or group of the table as a commander program. Parsing options is commander's, names and help are ours. */

import { type CommanderError, type Help, Command as Program } from 'commander';
import { type Command, listOptions } from './command.ts';
import { usageError } from './errors.ts';
import { type CommandNode, toLastWord } from './find-command.ts';
import { glueCommands, unglue } from './wrapping.ts';

export type Run = (
  command: Command,
  given: { readonly arguments: readonly string[]; readonly options: Record<string, unknown> },
) => Promise<void>;

interface ProgramParts {
  readonly version: string;
  readonly run: Run;
  /** Makes commands in the help typable, before the help is wrapped. */
  readonly toHint: (text: string) => string;
  /** Where help goes. A wrong command line is thrown: a `UsageError`, as every other mistake in it. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Parses the words behind the name of the node. */
export function makeProgram(node: CommandNode, { version, run, toHint, out, err }: ProgramParts): Program {
  const { entry, children } = node;
  const program = new Program(`oncebitten ${entry.name}`.trimEnd())
    .description(entry.about ?? `${entry.summary}.`)
    .helpOption('-h, --help', 'Show this help')
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => out(unglue(text)),
      writeErr: (text) => err(unglue(text)),
      outputError: () => {},
    })
    .configureHelp({
      visibleCommands: () => children.map(toHelpRow),
      formatHelp: makeFormatHelp((text) => glueCommands(toHint(text))),
    })
    .exitOverride(makeThrow(node));
  if (entry.name === '') program.version(version, '-V, --version', 'Show the version');
  if ('load' in entry) addCommand(program, entry, run);
  else program.action(() => program.help({ error: true }));
  if (children.length > 0)
    program.usage(
      'load' in entry ? `[options]\n       ${`oncebitten ${entry.name}`.trimEnd()} <command>` : '<command>',
    );
  return program.addHelpText('after', toHint(renderHelpEnd(node)));
}

function renderHelpEnd({ entry, children }: CommandNode): string {
  const examples = 'load' in entry ? (entry.examples ?? []) : [];
  const help = `Help for a command: oncebitten ${`${entry.name} <command> --help`.trimStart()}`;
  return [
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
    ...(children.length === 0 ? [] : ['', help]),
  ].join('\n');
}

/** A row in the help of its group. */
function toHelpRow({ entry }: CommandNode): Program {
  const row = new Program(toLastWord(entry.name)).summary(entry.summary);
  return entry.section === undefined ? row : row.helpGroup(entry.section);
}

function addCommand(program: Program, command: Command, run: Run): void {
  for (const [name, help] of Object.entries(command.arguments ?? {})) program.argument(name, help);
  for (const { flags, help, many } of listOptions({ ...command.options, ...OF_ALL })) {
    if (!flags.includes('<')) program.option(flags, help);
    else
      program.option<unknown>(flags, help, (value, all) => {
        checkValue(program, command, flags, value);
        return many ? [...((all as readonly string[] | undefined) ?? []), value] : value;
      });
  }
  program.action(() => run(command, { arguments: program.args, options: program.opts() }));
}

const OF_ALL = {
  '--home <dir>': 'Data directory (default: $ONCEBITTEN_HOME, otherwise ~/.oncebitten)',
  '--json': 'Print JSON instead of text',
};

/** `--tag --json`: the value is missing, because the next word is an option. As a value it is written `--tag=--json`. */
function checkValue(program: Program, { name, anyValue = [] }: Command, flags: string, value: string): void {
  const [option = ''] = flags.split(' ');
  const { rawArgs } = program as Program & { readonly rawArgs: readonly string[] };
  const isOption = program.options.some(({ long, short }) => value === long || value === short);
  if (!isOption || anyValue.includes(option) || rawArgs.includes(`${option}=${value}`)) return;
  const reason = `option '${flags}' needs a value, but ${value} is an option`;
  throw usageError(name, reason, `give a value; if you mean this one: ${option}=${value}`);
}

/** Like commander's help, but with the commands before the options, because readers of a group look for a command. */
function makeFormatHelp(toText: (text: string) => string): (program: Program, helper: Help) => string {
  return (program, helper) => formatHelp(program, helper, toText);
}

function formatHelp(program: Program, helper: Help, toText: (text: string) => string): string {
  const width = helper.padWidth(program, helper);
  const toItems = (heading: string, rows: readonly (readonly [term: string, text: string])[]): readonly string[] =>
    rows.length === 0
      ? []
      : [heading, ...rows.map(([term, text]) => helper.formatItem(term, width, toText(text), helper)), ''];
  const commands = helper.visibleCommands(program).map((one) => ({ one, heading: one.helpGroup() || 'Commands:' }));
  const toSection = (heading: string) =>
    commands.flatMap(({ one, ...row }) => (row.heading === heading ? [[one.name(), one.summary()] as const] : []));
  return [
    toText(`Usage: ${helper.commandUsage(program)}`),
    '',
    helper.boxWrap(toText(helper.commandDescription(program)), helper.helpWidth ?? 80),
    '',
    ...[...new Set(commands.map(({ heading }) => heading))].flatMap((heading) => toItems(heading, toSection(heading))),
    ...toItems(
      'Arguments:',
      helper.visibleArguments(program).map((one) => [helper.argumentTerm(one), helper.argumentDescription(one)]),
    ),
    ...toItems(
      'Options:',
      helper.visibleOptions(program).map((one) => [helper.optionTerm(one), helper.optionDescription(one)]),
    ),
  ].join('\n');
}

/** Help is not an error: the user asked for it, or named a group and no command. */
function makeThrow({ entry: { name }, children }: CommandNode): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const reason = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
    const what = children.length > 0 ? 'commands' : 'options';
    throw usageError(
      name === '' ? 'the command line' : name,
      reason,
      `see the ${what}: oncebitten ${`${name} --help`.trimStart()}`,
      error,
    );
  };
}
