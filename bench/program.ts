/**
 * `program`: what our program inside an agent's own process (OpenCode's plugin) adds to a call: the hooks before and after
 * it, over one connection to the daemon. Beside it the same two round trips to a server that answers at once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { opencodeProgram } from '../src/agents/opencode/program.ts';
import { ensureDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { openLine } from '../src/surfaces/hook/open-line.ts';
import { atMost, type BenchReport, mustBeZero } from './bench-report.ts';
import { makeBenchLessons } from './make-bench-lessons.ts';
import { makeHookCalls } from './make-hook-calls.ts';
import { toQuantiles } from './quantiles.ts';
import { withBenchHome } from './with-bench-home.ts';

const LESSONS = 1000;
const WARM_UP = 200;
const CALLS = 2000;
/** The output of a command. */
const OUTPUT = `${'a line of output\n'.repeat(200)}`;

type Hook = (input: object, output: object) => Promise<void>;

export async function run(): Promise<BenchReport> {
  const lessons = makeBenchLessons(LESSONS);
  return withBenchHome(lessons, async (bench) => {
    await ensureDaemon(bench.home);
    const line = openLine({ home: bench.home.dir, agentId: opencodeProgram.facts.id, env: {} });
    const hooks = opencodeProgram.open({ directory: bench.place.cwd }, line) as Readonly<Record<string, Hook>>;
    // The line does not keep a process alive; in an agent, the agent does.
    const alive = setInterval(() => undefined, 1000);
    const calls = makeHookCalls({ ...bench, count: WARM_UP + CALLS, lessons });
    const times: number[] = [];
    let wrong = 0;
    for (const [n, { payload }] of calls.entries()) {
      const { session_id: sessionID, tool_input: args } = JSON.parse(payload);
      const input = { tool: 'bash', sessionID, callID: `call_${n}` };
      const output = { title: '', output: OUTPUT, metadata: { exit: 0, output: OUTPUT } };
      const startedMs = performance.now();
      await hooks['tool.execute.before']?.(input, { args });
      await hooks['tool.execute.after']?.({ ...input, args }, output);
      if (n >= WARM_UP) times.push(performance.now() - startedMs);
      if (!output.output.startsWith(OUTPUT)) wrong++;
    }
    clearInterval(alive);
    const program = toQuantiles(times);
    return {
      program,
      calls: CALLS,
      reference: { echo: await measureEcho() },
      checks: [atMost('program p50, ms', program.p50Ms, 1), mustBeZero('changed outputs', wrong)],
    };
  });
}

/** Two round trips on one loopback connection to another process, with nothing behind them. */
async function measureEcho() {
  const child = spawn(process.execPath, ['--eval', ECHO], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  const ask = () => new Promise((done) => socket.once('data', done) && socket.write(OUTPUT));
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const startedMs = performance.now();
    await ask();
    await ask();
    times.push(performance.now() - startedMs);
  }
  socket.destroy();
  child.kill();
  return toQuantiles(times);
}

const ECHO = `const server = require('node:net').createServer((socket) => socket.on('data', () => socket.write('.')).on('error', () => {}));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
