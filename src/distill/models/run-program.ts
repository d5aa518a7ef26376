/**
 * Runs a program in a process group of its own until it exits, prints too much, or its time is over, and then ends every
 * process of the group by the id of the group. A program may leave servers behind that would hold its output open.
 */

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskLimits } from '../../base/contracts/language-model.ts';

interface ProgramRun {
  readonly path: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Pick<AskLimits, 'deadlineMs' | 'signal'>;
}

export interface ProgramEnd {
  readonly why: 'exit' | 'deadline' | 'stopped' | 'flood';
  /** Absent: ended by a signal, or by us. */
  readonly code?: number;
  readonly stdout: string;
  /** The end of the messages. */
  readonly stderr: string;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGE_BYTES = 64 * 1024;
/** For the last output of a program that has exited; a busy machine takes a while to bring it. */
const DRAIN_MS = 2_000;
/** Between the request to end and the end by force. */
const GRACE_MS = 1_000;

/** Rejects if the program cannot be started. */
export async function runProgram({ path, args, input, folder, env, limits }: ProgramRun): Promise<ProgramEnd> {
  const child = spawn(path, args, { cwd: folder, env, detached: true, stdio: 'pipe' });
  const [stdout, stderr] = [openSink(), openSink()];
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const timer = new AbortController();
  const exited = new Promise<'exit'>((done, fail) => {
    child.once('exit', () => done('exit'));
    child.once('error', fail);
  });
  const flooded = new Promise<'flood'>((done) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (stdout.size + chunk.length > MAX_OUTPUT_BYTES) done('flood');
      else stdout.add(chunk);
    });
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.add(chunk);
    if (stderr.size > 2 * MAX_MESSAGE_BYTES) stderr.keepLast(MAX_MESSAGE_BYTES);
  });
  // A program that exits early does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const stopWatch = endWithUs(child.pid, folder);
  try {
    const why = await Promise.race([
      exited,
      flooded,
      toStop(limits.signal),
      toDeadline(limits.deadlineMs, timer.signal),
    ]);
    if (why === 'exit') await Promise.race([closed, sleep(DRAIN_MS)]);
    // Before it is ended: what it prints at its end is about that, and not about its answer.
    const texts = { stdout: stdout.toText(), stderr: stderr.toText() };
    if (why !== 'exit') await endGroup(child.pid, exited);
    // Also what a program left behind that exited by itself.
    signalGroup(child.pid, 'SIGKILL');
    return { why, ...texts, ...(why === 'exit' && child.exitCode !== null && { code: child.exitCode }) };
  } finally {
    timer.abort();
    stopWatch();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

function openSink() {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(chunk: Buffer) {
      chunks.push(chunk);
      size += chunk.length;
    },
    keepLast(bytes: number) {
      chunks = [Buffer.concat(chunks).subarray(-bytes)];
      size = bytes;
    },
    toText: () => Buffer.concat(chunks).toString('utf8'),
  };
}

async function toDeadline(deadlineMs: number, signal: AbortSignal): Promise<'deadline'> {
  await sleep(Math.max(0, deadlineMs), undefined, { signal }).catch(() => {});
  return 'deadline';
}

function toStop(signal: AbortSignal | undefined): Promise<'stopped'> {
  return new Promise((done) => {
    if (signal?.aborted) done('stopped');
    else signal?.addEventListener('abort', () => done('stopped'), { once: true });
  });
}

async function endGroup(pid: number | undefined, exited: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  await Promise.race([exited, sleep(GRACE_MS)]);
  signalGroup(pid, 'SIGKILL');
  await Promise.race([exited, sleep(GRACE_MS)]);
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}

const OUR_ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A group of its own does not end with us, for example when a person presses Ctrl-C. Returns the end of the watch. */
function endWithUs(pid: number | undefined, folder: string): () => void {
  const listeners = OUR_ENDS.map((signal) => {
    const isAlone = process.listenerCount(signal) === 0;
    const listener = (): void => {
      signalGroup(pid, 'SIGKILL');
      // Without other listeners, the signal would have ended this process.
      if (!isAlone) return;
      rmSync(folder, { recursive: true, force: true });
      process.kill(process.pid, signal);
    };
    process.once(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.removeListener(signal, listener);
  };
}
