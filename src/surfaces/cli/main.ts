#!/usr/bin/env node
/** The command line as a process. The only place that ends the process. */
import { writeSync } from 'node:fs';
import { toReason, UserError } from '../../base/errors.ts';
import { findPackageRoot } from '../../loop/home/program-files.ts';
import { findCallersFolder } from './caller.ts';
import { findDiskError, renderError } from './errors.ts';
import { runCommandLine } from './run-command-line.ts';

// Hide the warning that node:sqlite is experimental, which Node 22 prints at every command.
process.removeAllListeners('warning').on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});

/**
 * The reader has gone (`| head`), or the disk is full. Printing is the last step of a command, so the process ends.
 */
process.stdout.on('error', endUnwritten);
// Progress that cannot be printed does not stop the work.
process.stderr.on('error', () => {});

function endUnwritten(error: NodeJS.ErrnoException): void {
  if (isClosed(error)) process.exit();
  const reason = findDiskError(error)?.reason ?? toReason(error);
  process.exitCode = 1;
  const next = 'write to another place, or free some space there';
  const failure = new UserError({ subject: 'the output', reason: `could not be printed: ${reason}`, next });
  try {
    const isJson = process.argv.includes('--json');
    writeSync(process.stderr.fd, `${renderError(failure, { isJson, toHint: (hint) => hint })}\n`);
  } catch {
    // The error cannot be printed either.
  }
  process.exit();
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

try {
  process.chdir(findCallersFolder(process.env, findPackageRoot()) ?? '.');
} catch {
  // Without its package the command line has nothing to run, and says so itself.
}
const { env, stdin, stdout, stderr } = process;
const code = await runCommandLine({ words: process.argv.slice(2), env, cwd: process.cwd(), stdin, stdout, stderr });
if (code !== 0) process.exitCode = code;
