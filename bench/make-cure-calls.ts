/** Ends of calls of Claude Code, of 5 KB each, and the cures that answer the failures among them. */
import type { Cure } from '../src/base/model/cure.ts';
import { ANY_SHELL, parseCommand } from '../src/base/shell/parse-command.ts';
import { unwrapRunner } from '../src/base/shell/sub-commands.ts';
import { toSignedFailure } from '../src/capture/calls/to-calls.ts';
import { identifyProject } from '../src/loop/projects/find-project.ts';
import { BENCH_PROGRAMS } from './bench-programs.ts';
import type { HookCall } from './make-hook-calls.ts';

const PAYLOAD_BYTES = 5 * 1024;
const AT = '2026-01-02T00:00:00.000Z';

export interface EndedCallsInput {
  readonly count: number;
  readonly place: { readonly cwd: string };
  readonly transcriptsDir: string;
}

type Wire = Readonly<Record<string, unknown>>;

const FILLER = 'resolved part.json in 12 ms, nothing to do for this file\n';

function makeCalls(input: EndedCallsInput, event: string, toWire: (n: number, filler: string) => Wire) {
  return Array.from({ length: input.count }, (_, n): HookCall => {
    const sessionId = `bench-${event}-${n}`;
    const toJson = (filler: string): string =>
      JSON.stringify({
        ...{ session_id: sessionId, transcript_path: `${input.transcriptsDir}/${sessionId}.jsonl` },
        ...{ cwd: input.place.cwd, hook_event_name: event, permission_mode: 'default', ...toWire(n, filler) },
      });
    return { sessionId, payload: toJson(FILLER.repeat(Math.ceil((PAYLOAD_BYTES - toJson('').length) / 58))) };
  });
}

/** Not those that run other programs: then the item would be the program that failed. */
const PROGRAMS = BENCH_PROGRAMS.filter(({ name, subs }) =>
  parseCommand(`${name} ${subs[0]} item`, ANY_SHELL).every((command) => unwrapRunner(command) === command),
);

function toCommand(n: number): string {
  const program = PROGRAMS[n % PROGRAMS.length];
  return `${program?.name} ${program?.subs[0]} --bench-fast item-${n}`;
}

/** Calls that worked: PostToolUse, which the agent does not wait for. */
export function makeDoneCalls(input: EndedCallsInput): readonly HookCall[] {
  return makeCalls(input, 'PostToolUse', (n, filler) => ({
    ...{ tool_name: 'Bash', tool_input: { command: toCommand(n) }, tool_use_id: `toolu_done_${n}`, duration_ms: 20 },
    tool_response: { stdout: filler, stderr: '', interrupted: false },
  }));
}

/** Batches of one call that worked: PostToolBatch, which the agent waits for. */
export function makeBatchCalls(input: EndedCallsInput): readonly HookCall[] {
  return makeCalls(input, 'PostToolBatch', (n, filler) => {
    const call = { tool_name: 'Bash', tool_input: { command: `${toCommand(n)} | head -60` } };
    return { tool_calls: [{ ...call, tool_use_id: `toolu_batch_${n}`, tool_response: filler }] };
  });
}

/** Failures with a known cure: PostToolUseFailure. Every session is new, so each is told. */
export function makeFailedCalls(input: EndedCallsInput): readonly HookCall[] {
  const calls = makeCalls(input, 'PostToolUseFailure', (n, filler) => ({
    ...{ tool_name: 'Bash', tool_input: { command: toCommand(n) }, tool_use_id: `toolu_failed_${n}`, duration_ms: 20 },
    ...{ error: `Exit code 64\n${toError(n)}\n${filler}`, is_interrupt: false },
  }));
  return calls.map((call) => ({ ...call, expects: '--bench-quick' }));
}

function toError(n: number): string {
  return `error: unexpected argument --bench-fast found for ${PROGRAMS[n % PROGRAMS.length]?.name}`;
}

/** One for each failure above, and as many others as are wanted in all. */
export function makeBenchCures(count: number, cwd: string): readonly Cure[] {
  const projectId = identifyProject(cwd).id;
  return Array.from({ length: count }, (_, n) => ({
    ...{ agent: 'claude-code', sessionId: `taught-${n}`, projectId, failingCallId: `f${n}`, fixingCallId: `g${n}` },
    signatureId: n < PROGRAMS.length ? toSignatureId(n, cwd) : `sig_bench_${n}`,
    ...{ kind: 'edit', text: 'replace `--bench-fast` with `--bench-quick`', at: AT },
  }));
}

function toSignatureId(n: number, cwd: string): string {
  const origin = { agent: 'claude-code', sessionId: 's', contextId: '', at: AT, source: 'hook', cwd } as const;
  const input = { command: toCommand(n), json: JSON.stringify({ command: toCommand(n) }) };
  const call = { callId: 'c', tool: 'shell', rawTool: 'Bash', input } as const;
  const ended = { ...call, result: { isError: true, exitCode: 64, text: toError(n) } };
  return toSignedFailure({ ...origin, kind: 'call-ended', ...ended }, ended, '')?.signature?.id ?? '';
}
