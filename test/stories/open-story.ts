/**
 * A temporary home with the real product in it: the built command line, the installed hooks, the real daemon. An agent
 * is played by running the installed hook commands, through `sh -c` as agents do, with recorded payloads.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CLI, runJson } from '../run-cli.ts';
import { stopDaemon } from '../stop-daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/claude-code/hooks');
const NO_SCAN = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0' };
/** Most stories listen for what else is said at the start of a session. */
const NO_PROTOCOL = { ONCEBITTEN_SELF_REPORT_PROTOCOL: 'false' };
/** Test machines are slow at times; what happens past the deadline is not what stories are about. */
const PATIENCE = { ONCEBITTEN_REPLY_DEADLINE_MS: '5000' };

export interface HookAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Story {
  readonly home: string;
  readonly dataDir: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command and gives what `--json` printed. */
  cli(...args: readonly string[]): Promise<unknown>;
  /** The items of the list that `--json` printed. */
  list<T>(...args: readonly string[]): Promise<readonly T[]>;
  /** A recorded payload with some fields replaced, sent through the installed hook of its event. */
  hook(fixture: string, fields: object, env?: Readonly<Record<string, string>>): Promise<HookAnswer>;
  /** Any bytes, sent through the installed hook of an event. */
  send(event: string, bytes: string | Buffer, env?: Readonly<Record<string, string>>): Promise<HookAnswer>;
  /** Any bytes, sent to a hook command of the user's settings. */
  run(command: string, bytes: string | Buffer): Promise<HookAnswer>;
  daemonPid(): Promise<number | undefined>;
  /** Waits until everything that was told is in the store. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface StoryOptions {
  readonly install: boolean;
  /** Its commands are processes of their own. */
  readonly apart?: boolean;
  /** Its daemon looks for past sessions by itself. */
  readonly scans?: boolean;
  /** Its sessions are asked for reports. */
  readonly protocol?: boolean;
}

export async function openStory(options: StoryOptions = { install: true }): Promise<Story> {
  const home = mkdtempSync(join(tmpdir(), 'oncebitten-story-'));
  const dataDir = join(home, '.oncebitten');
  const project = join(home, 'project');
  mkdirSync(project);
  const scans = options.scans === true ? {} : NO_SCAN;
  const protocol = options.protocol === true ? {} : NO_PROTOCOL;
  // As the README says: the installed command is on the PATH.
  const PATH = [process.env.PATH ?? '', join(dataDir, 'bin')].join(delimiter);
  const env = { HOME: home, PATH, LANG: 'C.UTF-8', ...PATIENCE, ...scans, ...protocol };

  const cli = (...words: readonly string[]): Promise<unknown> =>
    runJson({ words, cwd: project, env, cli: options.apart === true ? CLI : undefined });
  const ask = async <T>(request: 'status' | 'flush'): Promise<T | undefined> => {
    const { askDaemon } = await import('../../src/surfaces/daemon/ask-daemon.ts');
    const { toDataHome } = await import('../../src/loop/home/data-home.ts');
    return askDaemon<T>(toDataHome(dataDir), request);
  };
  const send = (event: string, bytes: string | Buffer, extra = {}): Promise<HookAnswer> =>
    runShell(readHookCommand(home, event), bytes, { ...env, ...extra });

  const story: Story = {
    home,
    dataDir,
    project,
    env,
    cli,
    list: async <T>(...args: readonly string[]) => ((await cli(...args)) as { readonly items: readonly T[] }).items,
    send,
    run: (command, bytes) => runShell(command, bytes, env),
    hook: (fixture, fields, extra) => {
      const recorded = JSON.parse(readFileSync(join(FIXTURES, `${fixture}.json`), 'utf8'));
      const payload = { ...recorded, cwd: project, transcript_path: join(home, 'none.jsonl'), ...fields };
      return send(recorded.hook_event_name, `${JSON.stringify(payload)}\n`, extra);
    },
    daemonPid: async () => (await ask<{ pid: number }>('status'))?.pid,
    settle: async () => {
      // A flush gives up after some seconds, and nobody may be there to answer.
      for (let tries = 0; tries < 10; tries++) {
        const answer = await ask<{ flushed: boolean }>('flush');
        if (answer === undefined || answer.flushed) return;
      }
    },
    close: async () => {
      await stopDaemon(dataDir);
      rmSync(home, { recursive: true, force: true });
    },
  };
  if (options.install) await cli('install', 'claude-code', '--force');
  return story;
}

export function readHookCommand(home: string, event: string, file = '.claude/settings.json'): string {
  const settings = JSON.parse(readFileSync(join(home, file), 'utf8'));
  return settings.hooks[event][0].hooks[0].command;
}

function runShell(command: string, input: string | Buffer, env: Readonly<Record<string, string>>): Promise<HookAnswer> {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    // The hook may leave before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}
