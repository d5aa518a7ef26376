/** Runs a Node program and tells what it cost: wall and processor time of all its threads, and its peak memory. */
import { spawn } from 'node:child_process';

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly stdout: string;
}

const MARK = 'oncebitten-bench-usage ';
/** Loaded into the program first: says at its end what the system counted. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  `import { isMainThread } from 'node:worker_threads';
   if (isMainThread) process.on('exit', () => process.stderr.write('\\n${MARK}' + JSON.stringify(process.resourceUsage())));`,
)}`;

export async function runMeasured(
  args: readonly string[],
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Measured> {
  const startedMs = performance.now();
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, ['--import', REPORT, ...args], { signal, stdio, env });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  const seconds = (performance.now() - startedMs) / 1000;
  const usage = findUsage(stderr());
  if (code !== 0 || usage === undefined)
    throw new Error(`${args.join(' ')} ended with ${code}: ${stderr().slice(-500)}`);
  return {
    seconds: round(seconds),
    cpuSeconds: round((usage.userCPUTime + usage.systemCPUTime) / 1e6),
    peakMegabytes: Math.round(usage.maxRSS / 1024),
    stdout: stdout(),
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function findUsage(stderr: string): NodeJS.ResourceUsage | undefined {
  const at = stderr.lastIndexOf(MARK);
  return at < 0 ? undefined : (JSON.parse(stderr.slice(at + MARK.length)) as NodeJS.ResourceUsage);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
