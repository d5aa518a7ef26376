/**
 * Runs the built command line as a person would. Most commands run in the process of the test, because starting another
 * one takes longer than most commands; what is about the process itself (signals, closed pipes) starts its own.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.ts';

export const CLI = join(import.meta.dirname, '../dist/cli.mjs');
const BUILT = pathToFileURL(join(import.meta.dirname, '../dist/run-command-line.mjs')).href;

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
  /** Another build of the command line: it is a process of its own. */
  readonly cli?: string | undefined;
}

/** Does this process run a command now? It has one set of variables. */
let isBusy = false;

/** Commands that run at the same time are processes of their own, as a person's would be. */
export function runCli(given: Given): Promise<Output> {
  return given.cli === undefined && !isBusy ? runHere(given) : runApart(given);
}

/** What `--json` printed of a command that must succeed. Failure: an error with `code`, `stdout` and `stderr`. */
export async function runJson(given: Given): Promise<unknown> {
  const output = await runCli({ ...given, words: [...given.words, '--json'] });
  if (output.code === 0) return JSON.parse(output.stdout);
  const message = `oncebitten ${given.words.join(' ')} ended with ${output.code}: ${output.stderr}`;
  throw Object.assign(new Error(message), output);
}

/** In a process of its own. */
export async function runApart({ words, stdin = '', cwd, env, cli = CLI }: Given): Promise<Output> {
  const child = spawn(process.execPath, [cli, ...words], { cwd, env: { ...COMPILE_CACHE, ...env } });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const closed = new Promise<number | null>((done) => child.on('close', done));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

async function runHere({ words, stdin = '', cwd, env }: Given): Promise<Output> {
  isBusy = true;
  const [stdout, stderr] = [makeSink(), makeSink()];
  const before = { ...process.env };
  setVariables(env);
  try {
    const { runCommandLine } = (await import(BUILT)) as typeof import('../src/surfaces/cli/run-command-line.ts');
    const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout: stdout.stream, stderr: stderr.stream };
    const code = await runCommandLine({ words, env, cwd, ...streams });
    return { code, stdout: stdout.read(), stderr: stderr.read() };
  } finally {
    setVariables(before);
    isBusy = false;
  }
}

/** Those of the process: the home folder and the environment of the daemon come from them. */
function setVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

function makeSink() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, read: () => Buffer.concat(parts).toString('utf8') };
}
