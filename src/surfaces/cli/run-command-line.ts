/**
 * Runs one command line: parses it, calls the command, and prints its result or its error. Everything that belongs to a
 * process (words, variables, folder, streams) is given, so one process can run many commands.
 */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { CommanderError } from 'commander';
import { findDataDir, toDataHome } from '../../loop/home/data-home.ts';
import { readBuildVersion } from '../../loop/home/program-files.ts';
import { findReadOnlyError } from '../../loop/home/read-only-places.ts';
import { toCaller, toTyped } from './caller.ts';
import { colourText, mayColour } from './colours.ts';
import type { CommandInput, CommandResult, Row } from './command.ts';
import { COMMANDS } from './commands.ts';
import { renderError, UsageError } from './errors.ts';
import { findCommand } from './find-command.ts';
import { makeProgram, type Run } from './program.ts';
import { INTERRUPTED_CODE, Interrupted, makePlainProgress, openTerminal, readBounded, readLines } from './terminal.ts';
import { toPlainText } from './text.ts';
import { fitText } from './wrapping.ts';

/** What a command line needs of its process. */
export interface CommandLine {
  /** Behind the program's name. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

type Input = NodeJS.ReadableStream & AsyncIterable<Buffer | string> & { readonly isTTY?: boolean };
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Resolves to the exit code. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const asked: Asked = { home: undefined, isJson: isAskedForJson(line.words) };
  let code = 0;
  const run: Run = async (command, { arguments: args, options }) => {
    const { home, json, ...own } = options as { home?: string; json?: boolean };
    asked.home = home;
    asked.isJson = json === true;
    const handle = await command.load();
    const result = await handle({
      home: toDataHome(findDataDir(home, line.env)),
      arguments: args,
      options: own,
      isJson: asked.isJson,
      env: line.env,
      cwd: line.cwd,
      readStdin: () => readBounded(line.stdin),
      readLines: (maxChars) => readLines(line.stdin, maxChars),
      streams: line,
      ...findColumns(line.stdout),
      ...makeAsk(line, asked),
      ...makeTerminal(line, asked),
      progress: makeProgress(line, asked),
    });
    if (result.rows === undefined) print(line, result, asked);
    else await printRows(line, result.rows, asked);
    if (result.failed) code = 1;
  };
  try {
    const help = {
      toHint: (text: string) => toHint(text, line, asked),
      out: (text: string) => line.stdout.write(text),
      err: (text: string) => line.stderr.write(text),
    };
    const { node, rest, isHelp, oldName } = findCommand(line.words);
    if (oldName !== undefined) announceName(line, node.entry.name, asked);
    const program = makeProgram(node, { version: readBuildVersion(), run, ...help });
    await program.parseAsync(isHelp ? ['--help'] : rest, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed the help: the user asked for it, or named a group and no command.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) {
      line.stderr.write('\n');
      return INTERRUPTED_CODE;
    }
    printError(line, error, asked);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The options that printing an error needs, too. The error may come before the options are parsed. */
interface Asked {
  home: string | undefined;
  isJson: boolean;
}

function isAskedForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** The person typed a former name. Programs that use it see no difference. */
function announceName(line: CommandLine, name: string, { isJson }: Asked): void {
  if (isJson || !line.stderr.isTTY) return;
  line.stderr.write(`${toHint(`This command is now: oncebitten ${name}`, line, { isJson, home: undefined })}\n`);
}

function print(line: CommandLine, result: CommandResult, asked: Asked): void {
  clearProgress(line);
  const text = `${result.text.trimEnd()}\n`;
  if (asked.isJson) line.stdout.write(`${JSON.stringify(result.json, null, 2)}\n`);
  else line.stdout.write(result.isDocument ? text : toShown(toHint(toPlainText(text), line, asked), line, line.stdout));
}

/** Of a terminal. To whatever else reads, a record is a line. */
function findColumns({ isTTY, columns }: Output): { readonly columns?: number } {
  return isTTY ? { columns: Math.max(MIN_COLUMNS, columns || USUAL_COLUMNS) } : {};
}

const USUAL_COLUMNS = 80;
const MIN_COLUMNS = 40;

/** Wrapped and coloured for a terminal; to whatever else reads, as it is. */
function toShown(text: string, { env }: CommandLine, stream: Output): string {
  const { columns } = findColumns(stream);
  const fitting = columns === undefined ? text : fitText(text, columns);
  return mayColour(stream, env) ? colourText(fitting) : fitting;
}

async function printRows(
  { stdout }: CommandLine,
  rows: AsyncIterable<readonly Row[]>,
  { isJson }: Asked,
): Promise<void> {
  let before = isJson ? '{"items": [\n' : '';
  let total = 0;
  for await (const some of rows) {
    if (some.length === 0) continue;
    total += some.length;
    const lines = some.map((row) => (isJson ? JSON.stringify(row.json) : toPlainText(row.text)));
    // Whoever reads may be slower than we are.
    if (!stdout.write(before + lines.join(isJson ? ',\n' : '\n'))) await once(stdout, 'drain');
    before = isJson ? ',\n' : '\n';
  }
  const end = `${total === 0 ? before : '\n'}], "total": ${total}, "next": null}\n`;
  stdout.write(isJson ? end : before);
}

function toHint(text: string, { env }: CommandLine, { home }: Asked): string {
  const commands = COMMANDS.map(({ name }) => name);
  // Of the user's own data directory: that of --home may be a sample, or gone tomorrow.
  const { commandFile } = toDataHome(findDataDir(undefined, env));
  return toTyped(text, { commands, home, caller: toCaller(env, commandFile) });
}

/** Asks only in a terminal. The question goes to standard error, so that standard output contains only the result. */
function makeAsk({ stdin, stderr }: CommandLine, { isJson }: Asked): Pick<CommandInput, 'ask'> {
  if (isJson || !stdin.isTTY || !stderr.isTTY) return {};
  return {
    ask: async (question) => {
      const lines = createInterface({ input: stdin, output: stderr });
      // Ctrl+D and the end of the input are an answer too: no.
      const ended = once(lines, 'close').then(() => '');
      const left = once(lines, 'SIGINT').then(() => Promise.reject(new Interrupted()));
      try {
        return await Promise.race([lines.question(question).catch(() => ''), ended, left]);
      } finally {
        lines.close();
      }
    },
  };
}

function makeTerminal({ stdin, stdout }: CommandLine, { isJson }: Asked): Pick<CommandInput, 'openTerminal'> {
  if (isJson || !stdin.isTTY || !stdout.isTTY) return {};
  return { openTerminal: () => openTerminal(stdin as ReadStream, stdout as WriteStream) };
}

/** On a terminal the last line is rewritten. Elsewhere a line now and then says that it goes on; with --json nothing. */
function makeProgress({ stderr }: CommandLine, { isJson }: Asked): (text: string) => void {
  if (isJson) return () => {};
  if (!stderr.isTTY) return makePlainProgress((text) => stderr.write(text));
  return (text) => stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns ?? USUAL_COLUMNS) - 1)}`);
}

function clearProgress({ stderr }: CommandLine): void {
  if (stderr.isTTY) stderr.write('\r\x1b[K');
}

/** Prints errors to standard error, also as JSON, so that standard output contains a result or nothing. */
function printError(line: CommandLine, error: unknown, asked: Asked): void {
  clearProgress(line);
  const readOnly = findReadOnlyError(error, findDataDir(asked.home, line.env));
  const text = renderError(readOnly ?? error, { isJson: asked.isJson, toHint: (hint) => toHint(hint, line, asked) });
  line.stderr.write(`${asked.isJson ? text : toShown(text, line, line.stderr)}\n`);
}
