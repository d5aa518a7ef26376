/** One round of hook calls: the hook and its references take turns, and every answer is judged. */

import { toHookCommand } from '../src/surfaces/install/hook-command.ts';
import { type Check, mustBeZero } from './bench-report.ts';
import type { HookCall } from './make-hook-calls.ts';
import { type Quantiles, toQuantiles } from './quantiles.ts';
import { type Step, type StepResult, timeSteps } from './time-steps.ts';
import type { BenchHome } from './with-bench-home.ts';

/** What an agent would pay for a hook that starts bash and does nothing. */
export const FLOOR = '[ -x /bin/bash ] && /bin/bash -c : || :';

export interface HookRound {
  readonly times: Readonly<Record<string, Quantiles>>;
  readonly calls: number;
  readonly delivered: number;
  readonly failed: number;
  readonly wrong: number;
}

/** The hook that is measured. */
export interface BenchHook {
  readonly agent: string;
  readonly event: string;
  /** What the hook prints when it has nothing to say. */
  readonly silence?: string | undefined;
}

const BEFORE_CALL: BenchHook = { agent: 'claude-code', event: 'PreToolUse' };

/** `references`: what runs beside the hook, and at every how manieth call. */
export async function runHookRound(
  bench: BenchHome,
  calls: readonly HookCall[],
  references: Readonly<Record<string, number>>,
  { agent, event, silence = '' }: BenchHook = BEFORE_CALL,
): Promise<HookRound> {
  const commands = {
    hook: ['/bin/sh', '-c', toHookCommand(bench.home.hookFile, agent, event)],
    floor: ['/bin/sh', '-c', FLOOR],
    node: [process.execPath, bench.emptyScript],
  };
  const steps = calls.flatMap((call, n) => toSteps(call, n, references));
  const results = await timeSteps({ ...bench.place, commands, steps }, bench.signal);
  const answers = results.filter((result) => result.command === 'hook');
  return { times: toTimes(results), ...judge(calls, answers, silence) };
}

/** Every fourth call delivers: the order alternates over those as well as over all. */
function toSteps({ payload }: HookCall, n: number, references: Readonly<Record<string, number>>): readonly Step[] {
  const others = Object.entries(references).flatMap(([command, every]) => (n % every === 0 ? [command] : []));
  const order = (n + Math.floor(n / 4)) % 2 === 0 ? ['hook', ...others] : [...others, 'hook'];
  return order.map((command) => ({ command, input: payload }));
}

function toTimes(results: readonly StepResult[]): Readonly<Record<string, Quantiles>> {
  const groups = [...Map.groupBy(results, (result) => result.command)];
  return Object.fromEntries(groups.map(([command, group]) => [command, toQuantiles(group.map((one) => one.ms))]));
}

/** Exit 0, the right lesson where one is due, and not a byte too many where none is. */
function judge(calls: readonly HookCall[], answers: readonly StepResult[], silence: string) {
  const wrong = answers.filter(({ stdout, stderr }, n) => {
    const due = calls[n]?.expects;
    const right =
      due === undefined ? stdout.replace(/\n$/, '') === silence : isDelivery(stdout) && stdout.includes(due);
    return !right || stderr !== '';
  });
  return {
    calls: answers.length,
    delivered: answers.filter(({ stdout }) => isDelivery(stdout)).length,
    failed: answers.filter(({ status }) => status !== 0).length,
    wrong: wrong.length,
  };
}

function isDelivery(stdout: string): boolean {
  return /"additional(?:Context|_context)":/.test(stdout);
}

/** Whatever a bench measures of hooks: each must have ended well and said the right thing. */
export function toAnswerChecks(rounds: readonly HookRound[]): readonly Check[] {
  const failed = rounds.reduce((total, round) => total + round.failed, 0);
  const wrong = rounds.reduce((total, round) => total + round.wrong, 0);
  return [mustBeZero('hooks that did not exit 0', failed), mustBeZero('hooks that answered wrongly', wrong)];
}
