#!/usr/bin/env node
/** The command line. The only place that prints, and the only place that ends the process. */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { toReason, UserError } from '../../base/errors.ts';
import { findDataDir, toDataHome } from '../data-home.ts';
import { isNodeNewEnough, NEEDED_NODE } from '../is-node-new-enough.ts';
import { findPackageRoot, readBuildVersion } from '../package-root.ts';
import type { CommandInput, CommandResult, Row } from './command.ts';
import { COMMANDS } from './commands.ts';
import { findDiskError } from './find-disk-error.ts';
import { makePlainProgress } from './make-plain-progress.ts';
import { makeProgram, type Run } from './make-program.ts';
import { openTerminal } from './open-terminal.ts';
import { readBounded } from './read-bounded.ts';
import { readLines } from './read-lines.ts';
import { toPlainText } from './to-plain-text.ts';
import { toTyped } from './to-typed.ts';

const run: Run = async (command, { arguments: args, options }) => {
  const { home, json, ...own } = options as { home?: string; json?: boolean };
  givenHome = home;
  const handler = await command.load();
  const result = await handler.run({
    home: toDataHome(findDataDir(home, process.env)),
    arguments: args,
    options: own,
    env: process.env,
    cwd: process.cwd(),
    readStdin: () => readBounded(process.stdin),
    readLines: (maxChars) => readLines(process.stdin, maxChars),
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
  process.stdout.write(
    json ? `${JSON.stringify(result.json, null, 2)}\n` : result.isDocument ? text : toHint(toPlainText(text)),
  );
  if (result.failed) process.exitCode = 1;
}

async function printRows(rows: AsyncIterable<readonly Row[]>, json: boolean): Promise<void> {
  let before = json ? '[\n' : '';
  for await (const some of rows) {
    if (some.length === 0) continue;
    const lines = some.map((row) => (json ? JSON.stringify(row.json) : toPlainText(row.text)));
    // Whoever reads may be slower than we are.
    if (!process.stdout.write(before + lines.join(json ? ',\n' : '\n'))) await once(process.stdout, 'drain');
    before = json ? ',\n' : '\n';
  }
  process.stdout.write(json ? `${before === '[\n' ? '[' : '\n'}]\n` : before);
}

/** As the person gave it. Errors are printed when nobody has the options any more. */
let givenHome: string | undefined;

function toHint(told: string): string {
  const commands = COMMANDS.map(({ name }) => name);
  return toTyped(told, { commands, home: givenHome, isClone: process.env.npm_lifecycle_event !== undefined });
}

/** Only a terminal has somebody to ask. The question goes where progress goes: what is printed stays the answer. */
function makeAsk(json: boolean): Pick<CommandInput, 'ask'> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return {};
  return {
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      // Ctrl+C, Ctrl+D and the end of the input are an answer too: no.
      const ended = once(lines, 'close').then(() => '');
      try {
        return await Promise.race([lines.question(question).catch(() => ''), ended]);
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

function checkNode(version: string): void {
  if (isNodeNewEnough(version)) return;
  throw new UserError({
    subject: `Node ${version}`,
    reason: 'is too old to open the store',
    next: `use Node ${NEEDED_NODE} or newer; in a clone, npm brings it: npm run -s oncebitten -- <command>`,
  });
}

function printError(error: unknown): void {
  clearProgress();
  const known = error instanceof UserError ? error : findDiskError(error);
  if (known !== undefined) {
    process.stderr.write(toHint(toPlainText(`oncebitten: ${known.subject}: ${known.reason}\n  next: ${known.next}\n`)));
  } else {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(
      `oncebitten: something that should not happen happened\n${detail}\n  next: please report it\n`,
    );
  }
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
  try {
    writeSync(process.stderr.fd, `oncebitten: what was asked for could not be printed: ${reason}\n`);
  } catch {
    // Nobody is left to be told.
  }
  process.exit();
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

try {
  checkNode(process.versions.node);
  await makeProgram(readBuildVersion(join(findPackageRoot(), 'dist')), run).parseAsync();
} catch (error) {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    printError(error);
    process.exitCode = 1;
  }
}
