/** A program in a real pseudo-terminal, which util-linux' `script` opens: keys in, what the screen shows out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pty {
  /** Waits until the text was printed after what was waited for before. */
  see(text: string | RegExp): Promise<string>;
  type(keys: string): void;
  /** Everything so far. */
  shown(): string;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

const PATIENCE_MS = 30_000;

export function openPty(command: string, options: { cwd: string; env: Readonly<Record<string, string>> }): Pty {
  const child: ChildProcess = spawn('script', ['-qefc', command, '/dev/null'], { ...options, stdio: 'pipe' });
  let shown = '';
  let from = 0;
  child.stdout?.on('data', (chunk) => (shown += chunk));
  child.stderr?.on('data', (chunk) => (shown += chunk));
  const ended = new Promise<number | null>((done) => child.on('close', done));
  return {
    async see(text) {
      const wanted = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
      for (let waited = 0; waited < PATIENCE_MS; waited += 20) {
        const match = wanted.exec(shown.slice(from));
        if (match !== null) {
          from += match.index + match[0].length;
          return match[0];
        }
        await sleep(20);
      }
      throw new Error(`not seen: ${String(text)} in\n${shown.slice(from)}`);
    },
    shown: () => shown,
    type: (keys) => void child.stdin?.write(keys),
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
}
