#!/usr/bin/env node
/** The command line. The only place that prints, and the only place that ends the process. */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { toReason, UserError } from '../../base/errors.ts';
import { findDataDir, toDataHome } from '../../loop/home/data-home.ts';
import { findPackageRoot, readBuildVersion } from '../../loop/home/program-files.ts';
import { findReadOnlyError } from '../../loop/home/read-only-places.ts';
import { findCallersFolder, toCaller, toTyped } from './caller.ts';
import type { CommandInput, CommandResult, Row } from './command.ts';
import { COMMANDS } from './commands.ts';
import { findDiskError, renderError, UsageError } from './errors.ts';
import { makeProgram, type Run } from './program.ts';
import { readBounded, readLines } from './standard-input.ts';
import { INTERRUPTED_CODE, Interrupted, makePlainProgress, openTerminal } from './terminal.ts';
import { toPlainText } from './text.ts';
import { fitText } from './wrapping.ts';

const run: Run = async (command, { arguments: args, options }) => {
  const { home, json, ...own } = options as { home?: string; json?: boolean };
  givenHome = home;
  isJson = json === true;
  const handle = await command.load();
  const result = await handle({
    home: toDataHome(findDataDir(home, process.env)),
    arguments: args,
    options: own,
    env: process.env,
    cwd: process.cwd(),
    readStdin: () => readBounded(process.stdin),
    readLines: (maxChars) => readLines(process.stdin, maxChars),
    ...findColumns(process.stdout),
    ...makeAsk(json === true),
    ...makeTerminal(json === true),
    progress: makeProgress(json === true),
  });
  if (result.rows === undefined) print(result, json === true);
  else await printRows(result.rows, json === true);
};

function print(result: CommandResult, json: boolean): void {
  clearProgress();
  const text = `${result.text.trimEnd()}\n`;
  if (json) process.stdout.write(`${JSON.stringify(result.json, null, 2)}\n`);
  else process.stdout.write(result.isDocument ? text : toFitting(toHint(toPlainText(text)), process.stdout));
  if (result.failed) process.exitCode = 1;
}

/** Of a terminal. To whatever else reads, a record is a line. */
function findColumns({ isTTY, columns }: NodeJS.WriteStream): { readonly columns?: number } {
  return isTTY ? { columns: Math.max(MIN_COLUMNS, columns || USUAL_COLUMNS) } : {};
}

const USUAL_COLUMNS = 80;
const MIN_COLUMNS = 40;

function toFitting(text: string, stream: NodeJS.WriteStream): string {
  const { columns } = findColumns(stream);
  return columns === undefined ? text : fitText(text, columns);
}

async function printRows(rows: AsyncIterable<readonly Row[]>, json: boolean): Promise<void> {
  let before = json ? '{"items": [\n' : '';
  let total = 0;
  for await (const some of rows) {
    if (some.length === 0) continue;
    total += some.length;
    const lines = some.map((row) => (json ? JSON.stringify(row.json) : toPlainText(row.text)));
    // Whoever reads may be slower than we are.
    if (!process.stdout.write(before + lines.join(json ? ',\n' : '\n'))) await once(process.stdout, 'drain');
    before = json ? ',\n' : '\n';
  }
  const end = `${total === 0 ? before : '\n'}], "total": ${total}, "next": null}\n`;
  process.stdout.write(json ? end : before);
}

/** As the person gave them. Errors are printed when nobody has the options any more, or before anybody had. */
let givenHome: string | undefined;
let isJson = isAskedForJson(process.argv.slice(2));

function isAskedForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes('--json');
}

function toHint(told: string): string {
  const commands = COMMANDS.map(({ name }) => name);
  return toTyped(told, { commands, home: givenHome, caller: toCaller(process.env) });
}

/** Only a terminal has somebody to ask. The question goes where progress goes: what is printed stays the answer. */
function makeAsk(json: boolean): Pick<CommandInput, 'ask'> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return {};
  return {
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
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

function makeTerminal(json: boolean): Pick<CommandInput, 'openTerminal'> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) return {};
  return { openTerminal: () => openTerminal(process.stdin, process.stdout) };
}

/** On a terminal the last line is rewritten. Elsewhere a line now and then says that it goes on; with --json nothing. */
function makeProgress(json: boolean): (line: string) => void {
  if (json) return () => {};
  if (!process.stderr.isTTY) return makePlainProgress((line) => process.stderr.write(line));
  return (line) => process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** Whoever reads what is printed gets what was asked for, or nothing: an error goes beside it, in JSON as well. */
function printError(error: unknown): void {
  clearProgress();
  const readOnly = findReadOnlyError(error, findDataDir(givenHome, process.env));
  const told = renderError(readOnly ?? error, { isJson, toHint });
  process.stderr.write(`${isJson ? told : toFitting(told, process.stderr)}\n`);
}

// node:sqlite is stable enough for us on Node 22 too; nobody needs to be told on every command.
process.removeAllListeners('warning').on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});

/**
 * Whoever reads has had enough (`| head`), or what is written to is full. What is printed is the last thing that a command
 * does: it is over then.
 */
process.stdout.on('error', endUnwritten);
// What is told beside, the work goes on without.
process.stderr.on('error', () => {});

function endUnwritten(error: NodeJS.ErrnoException): void {
  if (isClosed(error)) process.exit();
  const reason = findDiskError(error)?.reason ?? toReason(error);
  process.exitCode = 1;
  const next = 'write it elsewhere, or make room there';
  const told = new UserError({ subject: 'what was asked for', reason: `could not be printed: ${reason}`, next });
  try {
    writeSync(process.stderr.fd, `${renderError(told, { isJson, toHint })}\n`);
  } catch {
    // Nobody is left to be told.
  }
  process.exit();
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

function parse(version: string): Promise<unknown> {
  const help = {
    out: (text: string) => process.stdout.write(toHint(text)),
    err: (text: string) => process.stderr.write(toHint(text)),
  };
  return makeProgram(version, run, help).parseAsync();
}

try {
  process.chdir(findCallersFolder(process.env, findPackageRoot()) ?? '.');
  await parse(readBuildVersion());
} catch (error) {
  // It has printed its help already: because it was asked to, or because there was a group and no command.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof Interrupted) {
    process.stderr.write('\n');
    process.exitCode = INTERRUPTED_CODE;
  } else {
    printError(error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
