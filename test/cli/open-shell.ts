/** A temporary home in which the built command line is run as a person would, and everything of it is seen. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Output, runCli } from '../run-cli.ts';
import { stopDaemon } from '../stop-daemon.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** The escape sequence that clears a terminal's line. */
const CLEAR_LINE = '\x1b[K';

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another data directory; false for no `--home` at all. */
  readonly home?: string | false;
  /** Another build of the command line. */
  readonly cli?: string;
}

export interface Shell {
  readonly home: string;
  /** Given to every command with `--home`; not inside `home`. */
  readonly dataDir: string;
  readonly runDir: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunOptions): Promise<Output>;
  /** What `--json` printed of a command that must succeed. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** The items of the list that `--json` printed. */
  list<T = unknown>(...args: readonly string[]): Promise<readonly T[]>;
  /** What a person sees in a terminal of this width. */
  show(args: readonly string[], columns: number, cwd?: string): Promise<string>;
  close(): Promise<void>;
}

export function openShell(): Shell {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-shell-'));
  const home = join(root, 'home');
  const dataDir = join(root, 'data');
  mkdirSync(home);
  const env = { HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };

  const shell: Shell = {
    home,
    dataDir,
    runDir: join(dataDir, 'run', hostname()),
    env,
    async run(args, options = {}) {
      const { stdin = '', cwd = root, home: data = dataDir, cli } = options;
      const words = [...args, ...(data === false ? [] : ['--home', data])];
      return runCli({ words, stdin, cwd, env: { ...env, ...options.env }, cli });
    },
    async json<T>(...args: readonly string[]) {
      const { code, stdout, stderr } = await shell.run([...args, '--json']);
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    list: async <T>(...args: readonly string[]) => (await shell.json<{ readonly items: readonly T[] }>(...args)).items,
    async show(args, columns, cwd = root) {
      const words = [process.execPath, join(ROOT, 'dist/cli.mjs'), ...args, '--home', dataDir];
      const command = `stty cols ${columns}; ${words.map((word) => `'${word}'`).join(' ')}`;
      const child = spawn('script', ['-qec', command, '/dev/null'], {
        // Colours have a test of their own.
        env: { ...env, NO_COLOR: '1' },
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const closed = new Promise((done) => child.on('close', done));
      const shown = await text(child.stdout);
      await closed;
      // Progress is overwritten: only the end of such a line stays.
      const lines = shown.split('\r\n').map((line) => line.split(CLEAR_LINE).at(-1) ?? '');
      return lines.join('\n');
    },
    async close() {
      await stopDaemon(dataDir);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return shell;
}
